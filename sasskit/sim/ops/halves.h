// Conversions of the 16-bit floating-point formats: FP16 (binary16) and BF16 (the upper half of
// binary32).
#pragma once

#include "lanes.h"
#include "rounding.h"

#include <math.h>

INLINE double from_half(uint32_t bits) {
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double value;
    if (exponent == 31) {
        value = fraction ? NAN : INFINITY;
    } else {
        value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    }
    return (bits & 0x8000) ? -value : value;
}
INLINE uint32_t to_half(double value, enum rounding mode) {
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    if (value != value) return 0x7fff;
    const bool inward = mode == ROUND_ZERO || mode == (sign ? ROUND_UP : ROUND_DOWN);
    if (isinf(value)) return sign | 0x7c00;
    if (fabs(value) >= 0x1p16) return sign | (inward ? 0x7bff : 0x7c00);
    int exponent;
    frexp(value, &exponent);
    const int unit = exponent - 11 < -24 ? -24 : exponent - 11; // exponent of the last place
    // rounds the number with its sign, because directed rounding depends on the sign
    const double magnitude = rounded_integer(ldexp(value, -unit), mode);
    const double scaled = ldexp(fabs(magnitude), unit + 24);
    if (scaled < 1024) return sign | (uint32_t)scaled;
    int power;
    const double mantissa = frexp(scaled, &power); // scaled = mantissa * 2^power, in units of 2^-24
    const int biased = power - 10;
    if (biased >= 31) return sign | (inward ? 0x7bff : 0x7c00);
    return sign | (uint32_t)biased << 10 | ((uint32_t)ldexp(mantissa, 11) & 1023);
}

INLINE double from_bfloat(uint32_t bits) {
    return as_float(bits << 16);
}
// Rounds a double to BF16. The double is first rounded to odd as a float, so that the second
// rounding is right.
INLINE uint32_t to_bfloat(double value, enum rounding mode) {
    if (value != value) return 0x7fff;
    volatile float narrow = (float)value;
    uint32_t bits = float_bits(narrow);
    if (fabs((double)narrow) > fabs(value)) bits--;
    const uint32_t sign = bits & 0x80000000u;
    bits |= (double)as_float(bits) != value;
    const uint32_t rest = bits & 0xffff, whole = bits >> 16;
    const bool away = mode == ROUND_NEAREST ? rest > 0x8000 || (rest == 0x8000 && (whole & 1))
                                            : rest && mode == (sign ? ROUND_DOWN : ROUND_UP);
    return whole + away;
}
