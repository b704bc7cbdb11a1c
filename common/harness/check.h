// Comparing what a kernel left in C with what belongs there.
//
// Errors are counted in units of u (|alpha| (|A||B|) + |beta||C|), the unit roundoff u being 2^-24 in FP32 and 2^-53 in FP64.
// In these units, three limits, of which only the first holds for inputs that are hard (matrix.h):
//
//   an element   1.01 (K + 2): the bound of a sum of K rounded products in any order (Higham, Accuracy and Stability,
//                section 3.5), with the two roundings of alpha and beta. error_ratio is the largest error divided by it.
//   an element   16, too. Partial sums of products of either sign, as the inputs make them, walk about zero, and so do the
//                rounding errors: in any fixed order of summation the error stays near 0.4, whatever K, and beyond 5 once in
//                millions (docs/checking.md).
//   all          their root mean square, 1 + 9 / sqrt(elements). Right kernels have 0.1 to 0.6; inputs rounded to TF32 have
//                6000 / sqrt(K).
//
// A kernel may state instead how far an element may be off by the largest elements of A and B (step.h, norm_limit).
//
// A number too small for the type's full precision costs half of the least one each time: that is part of the unit. A NaN or an
// infinity passes only where the reference has the same. Exact inputs (matrix.h) leave no room for any error, but to a kernel that
// loses something on purpose (step.h).
#pragma once

#include "matrix.h"
#include "reference.h"

enum { MAX_FAULTS = 10 };

enum fault_kind { FAULT_WRONG, FAULT_UNWRITTEN, FAULT_BASELINE, FAULT_GAP, FAULT_GUARD, FAULT_RMS };

struct fault {
    enum fault_kind kind;
    int64_t row, col; // a guard's col counts elements from the start of the image
    double got, expected, bound;
};

// Errors of the elements that the reference has, where it is finite, in units of u (|alpha| |A||B| + |beta||C|).
struct errors {
    int64_t count;
    double largest;
    double squares; // their sum
    double apart,
        unit;    // the sums of squares of the differences and of the units: errors of a matrix, not of its elements
    double bias; // sum of the errors, positive where |c| is too large
};

struct verdict {
    double error_ratio; // the largest error divided by 1.01 (K + 2)
    double error_max, error_rms, error_bias;
    struct errors errors;
    int64_t elements;    // compared with the reference
    int64_t fault_count; // all of them
    struct fault faults[MAX_FAULTS];
};

// What is expected of C for one alpha and beta.
struct expectation {
    int64_t rows, cols;
    int64_t k;
    const int64_t *row_index; // (rows) the reference's
    double *value;            // (rows, cols) alpha A B + beta C
    double *rest;             // (rows, cols) what of it a double does not hold; NULL for FP32
    double *unit;             // (rows, cols) the unit of errors; NaN where value is not finite
    double lost;              // units beyond the limits that the kernel may lose (step.h)
    bool exact;               // no limits: the very value, of a kernel that loses nothing
    bool hard;                // inputs on which only the first limit holds,
    double own;               // or this one of the kernel's; 0: it has none
    // Of a kernel whose errors grow with the largest elements of A and B (step.h): how far an element may be off, beside two units;
    // INFINITY: nothing is said of its value; 0: the kernel is none of these. And how many times the limit the root mean square may be,
    // which is then taken of the matrix: that of the differences by that of the units, since a small unit says nothing of its error.
    double norm, spread;
};

// Alpha and beta, and whether the result is exact with them.
struct factors {
    double alpha, beta;
    bool exact;
};

// The limit of an element by 1.01 (K + 2) alone, in units.
double rigorous_limit(int64_t k);

// Allocates for a reference; expectation_free() it.
bool expectation_make(struct expectation *expectation, const struct reference *reference);
void expectation_free(struct expectation *expectation);

// Computes value and unit; `initial` is C as it starts.
void expectation_set(struct expectation *expectation, const struct reference *reference, const struct matrix *initial,
                     int64_t k, struct factors factors);

// Compares one window of C's image. `initial` is C as it started, before the launch.
void check_window(const struct matrix *initial, const struct window *window, const void *image,
                  const struct expectation *expectation, struct verdict *verdict);

// After the last window: the figures of all errors, and, where no element is at fault, whether their root mean square is
// within its limit.
void check_errors(const struct expectation *expectation, struct verdict *verdict);

// The baseline's results for the rows of a window, (row_count, cols) without gaps, of C's element type.
struct baseline_rows {
    const void *product;   // A B
    const void *magnitude; // |A| |B|
    int64_t k;
    double alpha, beta;
    double limit; // how far an element may be from it, in units
    double norm;  // beside that, see struct expectation
};

// How far an element may be from the baseline's, in units, since both may err: a kernel that states a limit of its own (step.h) states
// none for the baseline.
double baseline_limit(const struct expectation *expectation);

// Compares every element of a window with the baseline.
void check_baseline(const struct matrix *initial, const struct window *window, const void *image,
                    const struct baseline_rows *baseline, struct verdict *verdict);

// One line about a fault, "C[3][5] is 0.5, expected 0.25 (bound 1e-7)".
void describe_fault(const struct fault *fault, enum element element, char *text, size_t size);
