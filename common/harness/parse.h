// Values on the command line. Each function complains in one line, naming the option, and returns false when it cannot.
#ifndef HARNESS_PARSE_H
#define HARNESS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

struct shape {
    int m, n, k;
};

// "8" or "8,16,32", each from low to high; appends to values[*count] up to `most` of them.
bool parse_ints(const char *option, const char *text, int low, int high, int *values, int *count, int most);

// "1" or "0,1,-1,0.5", each finite, as a float too.
bool parse_reals(const char *option, const char *text, double *values, int *count, int most);

// "MxNxK", each from 0 to INT_MAX.
bool parse_shape(const char *option, const char *text, struct shape *shape);

// A whole number from 0 to 2^64 - 1.
bool parse_seed(const char *option, const char *text, uint64_t *seed);

// Whether the matrices can exist at all: no dimension with its pad beyond int, no matrix beyond 2^40 elements.
bool shape_is_sane(const char *option, const struct shape *shape, int pad);

#endif
