// Explains a wrong result: finds a mistake with which a kernel would compute the wrong elements'
// values. If it finds none, it states where the wrong elements lie.
#pragma once

#include "base/finding.h"

// A result and its reference: alpha A B + beta C if `a` is not NULL, otherwise one row of n
// elements. All matrices are row-major.
struct product {
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    // --- [count] elements of C
    const double *reference, *actual; // expected values; values after the launch
    const double *limit;              // allowed errors; infinite in the gaps between rows
    const double *before;             // values before the launch; NULL if beta is 0
    int64_t count;
    const double *a, *b; // elements of the operands
    int64_t a_count, b_count;
};

enum mistaken { MISTAKEN_UNKNOWN, MISTAKEN_A, MISTAKEN_B, MISTAKEN_C }; // the matrix concerned

// Returns true if element `index` is wrong.
bool product_is_wrong(const struct product *p, int64_t index);
// Sets rule, cause and remedy to the mistake that explains the wrong elements, or to where they
// lie. Returns the matrix with the wrong index, or MISTAKEN_UNKNOWN. Requires: an element is wrong.
enum mistaken mistake_find(const struct product *p, struct finding *f);
