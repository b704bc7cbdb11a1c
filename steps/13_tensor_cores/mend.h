// Computes in FP32 the rows and columns of C that the pre-pass (split.h) listed, because the tensor
// cores' formats cannot hold their operands. Computes all of C if K is at most SHORT_SUM.
#ifndef TENSOR_CORES_MEND_H
#define TENSOR_CORES_MEND_H

#include "multiply.h"

#define MEND     64 // rows and columns per tile
#define MEND_K   32 // k's per stage
#define SIDE     16 // threads along each side of a tile
#define A_STRIDE (MEND + 1)

// A program whose operands may be transposed defines these macros itself.
#ifndef A_DOWN
#define A_DOWN(p)  false // true if the columns of A are contiguous in memory
#define B_ALONG(p) false // true if the columns of B are contiguous in memory
#define B_STRIDE   MEND
#define LD(ld)     (ld)
#endif

// The chosen rows or columns of C: those in a list, or all.
struct chosen {
    const int *list; // indices of the chosen rows or columns in C; NULL if all are chosen
    int count;
};

// Returns the index in C of the i-th chosen row or column, from 0; -1 if fewer are chosen.
static __device__ __forceinline__ int chosen_at(struct chosen c, int i) {
    return i >= c.count ? -1 : c.list ? c.list[i] : i;
}

struct product {
    const float *A, *B;
    int lda, ldb, K;
    struct output out;
};

// A thread's share of a tile of A and of a tile of B, held in registers between the loads from
// global memory and the stores to shared memory.
enum { SHARE = MEND * MEND_K / (SIDE * SIDE) };
struct share {
    float a[SHARE], b[SHARE];
};

// The position of an element in a tile: its row of A or column of B, and its k.
struct position {
    int line, k;
};
// Returns the position of element i of this thread's share. Neighbouring lanes get neighbours in
// memory: successive k's of a line if `along_k`, otherwise successive lines at one k.
static __device__ __forceinline__ struct position position_of(int i, bool along_k) {
    int number = threadIdx.x + i * SIDE * SIDE;
    return along_k ? position{number / MEND_K, number % MEND_K}
                   : position{number % MEND, number / MEND};
}

// Loads this thread's share of the k's [k0, k0 + MEND_K). Sets an element to zero if its k is not
// below `end`, or if its row or column is -1.
static __device__ __forceinline__ void fetch(struct share *s, const struct product *p,
                                             const int *row_of, const int *col_of, int k0,
                                             int end) {
#pragma unroll
    for (int i = 0; i < SHARE; i++) {
        struct position a = position_of(i, !A_DOWN(p)), b = position_of(i, B_ALONG(p));
        int a_k = k0 + a.k, row = row_of[a.line], b_k = k0 + b.k, col = col_of[b.line];
        size_t a_at = A_DOWN(p) ? (size_t)a_k * LD(p->lda) + row : (size_t)row * LD(p->lda) + a_k;
        size_t b_at = B_ALONG(p) ? (size_t)col * LD(p->ldb) + b_k : (size_t)b_k * LD(p->ldb) + col;
        s->a[i] = row >= 0 && a_k < end ? __ldg(&p->A[a_at]) : 0.0f;
        s->b[i] = col >= 0 && b_k < end ? __ldg(&p->B[b_at]) : 0.0f;
    }
}

// acc += A B over `depth` k's of a tile, for this thread's first `down` rows and `along` columns.
template <int down, int along>
static __device__ __forceinline__ void
multiply_shares(float acc[MEND / SIDE][MEND / SIDE], const float *as, const float *bs, int depth) {
#pragma unroll 4
    for (int k = 0; k < depth; k++)
#pragma unroll
        for (int i = 0; i < down; i++)
#pragma unroll
            for (int j = 0; j < along; j++)
                acc[i][j] += as[k * A_STRIDE + i * SIDE] * bs[k * B_STRIDE + j * SIDE];
}

// The rows and columns of C in a tile.
struct lines {
    int row[MEND], col[MEND]; // indices of the rows and columns in C; -1 past the last one
    int rows, cols;           // number of rows and of columns
};

// Adds this thread's sums of a tile over the k's [k0, end) to acc.
static __device__ __forceinline__ void sum_tile(float acc[MEND / SIDE][MEND / SIDE],
                                                const struct product *p, const struct lines *lines,
                                                int k0, int end) {
    __shared__ float as[MEND_K][A_STRIDE], bs[MEND_K][B_STRIDE];
    int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    struct share share;
    fetch(&share, p, lines->row, lines->col, k0, end);
    for (; k0 < end; k0 += MEND_K) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SHARE; i++) {
            struct position a = position_of(i, !A_DOWN(p)), b = position_of(i, B_ALONG(p));
            as[a.k][a.line] = share.a[i];
            bs[b.k][b.line] = share.b[i];
        }
        __syncthreads();
        if (k0 + MEND_K < end) fetch(&share, p, lines->row, lines->col, k0 + MEND_K, end);
        int depth = min(MEND_K, end - k0); // the last stage may have fewer k's
        if (lines->rows <= SIDE)
            multiply_shares<1, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
        else if (lines->cols <= SIDE)
            multiply_shares<MEND / SIDE, 1>(acc, &as[0][y], &bs[0][x], depth);
        else
            multiply_shares<MEND / SIDE, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
    }
}

// Sets *lines to the rows and columns of a tile.
// Requires: all threads of the block call it.
static __device__ __forceinline__ void find_lines(struct lines *lines, struct chosen rows,
                                                  struct chosen cols, int tile_m, int tile_n) {
    int t = threadIdx.x;
    __syncthreads(); // all threads have finished the previous tile
    if (t < MEND) lines->row[t] = chosen_at(rows, tile_m * MEND + t);
    if (t >= MEND && t < 2 * MEND) lines->col[t - MEND] = chosen_at(cols, tile_n * MEND + t - MEND);
    if (t == 0)
        lines->rows = min(MEND, rows.count - tile_m * MEND),
        lines->cols = min(MEND, cols.count - tile_n * MEND);
    __syncthreads();
}

// Stores this thread's elements of a tile: C = alpha acc + beta C, changed by the epilogue.
// Skips row r if skip[r] is LEFT_OUT, because another call computes it; `skip` may be NULL.
template <class Epilogue>
static __device__ __forceinline__ void
store_lines(const struct output *out, const struct lines *lines,
            float acc[MEND / SIDE][MEND / SIDE], const int *skip, const Epilogue &epilogue) {
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

// Computes the elements of C in both the chosen rows and the chosen columns; the blocks of the grid
// share the tiles. store_lines() explains `skip`.
static __device__ void mend_tiles(const struct product *p, struct chosen rows, struct chosen cols,
                                  const int *skip) {
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
