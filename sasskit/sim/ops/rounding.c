// Rounding in software, by the method that rounding.h describes.
#include "rounding.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static int sign_of(double value) {
    return (value > 0) - (value < 0);
}

// Returns true if the mode requires the nearest number's neighbour on the side of the exact value.
// `sign` is the sign of the nearest number. `side` is 1 if the exact value is above the nearest
// number, -1 if below, 0 if equal.
static bool takes_neighbour(int sign, int side, enum rounding mode) {
    return (mode == ROUND_DOWN && side < 0) || (mode == ROUND_UP && side > 0) ||
           (mode == ROUND_ZERO && side != 0 && side == -sign);
}
static float neighbour32(float near, int side, enum rounding mode) {
    return takes_neighbour(sign_of(near), side, mode)
               ? nextafterf(near, side > 0 ? INFINITY : -INFINITY)
               : near;
}
static double neighbour64(double near, int side, enum rounding mode) {
    return takes_neighbour(sign_of(near), side, mode)
               ? nextafter(near, side > 0 ? (double)INFINITY : -(double)INFINITY)
               : near;
}

// Returns the sum of two doubles rounded to nearest; sets *rest to the exact rounding error.
static double sum_of(double a, double b, double *rest) {
    const double sum = a + b, from_b = sum - a;
    *rest = (a - (sum - from_b)) + (b - from_b);
    return sum;
}

// Returns the signed zero for an exact sum of 0: -0 if both operands are -0 or, when rounding down,
// if at least one is negative.
static double zero_of(double a, double b, enum rounding mode) {
    const bool minus = mode == ROUND_DOWN ? signbit(a) || signbit(b) : signbit(a) && signbit(b);
    return minus ? -0.0 : 0.0;
}

// Returns sum + rest rounded to odd (an inexact result gets a last bit of 1), so that a second
// rounding to fewer digits is right.
static double odd_of(double sum, double rest) {
    uint64_t bits;
    if (rest == 0) return sum;
    memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1)) bits += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof bits);
    return sum;
}
static float float_of(double sum, double rest, enum rounding mode) {
    if (mode == ROUND_NEAREST) sum = odd_of(sum, rest);
    const float near = (float)sum;
    const double over = sum - near;
    return neighbour32(near, over != 0 ? sign_of(over) : sign_of(rest), mode);
}

float rounded_float(double value, enum rounding mode) {
    return float_of(value, 0, mode);
}

float rounded_product32(float a, float b, enum rounding mode) {
    return float_of((double)a * b, 0, mode);
}

float rounded_fma32(float a, float b, float c, enum rounding mode) {
    double rest;
    const double product = (double)a * b, sum = sum_of(product, c, &rest);
    if (sum == 0) return (float)zero_of(product, c, mode);
    return float_of(sum, isfinite(sum) ? rest : 0, mode);
}

double rounded_integer(double value, enum rounding mode) {
    return mode == ROUND_DOWN   ? floor(value)
           : mode == ROUND_UP   ? ceil(value)
           : mode == ROUND_ZERO ? trunc(value)
                                : rint(value);
}

float rounded_float_of(int64_t high, uint32_t low, enum rounding mode) {
    double rest;
    const double sum = sum_of((double)high * 0x1p32, low, &rest);
    return float_of(sum, rest, mode);
}

double rounded_double_of(int64_t high, uint32_t low, enum rounding mode) {
    double rest;
    const double sum = sum_of((double)high * 0x1p32, low, &rest);
    return neighbour64(sum, sign_of(rest), mode);
}

double odd_double_of(int64_t high, uint32_t low) {
    double rest;
    const double sum = sum_of((double)high * 0x1p32, low, &rest);
    return odd_of(sum, rest);
}

// Returns the sign of (a b + c) - near. Requires: nothing overflows or underflows.
static int side_of_fma(double a, double b, double c, double near) {
    double of_sum, of_all;
    const double product = a * b, of_product = fma(a, b, -product);
    const double small = sum_of(c, of_product, &of_sum), all = sum_of(product, small, &of_all);
    const double rest = (all - near) + of_all;
    return sign_of(rest + of_sum);
}

// Returns a b + c, rounded. Scales the numbers to near 1, where nothing underflows, and scales the
// result back. Scaling back rounds a subnormal result again; `over` is the error of that.
static double scaled_fma(double a, double b, double c, enum rounding mode) {
    // difference of exponents beyond which only the sign of the smaller number matters
    enum { FAR = 200 };
    int of_a, of_b, of_c;
    a = frexp(a, &of_a);
    b = frexp(b, &of_b);
    c = frexp(c, &of_c);
    const int exponent = of_a + of_b;
    int apart = c == 0 ? 0 : of_c - exponent, scale = exponent;
    if (apart > FAR) scale += apart - FAR, apart = FAR;
    if (apart < -FAR) apart = -FAR;
    c = ldexp(c, apart);
    const double near = fma(a, b, c);
    const int side = side_of_fma(a, b, c, near);
    if (near == 0 && side == 0) return mode == ROUND_DOWN ? -0.0 : 0.0;
    const double result = ldexp(near, scale), over = near - ldexp(result, -scale);
    return neighbour64(result, over != 0 ? sign_of(over) : side, mode);
}

double rounded_fma64(double a, double b, double c, enum rounding mode) {
    if (mode == ROUND_NEAREST || !isfinite(a) || !isfinite(b) || !isfinite(c)) return fma(a, b, c);
    if (a == 0 || b == 0) return c == 0 ? zero_of(a * b, c, mode) : c;
    return scaled_fma(a, b, c, mode);
}

double rounded_product64(double a, double b, enum rounding mode) {
    if (mode == ROUND_NEAREST || !isfinite(a) || !isfinite(b) || a == 0 || b == 0) return a * b;
    return scaled_fma(a, b, 0, mode);
}
