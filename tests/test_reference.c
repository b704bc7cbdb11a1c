// The float64 reference: its two implementations of GEMM compared with a plain triple loop, and the
// rows of a large problem that it computes.
#include "check.h"
#include "helpers.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static void plain(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c) {
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            for (int64_t p = 0; p < k; p++) c[i * n + j] += a[i * k + p] * b[p * n + j];
        }
    }
}

static const struct shape3 {
    int64_t m, n, k;
} shapes[] = {{1, 1, 1}, {3, 5, 7}, {64, 33, 129}, {7, 1030, 300}, {130, 2, 1}, {5, 4, 0}};

// Both implementations agree with the plain loop up to the rounding of k terms.
static void engines_agree(void **state) {
    reference_gemm *const engines[] = {reference_gemm_own, reference_gemm_best()};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct matrix a = {
            .kind = MATRIX_A, .rows = shapes[s].m, .cols = shapes[s].k, .ld = 1, .seed = 5};
        const struct matrix b = {
            .kind = MATRIX_B, .rows = shapes[s].k, .cols = shapes[s].n, .ld = 1, .seed = 5};
        int64_t rows[256];
        for (int64_t i = 0; i < a.rows; i++) rows[i] = i;
        struct reference expected, got;
        assert_true(reference_make(&expected, &a, &b, rows, a.rows, plain));
        for (int e = 0; e < 2; e++) {
            assert_true(reference_make(&got, &a, &b, rows, a.rows, engines[e]));
            for (int64_t i = 0; i < a.rows * b.cols; i++) {
                const double bound = (double)(a.cols + 2) * 0x1p-52 * expected.magnitude[i];
                assert_true(fabs(got.product[i] - expected.product[i]) <= bound);
                assert_true(fabs(got.magnitude[i] - expected.magnitude[i]) <= bound);
            }
            reference_free(&got);
        }
        reference_free(&expected);
    }
}

// With a large B, K is cut into slices. One row of a deep problem is compared with a sum computed
// here.
static void deep_problems_are_summed_in_slices(void **state) {
    const struct matrix a = {.kind = MATRIX_A, .rows = 9, .cols = 3000, .ld = 1, .seed = 2};
    const struct matrix b = {.kind = MATRIX_B, .rows = 3000, .cols = 4099, .ld = 1, .seed = 2};
    const int64_t row = 7, col = 4098;
    struct reference reference;
    double product = 0, magnitude = 0;
    assert_true(reference_make(&reference, &a, &b, &row, 1, reference_gemm_own));
    for (int64_t p = 0; p < a.cols; p++) {
        double x, y;
        matrix_row(&a, row, p, 1, &x);
        matrix_row(&b, p, col, 1, &y);
        product += x * y;
        magnitude += fabs(x * y);
    }
    assert_true(fabs(reference.product[col] - product) < 1e-9);
    assert_true(fabs(reference.magnitude[col] - magnitude) < 1e-9);
    reference_free(&reference);
}

__extension__ typedef __int128 wide_integer;

// Returns an exact sum of products in units of 2^-104, since the values are multiples of 2^-52.
static wide_integer exact_dot(const struct matrix *a, const struct matrix *b, int64_t row,
                              int64_t col) {
    wide_integer sum = 0;
    for (int64_t p = 0; p < a->cols; p++) {
        double x, y;
        matrix_row(a, row, p, 1, &x);
        matrix_row(b, p, col, 1, &y);
        sum += (wide_integer)(int64_t)(x * 0x1p52) * (int64_t)(y * 0x1p52);
    }
    return sum;
}

// The reference has two parts, `product` and `rest`. Their sum equals the exact sum up to 1 / 2048
// of the kernels' bound, also if K is cut into slices.
static void the_fp64_reference_is_finer_than_its_bound(void **state) {
    const struct matrix a = {
        .kind = MATRIX_A, .element = FP64, .rows = 70, .cols = 300, .ld = 1, .seed = 4};
    const struct matrix b = {
        .kind = MATRIX_B, .element = FP64, .rows = 300, .cols = 33, .ld = 1, .seed = 4};
    int64_t rows[70], inexact = 0;
    struct reference reference;
    for (int64_t i = 0; i < a.rows; i++) rows[i] = i;
    assert_true(reference_make(&reference, &a, &b, rows, a.rows, reference_gemm_own));
    for (int64_t i = 0; i < a.rows * b.cols; i++) {
        const wide_integer exact = exact_dot(&a, &b, i / b.cols, i % b.cols);
        // The difference exact - got is a small multiple of 2^-104, which long double holds
        // exactly.
        const wide_integer got = (wide_integer)ldexpl((long double)reference.product[i], 104);
        const long double error =
            ldexpl((long double)(exact - got), -104) - (long double)reference.rest[i];
        const double bound = rigorous_limit(a.cols) * 0x1p-53 * reference.magnitude[i];
        assert_true(fabsl(error) <= bound / 2048);
        inexact += exact != got;
    }
    assert_true(inexact > a.rows * b.cols / 2); // a double alone holds less than half of these sums
    reference_free(&reference);
}

static void nan_and_infinity_spread(void **state) {
    const double a[] = {1, NAN, 1, 2}, b[] = {INFINITY, 1, 1, 1};
    double c[4] = {0};
    reference_gemm_own(2, 2, 2, a, b, c);
    assert_true(isnan(c[0]) && isnan(c[1]));
    assert_true(c[2] == INFINITY && c[3] == 3);
    double extended[4] = {0}, rest[4] = {0};
    reference_gemm_extended(2, 2, 2, a, b, extended, rest);
    assert_true(isnan(extended[0]) && isnan(extended[1]));
    assert_true(extended[2] == INFINITY && rest[2] == 0 && extended[3] == 3);
}

static bool holds(const int64_t *rows, int64_t count, int64_t row) {
    for (int64_t i = 0; i < count; i++) {
        if (rows[i] == row) return true;
    }
    return false;
}

static void rows_of_a_large_problem(void **state) {
    const int tiles[] = {32, 128};
    const struct row_choice choice = {
        .rows = 10000000, .wanted = 64, .tile_rows = tiles, .tile_count = 2, .seed = 1};
    const int64_t expected[] = {0,         31,      32,      127,     128,         9999999,
                                9999968,   9999967, 9999872, 9999871, 65535 * 128, 65535 * 128 - 1,
                                65535 * 32};
    int64_t count;
    int64_t *rows = choose_rows(&choice, &count);
    assert_true(count >= 64);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (!holds(rows, count, expected[i]))
            print_error("row %lld is missing\n", (long long)expected[i]);
        assert_true(holds(rows, count, expected[i]));
    }
    for (int64_t i = 1; i < count; i++) assert_true(rows[i] > rows[i - 1]);
    assert_true(rows[count - 1] < choice.rows);
    free(rows);
}

static void rows_of_a_small_problem_are_all(void **state) {
    const int tiles[] = {32};
    for (int64_t n = 0; n < 66; n++) {
        const struct row_choice choice = {
            .rows = n, .wanted = n < 65 ? 64 : n, .tile_rows = tiles, .tile_count = 1};
        int64_t count;
        int64_t *rows = choose_rows(&choice, &count);
        assert_int_equal(count, n);
        for (int64_t i = 0; i < n; i++) assert_int_equal(rows[i], i);
        free(rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(deep_problems_are_summed_in_slices),
        cmocka_unit_test(the_fp64_reference_is_finer_than_its_bound),
        cmocka_unit_test(nan_and_infinity_spread),
        cmocka_unit_test(rows_of_a_large_problem),
        cmocka_unit_test(rows_of_a_small_problem_are_all),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
