// The reference: A B and |A| |B| for some rows of the result, in float64 for FP32 matrices. For
// FP64 matrices A B is computed in long double, which has at least 11 bits more than a double, and
// stored as a double plus a remainder. This A B is off by at most 1 / 2048 of the limit for
// kernels.
#pragma once

#include "matrix.h"

struct reference {
    int64_t rows, cols; // some rows of the result, and all of its columns
    int64_t *row_index; // the numbers of these rows, ascending
    double *product;    // A B, of shape (rows, cols)
    double *rest;       // A B minus `product`, of this shape; NULL for FP32 matrices
    double *magnitude;  // |A| |B|, of this shape
};

// The type of a function that adds A (m, k) times B (k, n) to C (m, n), row-major without gaps.
typedef void reference_gemm(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                            double *c);

// Uses a blocked OpenMP loop. NaN and infinities propagate as in IEEE 754.
void reference_gemm_own(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                        double *c);

// Like reference_gemm_own(), with sums in long double, stored as c + rest.
void reference_gemm_extended(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                             double *c, double *rest);

// Returns OpenBLAS's function if libopenblas.so.0 is found, otherwise reference_gemm_own.
reference_gemm *reference_gemm_best(void);

// Computes the reference for the given rows of A B; `gemm` multiplies in float64. Complains and
// returns false if there is not enough memory. The caller calls reference_free().
bool reference_make(struct reference *reference, const struct matrix *a, const struct matrix *b,
                    const int64_t *row_index, int64_t rows, reference_gemm *gemm);
void reference_free(struct reference *reference);

// Returns the bytes of host memory for a reference and for the expected C that is made from it.
int64_t reference_bytes(int64_t rows, int64_t cols);

struct row_choice {
    int64_t rows;   // number of rows of C
    int64_t wanted; // the least number of rows to choose
    // tile heights, `tile_count` of them
    const int *tile_rows;
    int tile_count;
    uint64_t seed; // decides which random rows are chosen
};

// Chooses all rows of C or, if `wanted` is less, the first, the last, some at edges of tiles and at
// the border between the launches of a tall problem (step.h), and random ones. Returns an ascending
// list, which the caller frees, and sets *count; NULL if there is no memory.
int64_t *choose_rows(const struct row_choice *choice, int64_t *count);
