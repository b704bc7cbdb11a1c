// What the tensor cores must not compute, in FP32: whole rows and whole columns of C, listed by the pre-pass.
#ifndef TENSOR_CORES_MEND_H
#define TENSOR_CORES_MEND_H

#include "multiply.h"

#define MEND     64 // rows and columns of a tile
#define MEND_K   32
#define SIDE     16 // threads along each side of a tile
#define A_STRIDE (MEND + 1)
#ifndef A_DOWN           // a program whose operands may be transposed defines these itself
#define A_DOWN(p)  false // A's rows lie along memory
#define B_ALONG(p) false // B's columns do
#define B_STRIDE   MEND
#define LD(ld)     (ld)
#endif

// Rows or columns of C: the numbers in a list, or all.
struct chosen {
    const int *list; // NULL: all
    int count;
};

static __device__ __forceinline__ int chosen_at(struct chosen c, int i) {
    return i >= c.count ? -1 : c.list ? c.list[i] : i;
}

struct product {
    const float *A, *B;
    int lda, ldb, K;
    struct output out;
};

// A thread's share of a tile of A and one of B, on its way to shared memory.
enum { SHARE = MEND * MEND_K / (SIDE * SIDE) };
struct share {
    float a[SHARE], b[SHARE];
};

// The row (column) and the k of element i of a thread's share: lanes go along memory.
struct at {
    int line, k;
};
static __device__ __forceinline__ struct at at_of(int i, bool along_k) {
    int number = threadIdx.x + i * SIDE * SIDE;
    return along_k ? at{number / MEND_K, number % MEND_K} : at{number % MEND, number / MEND};
}

static __device__ __forceinline__ void fetch(struct share *s, const struct product *p, const int *row_of,
                                             const int *col_of, int k0, int end) {
#pragma unroll
    for (int i = 0; i < SHARE; i++) {
        struct at a = at_of(i, !A_DOWN(p)), b = at_of(i, B_ALONG(p));
        int a_k = k0 + a.k, row = row_of[a.line], b_k = k0 + b.k, col = col_of[b.line];
        size_t a_at = A_DOWN(p) ? (size_t)a_k * LD(p->lda) + row : (size_t)row * LD(p->lda) + a_k;
        size_t b_at = B_ALONG(p) ? (size_t)col * LD(p->ldb) + b_k : (size_t)b_k * LD(p->ldb) + col;
        s->a[i] = row >= 0 && a_k < end ? __ldg(&p->A[a_at]) : 0.0f;
        s->b[i] = col >= 0 && b_k < end ? __ldg(&p->B[b_at]) : 0.0f;
    }
}

// acc += A B of a tile, for a thread's first `down` rows and `along` columns.
template <int down, int along>
static __device__ __forceinline__ void multiply_shares(float acc[MEND / SIDE][MEND / SIDE], const float *as,
                                                       const float *bs, int depth) {
#pragma unroll 4
    for (int k = 0; k < depth; k++)
#pragma unroll
        for (int i = 0; i < down; i++)
#pragma unroll
            for (int j = 0; j < along; j++) acc[i][j] += as[k * A_STRIDE + i * SIDE] * bs[k * B_STRIDE + j * SIDE];
}

// A tile's rows and columns of C, -1 for those past the last, and how many there are.
struct lines {
    int row[MEND], col[MEND], rows, cols;
};

// acc becomes the thread's sums over k's [k0, end) of a tile.
static __device__ __forceinline__ void sum_tile(float acc[MEND / SIDE][MEND / SIDE], const struct product *p,
                                                const struct lines *lines, int k0, int end) {
    __shared__ float as[MEND_K][A_STRIDE], bs[MEND_K][B_STRIDE];
    int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    struct share share;
    fetch(&share, p, lines->row, lines->col, k0, end);
    for (; k0 < end; k0 += MEND_K) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SHARE; i++) {
            struct at a = at_of(i, !A_DOWN(p)), b = at_of(i, B_ALONG(p));
            as[a.k][a.line] = share.a[i];
            bs[b.k][b.line] = share.b[i];
        }
        __syncthreads();
        if (k0 + MEND_K < end) fetch(&share, p, lines->row, lines->col, k0 + MEND_K, end);
        int depth = min(MEND_K, end - k0); // beyond K there are zeros
        if (lines->rows <= SIDE)
            multiply_shares<1, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
        else if (lines->cols <= SIDE)
            multiply_shares<MEND / SIDE, 1>(acc, &as[0][y], &bs[0][x], depth);
        else
            multiply_shares<MEND / SIDE, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
    }
}

// All threads of the block.
static __device__ __forceinline__ void find_lines(struct lines *lines, struct chosen rows, struct chosen cols,
                                                  int tile_m, int tile_n) {
    int t = threadIdx.x;
    __syncthreads(); // all have left the tile before
    if (t < MEND) lines->row[t] = chosen_at(rows, tile_m * MEND + t);
    if (t >= MEND && t < 2 * MEND) lines->col[t - MEND] = chosen_at(cols, tile_n * MEND + t - MEND);
    if (t == 0)
        lines->rows = min(MEND, rows.count - tile_m * MEND), lines->cols = min(MEND, cols.count - tile_n * MEND);
    __syncthreads();
}

// Rows that `skip` marks are somebody else's.
template <class Epilogue>
static __device__ __forceinline__ void store_lines(const struct output *out, const struct lines *lines,
                                                   float acc[MEND / SIDE][MEND / SIDE], const int *skip,
                                                   const Epilogue &epilogue) {
    int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
#pragma unroll
    for (int i = 0; i < MEND / SIDE; i++)
#pragma unroll
        for (int j = 0; j < MEND / SIDE; j++) {
            int row = lines->row[i * SIDE + y], col = lines->col[j * SIDE + x];
            if (row < 0 || col < 0 || (skip && skip[row] == LEFT_OUT)) continue;
            float *c = &out->C[(size_t)row * out->ldc + col], value = out->alpha * acc[i][j];
            *c = out->beta == 0.0f ? value : value + out->beta * *c;
            epilogue.add_to(c, row, col);
        }
}

static __device__ void mend_tiles(const struct product *p, struct chosen rows, struct chosen cols, const int *skip) {
    __shared__ struct lines lines;
    int tiles_m = (rows.count + MEND - 1) / MEND, tiles_n = (cols.count + MEND - 1) / MEND;
    for (long long at = blockIdx.x; at < (long long)tiles_m * tiles_n; at += gridDim.x) {
        float acc[MEND / SIDE][MEND / SIDE] = {};
        find_lines(&lines, rows, cols, (int)(at / tiles_n), (int)(at % tiles_n));
        sum_tile(acc, p, &lines, 0, p->K);
        store_lines(&p->out, &lines, acc, skip, Plain());
    }
}

#endif
