// Sums and products in the rounding mode that an instruction names, whatever the host's mode is: the host rounds to nearest, and
// where the mode wants the other neighbour, the sign of what was rounded off says so. Hosts without rounding modes, as
// WebAssembly, give the same bits.
#pragma once

#include <stdint.h>

enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO }; // the field `round` of SASS modifiers

// a b + c, rounded once. Denormals stay; a NaN is any NaN. (Goldberg 1991; Boldo and Muller 2011, "Exact and approximated error
// of the FMA"; Boldo and Melquiond 2008 on rounding to odd.)
float rounded_fma32(float a, float b, float c, enum rounding mode);
double rounded_fma64(double a, double b, double c, enum rounding mode);

float rounded_product32(float a, float b, enum rounding mode);
double rounded_product64(double a, double b, enum rounding mode);

// To a float; to an integer in floating point (rint, floor, ceil, trunc).
float rounded_float(double value, enum rounding mode);
double rounded_integer(double value, enum rounding mode);

// high 2^32 + low, of an integer of 64 bits.
float rounded_float_of(int64_t high, uint32_t low, enum rounding mode);
double rounded_double_of(int64_t high, uint32_t low, enum rounding mode);
double odd_double_of(int64_t high, uint32_t low); // rounded to odd, for a second rounding to fewer digits
