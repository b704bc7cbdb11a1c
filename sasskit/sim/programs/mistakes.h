// Explains a wrong result: tries mistakes that a kernel may contain, each of which predicts the
// values of the wrong elements; if none does, states where these lie.
#pragma once

#include "base/finding.h"

// A result and what was expected of it: alpha A B + beta C if `a` is not NULL, otherwise one row of
// n elements. All matrices are row-major.
struct product {
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    // --- [count] elements of C
    const double *reference, *actual; // expected, and after the launch
    const double *limit;              // allowed error; infinite in the gaps between rows
    const double *before;             // before the launch; NULL if beta is 0
    int64_t count;
    const double *a, *b; // operands
    int64_t a_count, b_count;
};

enum mistaken { MISTAKEN_UNKNOWN, MISTAKEN_A, MISTAKEN_B, MISTAKEN_C }; // the matrix concerned

// Returns true if element `index` is wrong.
bool product_is_wrong(const struct product *p, int64_t index);
// Sets rule, cause and remedy to the mistake that explains the wrong elements, or to where they
// lie. Returns the matrix whose index is wrong, if any. Requires: an element is wrong.
enum mistaken mistake_find(const struct product *p, struct finding *f);
