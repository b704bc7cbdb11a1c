// Compares the simulator's rounding with the host's, mostly on numbers near a boundary.
#include "helpers.h"
#include "sim/ops/rounding.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
enum { RUNS = 200000 };

static uint64_t state = 88172645463325252ull; // xorshift64 (Marsaglia 2003)
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// Draws the encoding of a number with `digits` fraction bits and `width` exponent bits: zero, near
// an end of the format's range, infinite or NaN, arbitrary, or of moderate size.
static uint64_t number(int digits, int width) {
    const uint64_t any = next() >> (63 - digits - width), fraction = (1ull << digits) - 1,
                   sign = 1ull << (digits + width);
    const uint64_t middle = (1ull << (width - 1)) - 20 + next() % 40;
    switch (next() % 10) {
    case 0:
        return any & sign;
    case 1:
        return any & (sign | fraction); // subnormal
    case 2:
        return (any & sign) | ((sign - 1) ^ (1ull << digits)); // the largest number
    case 3:
        return (any & sign) | 1ull << digits | (any & 1); // the smallest normal number or the next
    case 4:
        return any | (sign - 1 - fraction); // infinite or NaN
    case 5:
    case 6:
        return any;
    case 7:
        return (any & (sign | (fraction & ~(fraction >> 6)))) | middle << digits; // few bits
    default:
        return (any & (sign | fraction)) | middle << digits;
    }
}
static float any_float(void) {
    const uint32_t bits = (uint32_t)number(23, 8);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static double any_double(void) {
    const uint64_t bits = number(52, 11);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void same(double got, double wanted, const char *what, int mode, double a, double b,
                 double c) {
    if (isnan(wanted) ? isnan(got) : got == wanted && !signbit(got) == !signbit(wanted)) return;
    fail_msg("%s of %a %a %a, mode %d: %a, the host gives %a", what, a, b, c, mode, got, wanted);
}

// Returns the host's result in its rounding mode. volatile keeps the operation between the changes
// of mode.
#define HOST(type, mode, expression) \
    (__extension__({ \
        fesetround(modes[mode]); \
        volatile type answer_ = (expression); \
        fesetround(FE_TONEAREST); \
        answer_; \
    }))

static void floats_are_rounded_as_the_host_does(void **unused) {
    for (int i = 0; i < RUNS; i++) {
        const enum rounding mode = i & 3;
        volatile float a = any_float(), b = any_float(), c = i % 7 ? any_float() : -a * b;
        volatile double wide = any_double();
        same(rounded_fma32(a, b, c, mode), HOST(float, mode, fmaf(a, b, c)), "fma", mode, a, b, c);
        same(rounded_fma32(a, 1, c, mode), HOST(float, mode, a + c), "sum", mode, a, c, 0);
        same(rounded_product32(a, b, mode), HOST(float, mode, a *b), "product", mode, a, b, 0);
        same(rounded_float(wide, mode), HOST(float, mode, (float)wide), "float", mode, wide, 0, 0);
    }
}

static void doubles_are_rounded_as_the_host_does(void **unused) {
    for (int i = 0; i < RUNS; i++) {
        const enum rounding mode = i & 3;
        volatile double a = any_double(), b = any_double(), c = any_double();
        if (i % 7 == 0) c = -a * b;
        if (i % 11 == 0)
            a = ldexp(a, -500), b = ldexp(b, -560), c = ldexp(1, (int)(next() % 60) - 1070);
        same(rounded_fma64(a, b, c, mode), HOST(double, mode, fma(a, b, c)), "fma", mode, a, b, c);
        same(rounded_fma64(a, 1, c, mode), HOST(double, mode, a + c), "sum", mode, a, c, 0);
        same(rounded_product64(a, b, mode), HOST(double, mode, a *b), "product", mode, a, b, 0);
    }
}

static void integers_are_rounded_as_the_host_does(void **unused) {
    for (int i = 0; i < RUNS; i++) {
        const enum rounding mode = i & 3;
        volatile uint64_t plain = next() >> next() % 64;
        volatile int64_t number = i & 8 ? -(int64_t)plain : (int64_t)plain;
        const uint32_t low = (uint32_t)number;
        same(rounded_float_of(number >> 32, low, mode), HOST(float, mode, (float)number), "float",
             mode, (double)number, 0, 0);
        same(rounded_double_of(number >> 32, low, mode), HOST(double, mode, (double)number),
             "double", mode, (double)number, 0, 0);
        same(rounded_float_of((int64_t)(plain >> 32), (uint32_t)plain, mode),
             HOST(float, mode, (float)plain), "float", mode, (double)plain, 0, 0);
        same(rounded_double_of((int64_t)(plain >> 32), (uint32_t)plain, mode),
             HOST(double, mode, (double)plain), "double", mode, (double)plain, 0, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_rounded_as_the_host_does),
        cmocka_unit_test(doubles_are_rounded_as_the_host_does),
        cmocka_unit_test(integers_are_rounded_as_the_host_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
