// Computes the reference: A B and |A| |B| for some rows of the result.
#include "reference.h"
#include "base/arith.h"
#include "say.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 16, BLOCK_COLS = 512, BLOCK_DEPTH = 128, SLICE_DOUBLES = 1 << 23 };

// Arguments of cblas_dgemm, with their values in CBLAS.
enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANS = 111 };
typedef void cblas_dgemm_function(int order, int trans_a, int trans_b, int m, int n, int k,
                                  double alpha, const double *a, int lda, const double *b, int ldb,
                                  double beta, double *c, int ldc);
static cblas_dgemm_function *openblas_dgemm;

struct product_block {
    int64_t i0, i1, j0, j1, p0, p1; // rows [i0, i1) and columns [j0, j1) of C, k in [p0, p1)
};

// Adds to C the products of a block of rows, columns and k.
static void add_block(const struct product_block *z, int64_t n, int64_t k, const double *a,
                      const double *b, double *c) {
    for (int64_t i = z->i0; i < z->i1; i++) {
        double *restrict row = c + i * n;
        for (int64_t p = z->p0; p < z->p1; p++) {
            const double factor = a[i * k + p];
            const double *restrict from = b + p * n;
            for (int64_t j = z->j0; j < z->j1; j++) row[j] += factor * from[j];
        }
    }
}

// Adds to C block by block; the blocks of C are independent. A block of B, BLOCK_DEPTH by
// BLOCK_COLS (512 KB), stays in the cache while BLOCK_ROWS rows of A use it.
void reference_gemm_own(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                        double *c) {
#pragma omp parallel for collapse(2) schedule(dynamic) if (m * n * k > 100000)
    for (int64_t i0 = 0; i0 < m; i0 += BLOCK_ROWS) {
        for (int64_t j0 = 0; j0 < n; j0 += BLOCK_COLS) {
            for (int64_t p0 = 0; p0 < k; p0 += BLOCK_DEPTH) {
                const struct product_block block = {i0, min(i0 + BLOCK_ROWS, m),
                                                    j0, min(j0 + BLOCK_COLS, n),
                                                    p0, min(p0 + BLOCK_DEPTH, k)};
                add_block(&block, n, k, a, b, c);
            }
        }
    }
}

// long double has 64 bits of significand on x86, and 113 on 64-bit Arm Linux. Where it is double,
// this reference would be no more accurate than the FP64 kernels it judges.
_Static_assert(LDBL_MANT_DIG >= 64,
               "the reference of FP64 kernels needs a long double of 64 bits or more");

static long double dot(const double *a, const double *b, int64_t count) {
    long double sum = 0;
    for (int64_t p = 0; p < count; p++) sum += (long double)a[p] * b[p];
    return sum;
}

// Like add_block(), but sums in long double, and stores each sum as c + rest. Copies its part of B,
// transposed, into `columns`, so that dot() reads consecutive elements.
static void add_block_extended(const struct product_block *z, int64_t n, int64_t k, const double *a,
                               const double *b, double *c, double *rest) {
    double columns[BLOCK_ROWS][BLOCK_DEPTH];
    for (int64_t p = z->p0; p < z->p1; p++) {
        for (int64_t j = z->j0; j < z->j1; j++) columns[j - z->j0][p - z->p0] = b[p * n + j];
    }
    for (int64_t i = z->i0; i < z->i1; i++) {
        for (int64_t j = z->j0; j < z->j1; j++) {
            const int64_t at = i * n + j;
            const long double sum = (long double)c[at] + rest[at] +
                                    dot(&a[i * k + z->p0], columns[j - z->j0], z->p1 - z->p0);
            c[at] = (double)sum;
            rest[at] = isfinite(c[at]) ? (double)(sum - c[at]) : 0;
        }
    }
}

void reference_gemm_extended(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                             double *c, double *rest) {
    enum { ROWS = 64, COLS = BLOCK_ROWS };
#pragma omp parallel for collapse(2) schedule(dynamic) if (m * n * k > 100000)
    for (int64_t i0 = 0; i0 < m; i0 += ROWS) {
        for (int64_t j0 = 0; j0 < n; j0 += COLS) {
            for (int64_t p0 = 0; p0 < k; p0 += BLOCK_DEPTH) {
                const struct product_block block = {
                    i0, min(i0 + ROWS, m), j0, min(j0 + COLS, n), p0, min(p0 + BLOCK_DEPTH, k)};
                add_block_extended(&block, n, k, a, b, c, rest);
            }
        }
    }
}

static void gemm_openblas(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
                          double *c) {
    openblas_dgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANS, CBLAS_NO_TRANS, (int)m, (int)n, (int)k, 1.0, a,
                   (int)k, b, (int)n, 1.0, c, (int)n);
}

reference_gemm *reference_gemm_best(void) {
    static bool looked;
    if (!looked) {
        void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
        if (library) *(void **)&openblas_dgemm = dlsym(library, "cblas_dgemm");
        looked = true;
    }
    return openblas_dgemm ? gemm_openblas : reference_gemm_own;
}

int64_t reference_bytes(int64_t rows, int64_t cols) {
    return 6 * rows * cols * (int64_t)sizeof(double);
}

// Copies to `to`, without gaps, columns [first_col, first_col + cols) of rows row_index[0..rows),
// or of rows [first, first + rows) if row_index is NULL.
static void gather(const struct matrix *matrix, const int64_t *row_index, int64_t first,
                   int64_t rows, int64_t first_col, int64_t cols, double *to) {
#pragma omp parallel for if (rows * cols > 65536)
    for (int64_t r = 0; r < rows; r++) {
        matrix_row(matrix, row_index ? row_index[r] : first + r, first_col, cols, to + r * cols);
    }
}

static void magnitudes(double *values, int64_t count) {
#pragma omp parallel for if (count > 65536)
    for (int64_t i = 0; i < count; i++) values[i] = fabs(values[i]);
}

// Adds the products with k in [first, first + depth). a_slice and b_slice are buffers for the
// parts of A and B with these k.
static void add_slice(struct reference *reference, const struct matrix *a, const struct matrix *b,
                      int64_t first, int64_t depth, double *a_slice, double *b_slice,
                      reference_gemm *gemm) {
    const int64_t rows = reference->rows, cols = reference->cols;
    gather(a, reference->row_index, 0, rows, first, depth, a_slice);
    gather(b, NULL, first, depth, 0, cols, b_slice);
    if (reference->rest) {
        reference_gemm_extended(rows, cols, depth, a_slice, b_slice, reference->product,
                                reference->rest);
    } else {
        gemm(rows, cols, depth, a_slice, b_slice, reference->product);
    }
    magnitudes(a_slice, rows * depth);
    magnitudes(b_slice, depth * cols);
    gemm(rows, cols, depth, a_slice, b_slice, reference->magnitude);
}

// Sums over k in slices, so that not all of B must be in memory as doubles.
static bool sum_slices(struct reference *reference, const struct matrix *a, const struct matrix *b,
                       reference_gemm *gemm) {
    const int64_t k = a->cols, rows = reference->rows, cols = reference->cols;
    int64_t depth = SLICE_DOUBLES / (cols > rows ? cols : rows);
    if (depth < BLOCK_DEPTH) depth = BLOCK_DEPTH;
    if (depth > k) depth = k;
    double *a_slice = malloc((size_t)(rows * depth) * sizeof *a_slice);
    double *b_slice = malloc((size_t)(depth * cols) * sizeof *b_slice);
    const bool done = a_slice && b_slice;
    for (int64_t first = 0; done && first < k; first += depth) {
        add_slice(reference, a, b, first, k - first < depth ? k - first : depth, a_slice, b_slice,
                  gemm);
    }
    free(a_slice);
    free(b_slice);
    return done;
}

bool reference_make(struct reference *reference, const struct matrix *a, const struct matrix *b,
                    const int64_t *row_index, int64_t rows, reference_gemm *gemm) {
    // one element more, because malloc(0) may return NULL
    const size_t elements = (size_t)(rows * b->cols) + 1;
    *reference = (struct reference){.rows = rows, .cols = b->cols};
    reference->row_index = malloc(((size_t)rows + 1) * sizeof *reference->row_index);
    reference->product = calloc(elements, sizeof *reference->product);
    reference->magnitude = calloc(elements, sizeof *reference->magnitude);
    if (a->element == FP64) reference->rest = calloc(elements, sizeof *reference->rest);
    bool done = reference->row_index && reference->product && reference->magnitude &&
                (reference->rest || a->element == FP32);
    if (done && rows > 0) memcpy(reference->row_index, row_index, (size_t)rows * sizeof *row_index);
    if (done && rows > 0 && b->cols > 0 && a->cols > 0) done = sum_slices(reference, a, b, gemm);
    if (done) return true;
    reference_free(reference);
    return say_error("not enough host memory for the check of %lld rows: choose a smaller --size",
                     (long long)rows);
}

void reference_free(struct reference *reference) {
    free(reference->row_index);
    free(reference->product);
    free(reference->rest);
    free(reference->magnitude);
    *reference = (struct reference){0};
}
