// The reference: A B and |A| |B| for some rows of the result, in float64 for FP32 matrices. For FP64 ones the products and
// sums of A B are taken in long double, 11 bits or more beyond a double, and kept as a double and the rest: its own error
// is at most 1 / 2048 of the bound that a kernel is held to.
#pragma once

#include "matrix.h"

struct reference {
    int64_t rows, cols; // rows that are known of the result; all its columns
    int64_t *row_index; // (rows) which they are, ascending
    double *product;    // (rows, cols) A B
    double *rest;       // (rows, cols) what of A B a double does not hold; NULL for FP32 matrices
    double *magnitude;  // (rows, cols) |A| |B|
};

// C (m, n) += A (m, k) * B (k, n), row-major without gaps.
typedef void reference_gemm(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c);

// A blocked OpenMP loop; NaN and infinities spread as IEEE 754 has it.
void reference_gemm_own(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c);

// The same with sums in long double, kept in C + rest.
void reference_gemm_extended(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c,
                             double *rest);

// OpenBLAS where libopenblas.so.0 is found, the own loop otherwise.
reference_gemm *reference_gemm_best(void);

// Makes the reference for the given rows of A B; reference_free() it. `gemm` does what float64 is enough for. Complains and
// returns false without memory.
bool reference_make(struct reference *reference, const struct matrix *a, const struct matrix *b,
                    const int64_t *row_index, int64_t rows, reference_gemm *gemm);
void reference_free(struct reference *reference);

// The host memory a reference takes with its expectation, in bytes.
int64_t reference_bytes(int64_t rows, int64_t cols);

struct row_choice {
    int64_t rows;         // of the matrix
    int64_t wanted;       // at least so many rows, or all when there are fewer
    const int *tile_rows; // (tile_count) heights of the block tiles whose edges are to be among them
    int tile_count;
    uint64_t seed;
};

// Chooses rows of a large problem: the first, the last, those at tile and launch-band edges, random ones. Returns an
// ascending list to free() and its length in *count; NULL without memory.
int64_t *choose_rows(const struct row_choice *choice, int64_t *count);
