// The options --step and --variant, with the steps of fake_steps.c.
#include "helpers.h"
#include "steps.h"

#include <stdio.h>
#include <string.h>

// Returns the chosen variants as text, "01_first/slow 02_second/only".
static const char *chosen(const char *list, const char *variants) {
    static char text[1024];
    struct choice choices[MAX_CHOICES];
    int count;
    listen_to_user_messages();
    const bool done = choose_variants(linked_steps(), list, variants, choices, &count);
    const char *said = heard();
    if (!done) return said;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s/%s", i ? " " : "", choices[i].step->name,
                 choices[i].variant->name);
    }
    return text;
}

static void lists(void **state) {
    assert_string_equal(chosen("all", NULL),
                        "01_first/slow 01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("02", NULL), "02_second/only");
    assert_string_equal(chosen("2", NULL), "02_second/only");
    assert_string_equal(chosen("02-09", NULL), "02_second/only 05_fifth/fast");
    assert_string_equal(chosen("05,01-02", NULL),
                        "01_first/slow 01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("second,01_first,second", NULL),
                        "01_first/slow 01_first/fast 02_second/only");
    assert_string_equal(chosen("10", NULL), "10_side/only");
    assert_string_equal(chosen("own", NULL), "own/any");
    assert_string_equal(chosen("00-10", "last"),
                        "01_first/fast 02_second/only 05_fifth/fast 10_side/only");
}

static void variants(void **state) {
    assert_string_equal(chosen("all", "fast"), "01_first/fast 05_fifth/fast");
    assert_string_equal(chosen("all", "last"), "01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("all", "slow,only"), "01_first/slow 02_second/only");
}

static void unknown_names_are_refused(void **state) {
    const char *all = " 01_first, 02_second, 05_fifth, 10_side, own\n";
    assert_says(chosen("nine", NULL), "--step nine: ");
    assert_says(chosen("nine", NULL), all);
    assert_says(chosen("", NULL), all);
    assert_says(chosen("03", NULL), all);
    assert_says(chosen("03-04", NULL), all);
    assert_says(chosen("01,", NULL), all);
    assert_says(chosen("-1", NULL), all);
    assert_says(chosen("01-02x", NULL), all);
    assert_says(chosen("all", "quick"), "--variant quick: ");
    assert_says(chosen("02", "fast"), " only, last\n");
    assert_says(chosen("all", "fast,"), "--variant : ");
}

static void a_program_without_rungs_runs_all_it_has(void **state) {
    struct choice choices[MAX_CHOICES];
    struct step_table table = linked_steps();
    int count;
    const struct step_table side = {table.steps + 3, 1};
    assert_true(choose_variants(side, "all", NULL, choices, &count));
    assert_int_equal(count, 1);
    assert_string_equal(choices[0].step->name, "10_side");
    // One of these two steps needs the other. "all" chooses variants only of the step that needs
    // it.
    const struct step_table both = {table.steps + 3, 2};
    assert_true(choose_variants(both, "all", NULL, choices, &count));
    assert_int_equal(count, 1);
    assert_string_equal(choices[0].step->name, "own");
}

static void a_step_needs_others(void **state) {
    const struct step *own = find_step(linked_steps(), "own");
    assert_true(step_needs(own, "05_fifth") && step_needs(own, "10_side"));
    assert_false(step_needs(own, "10") || step_needs(own, "fifth") || step_needs(own, "01_first"));
    assert_false(step_needs(find_step(linked_steps(), "10_side"), "own"));
}

static void a_step_has_its_folder(void **state) {
    char path[64];
    step_path(path, sizeof path, find_step(linked_steps(), "own"), "kernel.cu");
    assert_string_equal(path, "elsewhere/own/kernel.cu");
    step_path(path, sizeof path, find_step(linked_steps(), "10_side"), "step.c");
    assert_string_equal(path, "steps/10_side/step.c");
}

// A variant that chooses among others lists variants or steps. A step stands for all its variants
// with a kernel.
static void a_variant_chooses_among_others(void **state) {
    static const struct {
        const char *name;
        bool chosen;
    } rows[] = {{"01_first/slow", true}, {"01_first/fast", false}, {"02_second/only", false},
                {"05_fifth/fast", true}, {"10_side/only", false},  {"own/any", false}};
    struct choice own, other;
    assert_true(find_choice(linked_steps(), "own/any", &own));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(find_choice(linked_steps(), rows[i].name, &other));
        assert_int_equal(chooses_from(own.variant, &other), rows[i].chosen);
    }
    assert_false(is_meant("own", &own)); // it has no kernel
    assert_true(is_meant("own/any", &own));
    assert_false(is_meant("own/an", &own) || is_meant("ow", &own));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(variants),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(a_program_without_rungs_runs_all_it_has),
        cmocka_unit_test(a_step_needs_others),
        cmocka_unit_test(a_step_has_its_folder),
        cmocka_unit_test(a_variant_chooses_among_others),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
