// Comparing what a kernel left in C with what belongs there.
//
// An element passes when |c - reference| <= bound = 1.01 (K + 2) u (|alpha| (|A||B|) + |beta||C|), the unit roundoff u
// being 2^-24 in FP32 and 2^-53 in FP64: the componentwise bound of a sum of K rounded products in any order (Higham, Accuracy and Stability, section 3.5), with
// the two roundings of alpha and beta. A NaN or an infinity passes only where the reference has the same.
#ifndef HARNESS_CHECK_H
#define HARNESS_CHECK_H

#include "matrix.h"
#include "reference.h"

enum { MAX_FAULTS = 10 };

enum fault_kind { FAULT_WRONG, FAULT_UNWRITTEN, FAULT_BASELINE, FAULT_GAP, FAULT_GUARD };

struct fault {
    enum fault_kind kind;
    int64_t row, col; // a guard's col counts elements from the start of the image
    double got, expected, bound;
};

struct verdict {
    double error_ratio;  // the largest error divided by its bound, over the elements the reference has
    int64_t elements;    // compared with the reference
    int64_t fault_count; // all of them
    struct fault faults[MAX_FAULTS];
};

// What is expected of C for one alpha and beta.
struct expectation {
    int64_t rows, cols;
    const int64_t *row_index; // (rows) the reference's
    double *value;            // (rows, cols) alpha A B + beta C
    double *rest;             // (rows, cols) what of it a double does not hold; NULL for FP32
    double *inverse_bound;    // (rows, cols) 1 / bound; NaN where value is not finite
};

// The scale of the bound, 1.01 (K + 2) u.
double bound_scale(enum element element, int64_t k);

// Allocates for a reference; expectation_free() it.
bool expectation_make(struct expectation *expectation, const struct reference *reference);
void expectation_free(struct expectation *expectation);

// Computes value and inverse_bound; `initial` is C as it starts.
void expectation_set(struct expectation *expectation, const struct reference *reference, const struct matrix *initial,
                     int64_t k, double alpha, double beta);

// Compares one window of C's image. `initial` is C as it started, before the launch.
void check_window(const struct matrix *initial, const struct window *window, const void *image,
                  const struct expectation *expectation, struct verdict *verdict);

// The baseline's results for the rows of a window, (row_count, cols) without gaps, of C's element type.
struct baseline_rows {
    const void *product;   // A B
    const void *magnitude; // |A| |B|
    int64_t k;
    double alpha, beta;
};

// Compares every element of a window with the baseline: at most twice the bound apart, since both may err.
void check_baseline(const struct matrix *initial, const struct window *window, const void *image,
                    const struct baseline_rows *baseline, struct verdict *verdict);

// One line about a fault, "C[3][5] is 0.5, expected 0.25 (bound 1e-7)".
void describe_fault(const struct fault *fault, enum element element, char *text, size_t size);

#endif
