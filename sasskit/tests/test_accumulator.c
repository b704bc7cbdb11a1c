// Tests the sums of tensor cores: against a second implementation of their rules, and in cases that
// one rule decides.
#include "helpers.h"
#include "sim/ops/accumulator.h"
#include "sim/ops/lanes.h"

#include <math.h>
#include <stdlib.h>

// Returns c + the sum of a[k] b[k] from column 3 of eight; the other columns hold other numbers.
static uint32_t sum_in(enum sum_type sum, enum factor_type type, int depth, const uint32_t *a,
                       const uint32_t *b, uint32_t c) {
    struct row_factors row = {0};
    struct column_factors columns = {0};
    uint32_t sums[SUM_COLUMNS] = {0x3f800000, 0x3f800000, 0x3f800000, c};
    for (int k = 0; k < depth; k++) {
        put_row(&row, k, make_factor(type, a[k]));
        for (int j = 0; j < SUM_COLUMNS; j++)
            put_column(&columns, k, j, make_factor(type, j == 3 ? b[k] : 0));
    }
    add_products(sum, &row, &columns, depth, sums);
    return sums[3];
}
static uint32_t sum_of(enum factor_type type, int depth, const uint32_t *a, const uint32_t *b,
                       uint32_t c) {
    return sum_in(SUM_FP32, type, depth, a, b, c);
}

enum { HALF_ONE = 0x3c00 };
static uint32_t half_power(int exponent) { // 2^exponent; exponent from -14 to 15
    return (uint32_t)(exponent + 15) << 10;
}

static void products_of_one_are_counted(void **state) {
    uint32_t ones[16];
    for (int k = 0; k < 16; k++) ones[k] = HALF_ONE;
    assert_int_equal(sum_of(FACTOR_FP16, 16, ones, ones, float_bits(0.5f)), float_bits(16.5f));
}

static void addends_are_cut_at_25_bits(void **state) {
    uint32_t a[16], b[16], just[16];
    for (int k = 0; k < 16; k++)
        a[k] = half_power(-13), b[k] = half_power(-13), just[k] = half_power(-12);
    // Each addend of 2^-26 is lost, although their sum is 2^-22.
    assert_int_equal(sum_of(FACTOR_FP16, 16, a, b, float_bits(1)), float_bits(1));
    // Each addend of 2^-25 is kept. Their sum is 2^-21.
    assert_int_equal(sum_of(FACTOR_FP16, 16, a, just, float_bits(1)), float_bits(1 + 0x1p-21f));
    for (int k = 0; k < 16; k++) a[k] |= 0x8000;
    // Negative addends are truncated toward zero, too.
    assert_int_equal(sum_of(FACTOR_FP16, 16, a, b, float_bits(-1)), float_bits(-1));
}

static void products_are_not_normalised(void **state) {
    uint32_t a[16] = {0x3e00}, b[16] = {0x3e00}; // 1.5 * 1.5 has exponent 0 here, not 1
    for (int k = 1; k < 16; k++) a[k] = half_power(-13), b[k] = half_power(-12);
    // Addends of 2^-25 are thus kept: their sum is 15 * 2^-25, of which FP32 holds 2^-22.
    assert_int_equal(sum_of(FACTOR_FP16, 16, a, b, 0), float_bits(2.25f + 0x1p-22f));
}

static void zero_infinity_and_nan(void **state) {
    uint32_t a[8] = {0}, b[8] = {0};
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, 0x80000000u), 0);
    a[0] = 0x7f800000;
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, 0), SUM_NAN); // infinity times zero
    b[0] = float_bits(-2);
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, 0), 0xff800000u);
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, 0x7f800000u), SUM_NAN);
    a[0] = float_bits(0x1p100f), b[0] = float_bits(0x1p27f);
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, float_bits(0x1p127f)), 0x7f800000u); // 2^128
}

static void subnormal_numbers_count(void **state) {
    uint32_t a[8] = {float_bits(0x1p-100f)}, b[8] = {float_bits(0x1p-45f)};
    assert_int_equal(sum_of(FACTOR_TF32, 8, a, b, 0), float_bits(0x1p-145f));
    uint32_t half[16] = {1}, one[16] = {HALF_ONE}; // the smallest FP16 number, 2^-24
    assert_int_equal(sum_of(FACTOR_FP16, 16, half, one, 0), float_bits(0x1p-24f));
}

static void tf32_ignores_its_low_bits(void **state) {
    uint32_t a[4] = {float_bits(1) | 0x1fff}, b[4] = {float_bits(3)};
    assert_int_equal(sum_of(FACTOR_TF32, 4, a, b, 0), float_bits(3));
}

// FP16 sums are rounded to nearest, ties to even, from subnormal numbers up to infinity.
static void fp16_sums_are_rounded_once(void **state) {
    static const struct {
        uint32_t a, b, c, sum; // FP16 encodings; `sum` is the expected c + a b + a b
    } cases[] = {
        {0x3c00, 0x3c00, 0x3800, 0x4100}, // 0.5 + 2
        {0x3c00, 0x3800, 0x6800, 0x6800}, // 2048 + 1: a tie, to even
        {0x3c00, 0x3800, 0x6801, 0x6802}, // 2050 + 1: a tie, to even
        {0x3c00, 0x3801, 0x6800, 0x6801}, // 2048 + slightly more than 1
        {0x0001, 0x3c00, 0x0001, 0x0003}, // 3 times the smallest subnormal number
        {0x0001, 0x3400, 0x0000, 0x0000}, // half of the smallest subnormal number
        {0x8001, 0x3400, 0x0000, 0x8000}, // minus half of the smallest subnormal number
        // 1.5 times the smallest subnormal number
        {0x0001, 0x3400, 0x0001, 0x0002},
        {0x0200, 0x3c00, 0x0000, 0x0400}, // the smallest normal number
        {0x3c00, 0x4800, 0x7bff, 0x7c00}, // 65504 + 16: a tie, to infinity
        {0x3c00, 0x47ff, 0x7bff, 0x7bff}, // 65504 + slightly less than 16
        {0xfbff, 0x7bff, 0x3c00, 0xfc00},
        {0x7c00, 0x3c00, 0x3c00, 0x7c00},
        {0x7c00, 0x3c00, 0xfc00, 0x7fff},
        {0x3c00, 0x3c00, 0xfc00, 0xfc00},
        {0x3c00, 0x3c00, 0x7e00, 0x7fff},
        {0x0000, 0x3c00, 0x8000, 0x0000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t a[16] = {cases[i].a, cases[i].a}, b[16] = {cases[i].b, cases[i].b};
        assert_int_equal(sum_in(SUM_FP16, FACTOR_FP16, 16, a, b, cases[i].c), cases[i].sum);
    }
}

// The second implementation, by_the_rules(), adds exact products one at a time. addend() returns a
// product and the sum of its factors' exponents. Requires: finite, normal numbers.
static double addend(double x, double y, int *exponent) {
    int ex = 0, ey = 0;
    frexp(x, &ex);
    frexp(y, &ey);
    *exponent = x * y == 0 ? -2000 : ex - 1 + ey - 1;
    return x * y;
}
static uint32_t by_the_rules(int depth, const double *a, const double *b, double c) {
    int largest = -2000, e;
    for (int k = 0; k <= depth; k++) {
        addend(k < depth ? a[k] : c, k < depth ? b[k] : 1, &e);
        if (e > largest) largest = e;
    }
    long double total = 0;
    for (int k = 0; k <= depth; k++) {
        const double x = addend(k < depth ? a[k] : c, k < depth ? b[k] : 1, &e);
        total += truncl(ldexpl((long double)x, SUM_BITS - largest));
    }
    long double value = ldexpl(total, largest - SUM_BITS);
    int power;
    frexpl(value, &power);
    return float_bits((float)ldexpl(truncl(ldexpl(value, 24 - power)), power - 24));
}

static void random_sums_follow_the_rules(void **state) {
    uint64_t seed = 1;
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t a[8], b[8];
        double x[8], y[8];
        for (int k = 0; k < 8; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const uint32_t spread = (uint32_t)(trial % 12);
            a[k] = ((uint32_t)(seed >> 32) & 0x807fe000u) |
                   (127 + ((uint32_t)(seed >> 20) & 15) % (spread + 1)) << 23;
            b[k] = ((uint32_t)(seed >> 16) & 0x807fe000u) |
                   (127 - ((uint32_t)(seed >> 10) & 15) % (spread + 1)) << 23;
            x[k] = as_float(a[k]);
            y[k] = as_float(b[k]);
        }
        const uint32_t c = ((uint32_t)(seed >> 11) & 0x80ffffffu) | 0x3f000000u;
        const uint32_t got = sum_of(FACTOR_TF32, 8, a, b, c),
                       wanted = by_the_rules(8, x, y, as_float(c));
        if (wanted & 0x7fffffff) assert_int_equal(got, wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_one_are_counted),
        cmocka_unit_test(addends_are_cut_at_25_bits),
        cmocka_unit_test(products_are_not_normalised),
        cmocka_unit_test(zero_infinity_and_nan),
        cmocka_unit_test(subnormal_numbers_count),
        cmocka_unit_test(tf32_ignores_its_low_bits),
        cmocka_unit_test(fp16_sums_are_rounded_once),
        cmocka_unit_test(random_sums_follow_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
