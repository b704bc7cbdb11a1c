// The check of results: a right result passes, and every fault is found. The fake backend acts as
// the kernel.
#include "contender.h"
#include "fake_backend.h"
#include "helpers.h"
#include "pattern.h"

#include <math.h>

static const struct variant variant = {
    .name = "only", .block_m = 16, .block_n = 16, .threads = 256};
static const struct step step = {.name = "01_fake", .kernel = "sgemm_fake"};
static enum element element; // type of all problems of a test

struct trial {
    struct shape shape;
    int pad;
    enum inputs inputs;
    bool baseline;
    double alpha, beta;
};

static struct layout layout_of(int pad) {
    const struct stride more = {STRIDE_MORE, pad};
    return (struct layout){{more, more, more}, {pad % 4, pad % 4, pad % 4}};
}

// Runs the fake kernel with a fault on a problem and returns the verdict.
static struct verdict try(enum fake_fault fault, const struct trial *t) {
    const int tile_rows[] = {16};
    const struct device_info info = fake_device(t->baseline);
    const struct problem_plan plan = {
        .element = element,
        .shape = t->shape,
        .layout = layout_of(t->pad),
        .inputs = t->inputs,
        .check = true,
        .baseline = t->baseline,
        .seed = 3,
        .tile_rows = tile_rows,
        .tile_count = 1,
    };
    struct staging staging = {.backend = &backend_fake};
    struct contender contender = {.step = &step, .variant = &variant};
    struct problem problem;
    struct verdict verdict = {0};
    fake_fault = fault;
    fake_element = element;
    assert_true(problem_open(&problem, &backend_fake, &staging, &info, &plan));
    assert_true(problem_set(&problem, t->alpha, t->beta));
    assert_true(contender_launch(&contender, &problem));
    assert_true(problem_check(&problem, &verdict));
    problem_close(&problem);
    staging_free(&staging);
    assert_int_equal(fake_allocations, 0);
    fake_fault = FAKE_RIGHT;
    fake_element = FP32;
    return verdict;
}

static const struct trial plain = {{33, 35, 34}, 3, INPUTS_UNIFORM, false, 1, 0};
static const struct trial general = {{33, 35, 34}, 3, INPUTS_UNIFORM, false, 0.5f, -1};
static const struct trial large = {{4100, 4200, 1}, 1, INPUTS_UNIFORM, true, 1, 0};
static const struct trial wide = {{4200, 4100, 1}, 1, INPUTS_UNIFORM, true, 1, 0.5f};

static void right_results_pass(void **state) {
    const float factors[] = {0, 1, -1, 0.5f};
    const struct shape shapes[] = {{1, 1, 1}, {3, 2, 7}, {33, 35, 34}, {5, 64, 0},
                                   {0, 3, 3}, {3, 0, 3}, {2, 65, 129}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int i = 0; i < 64; i++) {
            const struct trial t = {
                shapes[s], i / 32 ? 3 : 0, i / 16 % 2 ? INPUTS_SPECIAL : INPUTS_UNIFORM,
                false,     factors[i % 4], factors[i / 4 % 4]};
            const struct verdict v = try(FAKE_RIGHT, &t);
            assert_int_equal(v.fault_count, 0);
            assert_true(v.error_ratio < 1);
            assert_int_equal(v.elements, (int64_t)t.shape.m * t.shape.n);
        }
    }
}

static void a_fault_is_caught(enum fake_fault fault, const struct trial *t, enum fault_kind kind,
                              int64_t row, int64_t col) {
    const struct verdict v = try(fault, t);
    assert_int_equal(v.fault_count, 1);
    assert_int_equal(v.faults[0].kind, kind);
    assert_int_equal(v.faults[0].row, row);
    assert_int_equal(v.faults[0].col, col);
}

static void a_wrong_element_is_caught(void **state) {
    a_fault_is_caught(FAKE_WRONG_ELEMENT, &plain, FAULT_WRONG, 32, 34);
    a_fault_is_caught(FAKE_WRONG_ELEMENT, &general, FAULT_WRONG, 32, 34);
    const struct verdict v = try(FAKE_WRONG_ELEMENT, &plain);
    // An error of less than 1000 bounds is found: the bound is tight
    assert_true(v.error_ratio > 1 && v.error_ratio < 1000);
}

static void nan_and_infinity_are_caught(void **state) {
    a_fault_is_caught(FAKE_NAN_ELEMENT, &plain, FAULT_WRONG, 32, 34);
    a_fault_is_caught(FAKE_NAN_ELEMENT, &general, FAULT_WRONG, 32, 34);
    a_fault_is_caught(FAKE_INF_ELEMENT, &plain, FAULT_WRONG, 32, 34);
    a_fault_is_caught(FAKE_INF_ELEMENT, &general, FAULT_WRONG, 32, 34);
    assert_true(isinf(try(FAKE_NAN_ELEMENT, &plain).error_ratio));
}

static void an_unwritten_element_is_caught(void **state) {
    a_fault_is_caught(FAKE_UNWRITTEN, &plain, FAULT_UNWRITTEN, 32, 34);
    a_fault_is_caught(FAKE_UNWRITTEN, &general, FAULT_WRONG, 32, 34);
}

static void reading_c_when_beta_is_0_is_caught(void **state) {
    assert_int_equal(try(FAKE_READS_C, &plain).fault_count, 33 * 35);
    assert_int_equal(try(FAKE_READS_C, &general).fault_count, 0);
}

static void reading_a_gap_is_caught(void **state) {
    assert_int_equal(try(FAKE_READS_GAP, &plain).fault_count, 33 * 35);
}

static void writing_outside_c_is_caught(void **state) {
    a_fault_is_caught(FAKE_GAP, &plain, FAULT_GAP, 0, 35);
    a_fault_is_caught(FAKE_GUARD_BEFORE, &plain, FAULT_GUARD, 0, GUARD_ELEMENTS - 1);
    a_fault_is_caught(FAKE_GUARD_AFTER, &plain, FAULT_GUARD, 0, GUARD_ELEMENTS + 32 * 38 + 35);
}

// With special inputs some results must be NaN or infinite. There a finite number is wrong;
// elsewhere NaN and infinity are wrong.
static void special_values_are_compared(void **state) {
    const struct trial special = {{5, 4, 3}, 0, INPUTS_SPECIAL, false, 1, 0};
    assert_int_equal(try(FAKE_RIGHT, &special).fault_count, 0);
    assert_int_equal(try(FAKE_UNWRITTEN, &special).faults[0].kind, FAULT_UNWRITTEN);
}

static void large_problems_are_compared_in_some_rows(void **state) {
    const struct trial alone = {large.shape, 1, INPUTS_UNIFORM, false, 1, 0};
    struct verdict v = try(FAKE_RIGHT, &alone);
    assert_int_equal(v.fault_count, 0);
    assert_true(v.elements >= 256 * 4200 && v.elements < 400 * 4200);
    assert_int_equal(try(FAKE_UNWRITTEN_ROW, &alone).fault_count, 4200);
}

static void large_problems_are_compared_with_the_baseline(void **state) {
    struct verdict v = try(FAKE_RIGHT, &wide);
    assert_int_equal(v.fault_count, 0);
    assert_true(v.elements >= 64 * 4100 && v.elements < 200 * 4100);
    v = try(FAKE_WRONG_MIDDLE_ROW, &wide);
    assert_true(v.fault_count >= 1);
    assert_int_equal(v.faults[0].row, 2100);
    assert_int_equal(v.faults[0].col, 2050);
    assert_int_equal(v.faults[v.fault_count - 1].kind, FAULT_BASELINE);
}

// An FP32 sum of 4096 products 1/9, as cuBLAS computes it, is 430 units from the exact one. A
// kernel that promises 8 units must not be blamed for the baseline's error.
static void a_limit_of_its_own_is_not_the_baselines(void **state) {
    const struct matrix one = {.kind = MATRIX_C, .rows = 1, .cols = 1, .ld = 1};
    const float right = 455.111084f, off = 455.122833f, far = 456.0f, magnitude = 455.111084f;
    const struct expectation expectation = {.k = 4096, .hard = true, .own_limit = 8};
    struct baseline_rows baseline = {&off, &magnitude, 4096, 1, 0, baseline_limit(&expectation), 0};
    struct window w = {0};
    struct verdict v = {0};
    assert_true(matrix_next_window(&one, 1, &w));
    check_baseline(&one, &w, &right, &baseline, &v);
    assert_int_equal(v.fault_count, 0);
    baseline.product = &far;
    check_baseline(&one, &w, &right, &baseline, &v);
    assert_int_equal(v.fault_count, 1);
}

static void changed_inputs_are_caught(void **state) {
    const struct device_info info = fake_device(false);
    const struct problem_plan plan = {.shape = {8, 8, 8}, .check = true, .seed = 1};
    struct staging staging = {.backend = &backend_fake};
    struct contender contender = {.step = &step, .variant = &variant};
    struct problem problem;
    assert_true(problem_open(&problem, &backend_fake, &staging, &info, &plan));
    assert_true(problem_set(&problem, 1, 0));
    assert_true(contender_launch(&contender, &problem));
    assert_true(problem_inputs_intact(&problem));
    fake_fault = FAKE_WRITES_A;
    assert_true(contender_launch(&contender, &problem));
    assert_false(problem_inputs_intact(&problem));
    assert_says(backend_error(), "a kernel wrote to A");
    fake_fault = FAKE_RIGHT;
    problem_close(&problem);
    staging_free(&staging);
}

static void out_of_memory_is_said_and_nothing_leaks(void **state) {
    const struct device_info info = fake_device(false);
    const struct problem_plan plan = {.shape = {64, 64, 64}, .check = true};
    for (int64_t left = 0; left < 100000; left += 25000) {
        struct staging staging = {.backend = &backend_fake};
        struct problem problem;
        fake_memory_left = left;
        listen_to_user_messages();
        const bool done = problem_open(&problem, &backend_fake, &staging, &info, &plan);
        assert_says(heard(), "out of fake memory");
        assert_false(done);
        problem_close(&problem);
        staging_free(&staging);
        assert_int_equal(fake_allocations, 0);
    }
    fake_memory_left = -1;
}

// More than 65,535 rows of blocks need several launches, each for a band of rows.
static void tall_problems_go_in_bands(void **state) {
    const struct trial tall = {{65535 * 16 + 5, 2, 1}, 0, INPUTS_UNIFORM, false, 1, 0};
    const int before = fake_launches;
    assert_int_equal(try(FAKE_RIGHT, &tall).fault_count, 0);
    assert_int_equal(fake_launches - before, 2);
}

// A correct FP64 result, rounded to float once: far inside an FP32 bound, outside an FP64 bound.
static void a_sum_in_float_is_caught(void **state) {
    a_fault_is_caught(FAKE_FLOAT_SUM, &plain, FAULT_WRONG, 32, 34);
    a_fault_is_caught(FAKE_FLOAT_SUM, &general, FAULT_WRONG, 32, 34);
}

// Inputs rounded to fewer bits. The rigorous bound grows with K and would accept the results for
// FP32, so other limits must catch them.
static void inputs_of_fewer_bits_are_caught_for_large_k(void **state) {
    const struct trial deep = {{8, 24, 20000}, 0, INPUTS_UNIFORM, false, 1, 0};
    const enum fake_fault faults[] = {FAKE_NARROW_INPUTS, FAKE_BF16_INPUTS};
    struct verdict v = try(FAKE_RIGHT, &deep);
    assert_int_equal(v.fault_count, 0);
    assert_true(v.error_rms > 0.01 && v.error_rms < 1 && v.error_max < 16 &&
                fabs(v.error_bias) < 0.2);
    for (int i = 0; i < 2; i++) {
        v = try(faults[i], &deep);
        assert_true(v.fault_count > 0);
        assert_true(element == FP64 || v.error_ratio < 1);
    }
}

static void a_missing_product_of_20000_is_caught(void **state) {
    const struct trial deep = {{8, 24, 20000}, 0, INPUTS_UNIFORM, false, 1, 0};
    a_fault_is_caught(FAKE_DROPPED_TERM, &deep, FAULT_WRONG, 7, 23);
    assert_true(try(FAKE_DROPPED_TERM, &deep).error_ratio < 1);
}

// Errors that are small one by one and too large together: the root mean square has its own limit.
static void many_small_errors_are_caught(void **state) {
    struct verdict v = {.errors = {.count = 10000, .largest = 3, .squares = 4 * 10000.0}};
    const struct expectation e = {.k = 1000};
    check_errors(&e, &v);
    assert_int_equal(v.fault_count, 1);
    assert_int_equal(v.faults[0].kind, FAULT_RMS);
    assert_true(v.error_rms == 2 && v.error_ratio < 0.01);
    char text[300];
    describe_fault(&v.faults[0], FP32, text, sizeof text);
    assert_says(text, "root mean square of the errors is 2 u");
}

// Exact inputs have a bound of zero, which allows no rounding.
static void exact_inputs_want_the_very_result(void **state) {
    struct trial exact = general;
    exact.inputs = INPUTS_EXACT;
    assert_int_equal(try(FAKE_RIGHT, &exact).fault_count, 0);
    assert_true(try(FAKE_NARROW_INPUTS, &exact).fault_count > 0);
    a_fault_is_caught(FAKE_WRONG_ELEMENT, &exact, FAULT_WRONG, 32, 34);
}

// A correct kernel, too, loses bits in results below the normal numbers.
static void underflow_is_part_of_the_unit(void **state) {
    const struct trial tiny = {{33, 35, 34}, 0, INPUTS_UNIFORM, false, 1e-44f, 0};
    assert_int_equal(try(FAKE_RIGHT, &tiny).fault_count, 0);
}

static void underflow_in_fp64_is_part_of_the_unit(void **state) {
    element = FP64;
    const struct trial tiny = {{33, 35, 34}, 0, INPUTS_UNIFORM, false, 1e-310, 0.5};
    assert_int_equal(try(FAKE_RIGHT, &tiny).fault_count, 0);
}

enum { SIDE = 16, DEPTH = 24 };

// Returns element i of a result with a fault; `all` is the sum of the products from k = 0 on.
static double spoiled(int fault, const struct comparison *c, const double *all, int i) {
    const int row = i / SIDE, col = i % SIDE;
    const double right = c->expected[i], old = c->initial ? c->initial[i] : 0;
    all += i * (DEPTH + 1);
    switch (fault) {
    case 1:
        return i == 5 ? NAN : right;
    case 2:
        return row % 8 < 4 ? right : 0;
    case 3:
        return right - c->beta * old;
    case 4:
        return all[DEPTH] + c->beta * old;
    case 5:
        return 2 * right;
    case 6:
        return c->expected[col * SIDE + row];
    case 7:
        return c->alpha * all[16];
    case 8:
        return right + c->alpha * (2 * all[8] - all[16]);
    case 9:
        return c->expected[i - (col % 4 == 1)];
    case 10:
        return right + 1.5 * c->bound[i];
    case 11:
        return right + sin(i + 1);
    case 12:
        return 1.000002 * right;
    default:
        return row < 3 && col <= row ? right + sin(i + 1) : right;
    }
}

static void wrong_elements_have_a_pattern(void **state) {
    static const struct {
        double beta;
        const char *text;
    } made[] = {
        {0, "1 of 256 elements is wrong: row 0, column 5; it is NaN"},
        {0, "128 of 256 elements are wrong: rows 4 to 7 of every 8; each is 0"},
        {2, "all 256 elements are wrong; each lacks beta C"},
        {2, "all 256 elements are wrong; each lacks alpha"},
        {0, "all 256 elements are wrong; each is 2 times the right value"},
        {0, "240 of 256 elements are wrong; each has the value that belongs at [column][row]"},
        {0, "all 256 elements are wrong; each lacks the products of k = 16 to 23"},
        {0, "all 256 elements are wrong; each lacks the products of k = 8 to 15, and has twice "
            "the products of k = 0 to 7"},
        {0, "64 of 256 elements are wrong: column 1 of every 4; each has the value that belongs 1 "
            "column "
            "to the left"},
        {0, "all 256 elements are wrong; each is off in the last digits only, no more than a "
            "sum in another order may be"},
        {0, "all 256 elements are wrong"},
        {0, "126 of 256 elements are wrong; each is 1.000002 times the right value"},
        {0, "6 of 256 elements are wrong, within rows 0 to 2, columns 0 to 2"},
    };
    static double a[SIDE * DEPTH], b[DEPTH * SIDE], old[SIDE * SIDE], right[SIDE * SIDE],
        got[SIDE * SIDE], bound[SIDE * SIDE], all[SIDE * SIDE * (DEPTH + 1)];
    for (int i = 0; i < SIDE * DEPTH; i++) a[i] = sin(i * i + 1), b[i] = cos(3 * i * i);
    for (int i = 0; i < SIDE * SIDE; i++) {
        old[i] = sin(7 * i + 1);
        bound[i] = 1e-5;
        for (int k = 0; k < DEPTH; k++)
            all[i * (DEPTH + 1) + k + 1] =
                all[i * (DEPTH + 1) + k] + a[i / SIDE * DEPTH + k] * b[k * SIDE + i % SIDE];
    }
    for (int fault = 1; fault <= (int)(sizeof made / sizeof *made); fault++) {
        const struct comparison c = {SIDE,
                                     SIDE,
                                     DEPTH,
                                     3,
                                     made[fault - 1].beta,
                                     a,
                                     b,
                                     got,
                                     right,
                                     bound,
                                     made[fault - 1].beta != 0 ? old : NULL,
                                     0,
                                     2};
        char text[240];
        for (int i = 0; i < SIDE * SIDE; i++)
            right[i] = 3 * all[(i + 1) * (DEPTH + 1) - 1] + c.beta * old[i];
        for (int i = 0; i < SIDE * SIDE; i++) got[i] = (float)spoiled(fault, &c, all, i);
        describe_pattern(&c, text, sizeof text);
        assert_string_equal(text, made[fault - 1].text);
    }
}

static int use_fp32(void **state) {
    element = FP32;
    return 0;
}

static int use_fp64(void **state) {
    element = FP64;
    return 0;
}

#define FP64_TEST(test) \
    { "FP64: " #test, test, use_fp64, use_fp32, NULL }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_pass),
        cmocka_unit_test(a_wrong_element_is_caught),
        cmocka_unit_test(nan_and_infinity_are_caught),
        cmocka_unit_test(an_unwritten_element_is_caught),
        cmocka_unit_test(reading_c_when_beta_is_0_is_caught),
        cmocka_unit_test(reading_a_gap_is_caught),
        cmocka_unit_test(writing_outside_c_is_caught),
        cmocka_unit_test(special_values_are_compared),
        cmocka_unit_test(large_problems_are_compared_in_some_rows),
        cmocka_unit_test(large_problems_are_compared_with_the_baseline),
        cmocka_unit_test(a_limit_of_its_own_is_not_the_baselines),
        cmocka_unit_test(inputs_of_fewer_bits_are_caught_for_large_k),
        cmocka_unit_test(a_missing_product_of_20000_is_caught),
        cmocka_unit_test(many_small_errors_are_caught),
        cmocka_unit_test(exact_inputs_want_the_very_result),
        cmocka_unit_test(underflow_is_part_of_the_unit),
        cmocka_unit_test(wrong_elements_have_a_pattern),
        FP64_TEST(underflow_in_fp64_is_part_of_the_unit),
        FP64_TEST(inputs_of_fewer_bits_are_caught_for_large_k),
        FP64_TEST(exact_inputs_want_the_very_result),
        FP64_TEST(right_results_pass),
        FP64_TEST(a_wrong_element_is_caught),
        FP64_TEST(a_sum_in_float_is_caught),
        FP64_TEST(nan_and_infinity_are_caught),
        FP64_TEST(an_unwritten_element_is_caught),
        FP64_TEST(reading_c_when_beta_is_0_is_caught),
        FP64_TEST(reading_a_gap_is_caught),
        FP64_TEST(writing_outside_c_is_caught),
        FP64_TEST(special_values_are_compared),
        FP64_TEST(large_problems_are_compared_with_the_baseline),
        cmocka_unit_test(changed_inputs_are_caught),
        cmocka_unit_test(out_of_memory_is_said_and_nothing_leaks),
        cmocka_unit_test(tall_problems_go_in_bands),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
