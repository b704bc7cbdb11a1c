// Finds what the wrong elements of a result have in common.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A result beside the expected one. The arrays have the shape (rows, cols), `a` (rows, k) and `b`
// (k, cols).
struct comparison {
    int64_t rows, cols, k;
    double alpha, beta;
    const double *a, *b;
    const double *got, *expected;
    const double *bound;   // error allowed per element; 0 if the result must be exact
    const double *initial; // C before the launch; NULL if beta is 0
    int64_t unwritten;     // number of elements that were not written; 0 if beta is not 0
    double loosest;        // how many bounds a sum in any order of rounding may be off
};

// Writes how many elements are wrong, where they are and what is wrong about them, "rows 0 to 7 of
// every 16; in each, the products of k = 24 to 31 are missing". States only what holds for every
// wrong element. Sets `text` to "" if no element is wrong.
void describe_pattern(const struct comparison *c, char *text, size_t size);
