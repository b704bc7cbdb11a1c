// The command line of the lessons: its meaning, and the message for each mistake.
#include "draw.h"
#include "helpers.h"
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ARGUMENTS = 16 };

static struct options options;

// Parses a command line given as one string with single spaces.
static bool parse(const char *line) {
    static char words[1024];
    char *argv[MAX_ARGUMENTS] = {"ladder"}, *rest = words;
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    while (*words && rest && argc < MAX_ARGUMENTS - 1) argv[argc++] = strsep(&rest, " ");
    return options_parse(argc, argv, &options);
}

static void defaults(void **state) {
    assert_true(parse(""));
    assert_string_equal(options.steps, "all");
    assert_string_equal(options.backend, "auto");
    assert_null(options.variants);
    assert_null(options.csv);
    assert_int_equal(options.shape_count, 0);
    assert_int_equal(options.pad_count, 1);
    assert_int_equal(options.pads[0], 0);
    assert_true(options.alphas[0] == 1 && options.alpha_count == 1);
    assert_true(options.betas[0] == 0 && options.beta_count == 1);
    assert_int_equal(options.check, CHECK_ON);
    assert_int_equal(options.baseline, 1);
    assert_int_equal(options.mode, TIME_BURST);
    assert_int_equal(options.seed, 1);
}

static void every_option_is_read(void **state) {
    assert_true(parse(
        "--step 03 --variant last --size 8,16 --shape 1x0x3 --pad 0,3 --alpha 0.5,-1 --beta 1"));
    assert_string_equal(options.steps, "03");
    assert_int_equal(options.shape_count, 3);
    assert_int_equal(options.shapes[1].k, 16);
    assert_int_equal(options.shapes[2].n, 0);
    assert_int_equal(options.shapes[2].k, 3);
    assert_int_equal(options.pads[1], 3);
    assert_true(options.alphas[1] == -1);
    assert_true(parse(
        "--backend gpu --check only --baseline off --mode sustained --rounds 7 --inputs special"));
    assert_int_equal(options.check, CHECK_ONLY);
    assert_int_equal(options.baseline, 0);
    assert_int_equal(options.mode, TIME_SUSTAINED);
    assert_int_equal(options.rounds, 7);
    assert_int_equal(options.inputs, INPUTS_SPECIAL);
    assert_true(parse("--seed 18446744073709551615 --csv a.csv --counters b.csv --list"));
    assert_true(options.seed == UINT64_MAX);
    assert_string_equal(options.counters, "b.csv");
    assert_true(options.list);
}

static bool has_strides(const struct layout *l, int64_t a, int64_t b, int64_t c) {
    return stride_of(l->ld[0], 6) == a && stride_of(l->ld[1], 10) == b &&
           stride_of(l->ld[2], 10) == c;
}

// A random problem prints options that give it again. All kinds of sides, layouts and inputs occur.
static void drawn_problems_can_be_asked_for_again(void **state) {
    bool seen[INPUTS_KINDS] = {false}, long_side = false, one = false;
    double least = 1, most = 1;
    for (int i = 0; i < 500; i++) {
        const struct drawn d = draw_problem(42, i), again = draw_problem(42, i);
        char text[512];
        assert_memory_equal(&d.shape, &again.shape, sizeof d.shape);
        describe_drawn(&d, text, sizeof text);
        assert_true(parse(text));
        assert_memory_equal(&options.shapes[0], &d.shape, sizeof d.shape);
        assert_memory_equal(options.layouts[0].ld, d.layout.ld, sizeof d.layout.ld);
        assert_memory_equal(options.layouts[0].shift, d.layout.shift, sizeof d.layout.shift);
        assert_true(options.alphas[0] == d.alpha && options.betas[0] == d.beta &&
                    options.seed == d.seed);
        assert_int_equal(options.inputs, d.inputs);
        assert_in_range(d.shape.m, 1, DRAWN_MOST);
        assert_in_range(d.shape.n, 1, DRAWN_MOST);
        assert_in_range(d.shape.k, 1, DRAWN_MOST);
        seen[d.inputs] = true;
        if (d.alpha != 0) least = fmin(least, fabs(d.alpha)), most = fmax(most, fabs(d.alpha));
        long_side |= d.shape.n > 500;
        one |= d.shape.k == 1;
    }
    for (int i = 0; i < INPUTS_KINDS; i++) assert_true(seen[i]);
    assert_true(long_side && one);
    assert_true(least < 1e-5 && least >= 1e-6 && most > 1e5 && most <= 1e6);
    assert_true(parse("--random 3 --seed 5"));
    assert_int_equal(options.random, 3);
    assert_int_equal(options.check, CHECK_ONLY);
}

// Combines options for leading dimensions and first elements of A (3, 6), B (6, 10) and C (3, 10).
static void layouts_are_combined(void **state) {
    assert_true(parse("--shape 3x10x6"));
    assert_int_equal(options.layout_count, 1);
    assert_true(has_strides(&options.layouts[0], 6, 10, 10));
    assert_true(parse("--shape 3x10x6 --pad 0,5"));
    assert_int_equal(options.layout_count, 2);
    assert_true(has_strides(&options.layouts[1], 11, 15, 15));
    assert_int_equal(options.layouts[1].shift[2], 1);
    assert_true(parse("--shape 3x10x6 --ld %4 --ld 8,+1,%16 --shift 1 --shift 0,2,3"));
    assert_int_equal(options.layout_count, 4);
    assert_true(has_strides(&options.layouts[0], 8, 12, 12));
    assert_true(has_strides(&options.layouts[3], 8, 11, 16));
    assert_int_equal(options.layouts[2].shift[1], 1);
    assert_int_equal(options.layouts[3].shift[2], 3);
    assert_true(parse("--shape 0x0x0 --ld +0"));
    assert_int_equal(stride_of(options.layouts[0].ld[0], 0), 1);
}

static const struct {
    const char *line, *says;
} wrong[] = {
    {"--size 0", "--size 0: "},
    {"--size -4", "--size -4: "},
    {"--size 99999999999999999999", "--size 99999999999999999999: "},
    {"--size 2000000", " 2000000x2000000x2000000: "},
    {"--size 12,", "--size 12,: "},
    {"--size 1.5", "--size 1.5: "},
    {"--size 1e3", "--size 1e3: "},
    {"--shape 3x4", "--shape 3x4: "},
    {"--shape 3x4x5x6", "--shape 3x4x5x6: "},
    {"--shape ax4x5", "--shape ax4x5: "},
    {"--shape -1x4x5", "--shape -1x4x5: "},
    {"--shape 3x4x99999999999", "--shape 3x4x99999999999: "},
    {"--shape 2147483647x1x2147483647", "--shape 2147483647x1x2147483647: "},
    {"--pad 3 --shape 1x2147483647x1", "2147483650"},
    {"--ld 4,4", "--ld 4,4: "},
    {"--ld 1,2,3,4", "--ld 1,2,3,4: "},
    {"--ld %0", "--ld %0: "},
    {"--ld +", "--ld +: "},
    {"--ld 8,8,", "--ld 8,8,: "},
    {"--ld -3", "--ld -3: "},
    {"--ld 7 --shape 2x8x4", "--shape 2x8x4"},
    {"--shift 64", "--shift 64: "},
    {"--shift 1,2", "--shift 1,2: "},
    {"--pad -1", "--pad -1: "},
    {"--alpha nan", "--alpha nan: "},
    {"--beta 1e99", "--beta 1e99: "},
    {"--beta 1,,2", "--beta 1,,2: "},
    {"--rounds 0", "--rounds 0: "},
    {"--rounds 3,4", "--rounds 3,4: "},
    {"--seed -1", "--seed -1: "},
    {"--seed 18446744073709551616", "--seed 18446744073709551616: "},
    {"--check maybe", "on, off, only or small"},
    {"--baseline only", "--baseline only: "},
    {"--mode fast", "burst or sustained"},
    {"--inputs zero", "uniform, special, exact, positive, normal, wide, graded, constant, "
                      "worst_split, subnormal, huge, scaled, sparse, spots or cancelling"},
    {"--random 0", "--random 0: "},
    {"--random 5 --size 64", "--random: "},
    {"--random 5 --beta 0", "--random: "},
    {"--random 5 --inputs wide", "--random: "},
    {"--random 5 --check off", "--random: "},
    {"--backend cpu", "auto, gpu or sim"},
    {"4096", "4096: "},
};

static void wrong_values_get_one_line(void **state) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        listen_to_user_messages();
        const bool taken = parse(wrong[i].line);
        const char *text = heard();
        if (taken) print_error("'%s' was taken\n", wrong[i].line);
        assert_false(taken);
        assert_says(text, wrong[i].says);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(drawn_problems_can_be_asked_for_again),
        cmocka_unit_test(layouts_are_combined),
        cmocka_unit_test(wrong_values_get_one_line),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
