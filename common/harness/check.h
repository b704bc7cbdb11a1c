// Compares C after a launch with the expected result.
//
// Errors are counted in units. The unit of an element is u (|alpha| (|A||B|) + |beta||C|); the unit
// roundoff u is 2^-24 in FP32 and 2^-53 in FP64. Three limits apply; for hard inputs (matrix.h),
// only the first of them does.
//
//   rigorous, per element   1.01 (K + 2): bounds the error of a sum of K products in any order,
//                           times alpha, plus beta C (Higham, Accuracy and Stability, section 3.5).
//                           error_ratio is the largest error divided by this limit.
//   usual, per element      16: products have both signs, so partial sums and rounding errors are
//                           random walks about zero. In any fixed order of summation the error
//                           stays near 0.4 for every K, and exceeds 5 once in millions of elements.
//   root mean square        1 + 9 / sqrt(elements), for all elements together: correct kernels have
//                           0.1 to 0.6; a kernel with inputs rounded to TF32 has 6000 / sqrt(K).
//
// A kernel may state limits of its own, even infinite ones (extras.h, struct accuracy).
//
// A result too small for full precision is rounded to a multiple of the smallest subnormal number;
// the unit includes such errors. A NaN or an infinity passes only where the reference has the same.
// With exact inputs (matrix.h), no error is allowed, unless the kernel loses accuracy on purpose
// (extras.h).
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

// Finite errors of the elements. A fault whose error is not finite only sets `largest` to INFINITY.
struct errors {
    int64_t count;
    // --- errors of the elements, in units
    double largest;
    double squares; // sum of the squared errors
    double bias;    // sum of the signed errors; an error is positive if |c| is too large
    // --- the error of the matrix as a whole
    double difference_squares; // sum of squared differences from the reference
    double unit_squares;       // sum of the elements' squared units
};

struct verdict {
    double error_ratio; // the largest error divided by rigorous_limit()
    double error_max, error_rms, error_bias;
    struct errors errors;
    int64_t elements;    // number of elements compared with the reference
    int64_t fault_count; // number of faults found, which may exceed MAX_FAULTS
    struct fault faults[MAX_FAULTS];
    char pattern[240]; // what the wrong elements have in common (pattern.h); "" if unknown
};

// The expected C for one alpha and beta, and the limits of a kernel's error.
struct expectation {
    // --- the rows that the reference covers
    int64_t rows, cols;
    int64_t k;
    const int64_t *row_index; // these rows' numbers in C; owned by the reference
    // --- the expected elements; each array has the shape (rows, cols)
    double *value; // alpha A B + beta C
    double *rest;  // exact result minus `value`; NULL for FP32
    double *unit;  // unit of errors; NaN where `value` is not finite
    // --- limits
    bool exact;  // C must equal `value` exactly, unless `lost` is positive
    bool hard;   // true for hard inputs, for which there is no usual limit and no RMS limit
    double lost; // accuracy lost on purpose (extras.h), in units; added to the check's own limits
    double own_limit; // the kernel's own limit on hard inputs, in units; 0 if it has none
    // If positive, the absolute error allowed per element in place of the limits above; 2 units are
    // added to it. INFINITY allows any error. A finite value is ignored if C must be exact.
    double norm_bound;
    // The factor of the RMS limit; 0 stands for 1. If positive, the RMS compared with the limit is
    // sqrt(difference_squares / unit_squares) (struct errors).
    double rms_factor;
};

// Alpha and beta. `exact` is true if these factors and the inputs give results without rounding.
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

// Checks the values and the canaries in a window (matrix.h) of C. `initial` is C before the launch.
void check_window(const struct matrix *initial, const struct window *window, const void *image,
                  const struct expectation *expectation, struct verdict *verdict);

// Returns the error limit of an element as an absolute value; `unit` is the element's unit.
double error_bound(const struct expectation *expectation, double unit);

// Computes error_ratio, error_max, error_rms and error_bias, after the last window was checked.
// Adds a FAULT_RMS if there is no other fault, the inputs are not hard, and the root mean square
// exceeds its limit.
void check_errors(const struct expectation *expectation, struct verdict *verdict);

// The baseline's results for the rows of a window. Each array has the shape (row_count, cols),
// without gaps, and C's element type.
struct baseline_rows {
    const void *product;   // A B
    const void *magnitude; // |A| |B|
    int64_t k;
    double alpha, beta;
    double limit;      // error allowed per element, in units
    double norm_bound; // absolute error allowed per element, in addition to `limit`
};

// Returns the largest difference allowed between an element and the baseline's, in units: the
// kernel's limit plus the baseline's, which is the usual one.
double baseline_limit(const struct expectation *expectation);

// Compares every element of a window with the baseline.
void check_baseline(const struct matrix *initial, const struct window *window, const void *image,
                    const struct baseline_rows *baseline, struct verdict *verdict);

// Writes one line about a fault, "C[3][5] is 0.5, expected 0.25 (off by 0.25, tolerance 1e-07)".
void describe_fault(const struct fault *fault, enum element element, char *text, size_t size);
