// Compares what a kernel left in C with the expected result.
//
// The unit of errors is u (|alpha| (|A||B|) + |beta||C|), where u is the unit roundoff: 2^-24 in
// FP32, 2^-53 in FP64. There are three limits in this unit. Hard inputs (matrix.h) have the first
// one only.
//
//   rigorous, per element   1.01 (K + 2): bounds a sum of K rounded products in any order (Higham,
//                           Accuracy and Stability, section 3.5) and the roundings of alpha and
//                           beta. error_ratio is the largest error divided by this limit.
//   usual, per element      16: the inputs have products of both signs, so partial sums and
//                           rounding errors are random walks about zero. In any fixed order of
//                           summation the error stays near 0.4 for every K, and beyond 5 once in
//                           millions (docs/checking.md).
//   root mean square        1 + 9 / sqrt(elements): correct kernels have 0.1 to 0.6; inputs rounded
//                           to TF32 have 6000 / sqrt(K).
//
// A kernel may state limits of its own, even infinite ones (extras.h, struct accuracy).
//
// A result too small for full precision is rounded to a multiple of the smallest subnormal number;
// the unit includes such errors. A NaN or an infinity passes only where the reference has the same.
// With exact inputs (matrix.h), no error at all is allowed, unless the kernel loses accuracy on
// purpose (extras.h).
#pragma once

#include "matrix.h"
#include "reference.h"

enum { MAX_FAULTS = 10 };

enum fault_kind { FAULT_WRONG, FAULT_UNWRITTEN, FAULT_BASELINE, FAULT_GAP, FAULT_GUARD, FAULT_RMS };

struct fault {
    enum fault_kind kind;
    int64_t row, col; // for a FAULT_GUARD, `col` counts elements from the start of the image
    double got, expected, bound;
};

// Sums over the elements that have a finite reference.
struct errors {
    int64_t count;
    // --- errors of the elements, in units
    double largest;
    double squares; // sum of the squared errors
    double bias;    // sum of the signed errors; an error is positive if |c| is too large
    // --- the error of the matrix as a whole
    double difference_squares; // sum of squared differences from the reference
    double unit_squares;       // sum of squared units
};

struct verdict {
    double error_ratio; // the largest error divided by rigorous_limit()
    double error_max, error_rms, error_bias;
    struct errors errors;
    int64_t elements;    // number of elements compared with the reference
    int64_t fault_count; // number of faults found, which may exceed MAX_FAULTS
    struct fault faults[MAX_FAULTS];
};

// The expected C for one alpha and beta, and the limits of a kernel's error.
struct expectation {
    // --- the rows that the reference covers
    int64_t rows, cols;
    int64_t k;
    const int64_t *row_index; // numbers of these rows in C; owner: the reference
    // --- the expected elements; each array has the shape (rows, cols)
    double *value; // alpha A B + beta C
    double *rest;  // exact result minus `value`; NULL for FP32
    double *unit;  // unit of errors; NaN where `value` is not finite
    // --- limits
    bool exact; // C must equal `value` exactly if `lost` is 0
    bool hard;  // only one limit applies: the rigorous one, or `own_limit`
    // accuracy that the kernel loses on purpose, in units, added to the limits (extras.h, loss)
    double lost;
    double own_limit; // the kernel's own limit on hard inputs, in units; 0 if it has none
    // absolute error allowed per element, to which 2 units are added; INFINITY allows any; 0 if the
    // kernel has no norm bound
    double norm_bound;
    // if it is not 0, scales the RMS limit, which is then for the matrix as a whole (struct errors)
    double rms_factor;
};

// Alpha and beta. `exact` is true if the inputs and these factors give results without rounding.
struct factors {
    double alpha, beta;
    bool exact;
};

// Returns the rigorous limit of an element's error, 1.01 (K + 2), in units.
double rigorous_limit(int64_t k);

// Allocates the arrays. Requires: `reference` outlives the expectation.
bool expectation_make(struct expectation *expectation, const struct reference *reference);
void expectation_free(struct expectation *expectation);

// Computes the expected elements. `initial` is C before the launch.
void expectation_set(struct expectation *expectation, const struct reference *reference,
                     const struct matrix *initial, int64_t k, struct factors factors);

// Compares one window of C's image with the expectation. `initial` is C before the launch.
void check_window(const struct matrix *initial, const struct window *window, const void *image,
                  const struct expectation *expectation, struct verdict *verdict);

// Requires: every window was checked. Computes the verdict's error_ratio, error_max, error_rms and
// error_bias. Adds a FAULT_RMS if no element is at fault, the inputs are not hard, and the root
// mean square exceeds its limit.
void check_errors(const struct expectation *expectation, struct verdict *verdict);

// The baseline's results for the rows of a window. Each array has the shape (row_count, cols),
// without gaps, and C's element type.
struct baseline_rows {
    const void *product;   // A B
    const void *magnitude; // |A| |B|
    int64_t k;
    double alpha, beta;
    double limit; // error allowed per element, in units
    double norm_bound;
};

// Returns the largest allowed difference between an element and the baseline's, in units: the
// kernel's limit plus the usual limit, which the baseline keeps.
double baseline_limit(const struct expectation *expectation);

// Compares every element of a window with the baseline.
void check_baseline(const struct matrix *initial, const struct window *window, const void *image,
                    const struct baseline_rows *baseline, struct verdict *verdict);

// Writes one line about a fault, "C[3][5] is 0.5, expected 0.25 (error bound 1e-7)".
void describe_fault(const struct fault *fault, enum element element, char *text, size_t size);
