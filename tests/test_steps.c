// --step and --variant, with the steps of fake_steps.c.
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
    assert_string_equal(chosen("all", NULL), "01_first/slow 01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("02", NULL), "02_second/only");
    assert_string_equal(chosen("2", NULL), "02_second/only");
    assert_string_equal(chosen("02-09", NULL), "02_second/only 05_fifth/fast");
    assert_string_equal(chosen("05,01-02", NULL), "01_first/slow 01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("second,01_first,second", NULL), "01_first/slow 01_first/fast 02_second/only");
    assert_string_equal(chosen("10", NULL), "10_side/only");
}

static void variants(void **state) {
    assert_string_equal(chosen("all", "fast"), "01_first/fast 05_fifth/fast");
    assert_string_equal(chosen("all", "last"), "01_first/fast 02_second/only 05_fifth/fast");
    assert_string_equal(chosen("all", "slow,only"), "01_first/slow 02_second/only");
}

static void unknown_names_are_refused(void **state) {
    const char *all = " 01_first, 02_second, 05_fifth, 10_side\n";
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
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(variants),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(a_program_without_rungs_runs_all_it_has),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
