// Sums and products in the rounding mode that an instruction names, without the host's rounding
// modes.
// The host computes the result rounded to nearest, and the exact rounding error. The error's sign
// tells whether the mode requires the neighbouring number instead. So all hosts give identical
// bits, even WebAssembly, which has no rounding modes.
#pragma once

#include <stdint.h>

// Rounding modes, by their number in struct sass_modifiers.
enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };

// The next two functions return a b + c, rounded once. They keep subnormal numbers; the payload of
// a NaN is unspecified. (Goldberg 1991; Boldo and Muller 2011, "Exact and approximated error of the
// FMA"; Boldo and Melquiond 2008 on rounding to odd.)
float rounded_fma32(float a, float b, float c, enum rounding mode);
double rounded_fma64(double a, double b, double c, enum rounding mode);

float rounded_product32(float a, float b, enum rounding mode);
double rounded_product64(double a, double b, enum rounding mode);

float rounded_float(double value, enum rounding mode);
// Rounds to an integer, as rint(), floor(), ceil() and trunc() do.
double rounded_integer(double value, enum rounding mode);

// The next two functions return the 64-bit integer high * 2^32 + low, rounded.
float rounded_float_of(int64_t high, uint32_t low, enum rounding mode);
double rounded_double_of(int64_t high, uint32_t low, enum rounding mode);
// Returns high * 2^32 + low rounded to odd, so that it can be rounded again to fewer digits.
double odd_double_of(int64_t high, uint32_t low);
