// Step 10, block order: which block computes what. The kernel of step 08 (cp.async, z-order lanes), with its tile and its share
// of K found from the block's number.
//
//   -DRASTER=X_MAJOR, Y_MAJOR, GROUPED, Z_ORDER    in which order blocks take the tiles of C
//   -DBM -DBN -DWARPS_M -DWARPS_N                  block tile and its warps
//   -DLANES_M=n                                    rows of lanes in a warp, 4 or 8; 4 if not given
//   -DSTAGES -DCOPY_K -DMIN_BLOCKS                 as in step 08
//   -DSLOTS=n                                      workspace for the partial sums of n blocks; 0: K is not split
//   -DTHIN -DWARPS_K -DAHEAD                       for few rows of C: thin.h
//   -DNARROW                                       for few columns: narrow.h
//   -DSLIM                                         for 9 to 32 columns: slim.h
//   -DVECTOR                                       for one row or one column: vector.h
//   -DFLAT                                         for a small K: flat.h
//   -DPANEL                                        for a K of 5 to 20: panel.h
//   -DSECTORS                                      for a K of up to 8: sectors.h
//
// The launch is one row of blocks, a multiple of the number of tiles of C. With several blocks a tile, each sums over its part
// of K.

#include <cuda_pipeline.h> // cp.async as C functions; before sm_80 they copy through registers

#define X_MAJOR 0
#define Y_MAJOR 1
#define GROUPED 2
#define Z_ORDER 3

#ifndef WARPS_K
#define WARPS_K 1
#endif

#ifndef LANES_M
#define LANES_M 4
#endif

#define BK      8
#define THREADS (32 * WARPS_M * WARPS_N * WARPS_K)
#define LANES_N (32 / LANES_M)

#if __CUDA_ARCH__ == 750 && MIN_BLOCKS * THREADS > 1024 // threads that fit on an SM
#undef MIN_BLOCKS
#define MIN_BLOCKS (1024 / THREADS)
#endif

#if !defined VECTOR && !defined SECTORS // whose loads are of single floats
// True when every fourth element of every row has a 16-byte aligned address.
static __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}
#endif

// --- the block's tile of C ----------------------------------------------------------------------------------------------------
struct tile {
    int row, col; // in tiles
};

#if RASTER == X_MAJOR
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    return {(int)(at / tiles_n), (int)(at % tiles_n)};
}
#elif RASTER == Y_MAJOR
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    return {(int)(at % tiles_m), (int)(at / tiles_m)};
}
#elif RASTER == GROUPED
#define GROUP 8u // rows of tiles; the last group may have fewer

static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    unsigned first = at / (GROUP * tiles_n) * GROUP, rows = min(GROUP, tiles_m - first);
    at -= first * tiles_n;
    return {(int)(first + at % rows), (int)(at / rows)};
}
#else
// The first `length` of a side's tiles that lie in [from, from + size).
static __device__ unsigned inside(unsigned length, unsigned from, unsigned size) {
    return length <= from ? 0 : min(length - from, size);
}

// The square of 2^k tiles around C has four quarters, and each again: `at` is counted down through those before its own.
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    unsigned row = 0, col = 0, size = 1;
    while (size < max(tiles_m, tiles_n)) size *= 2;
    while (size > 1) {
        size /= 2;
        for (unsigned quarter = 0;; quarter++) { // down, then right and up, then down: the z of step 07
            unsigned r = row + quarter % 2 * size, c = col + quarter / 2 * size;
            unsigned tiles = inside(tiles_m, r, size) * inside(tiles_n, c, size);
            if (at < tiles) {
                row = r, col = c;
                break;
            }
            at -= tiles;
        }
    }
    return {(int)row, (int)col};
}
#endif

// With K in one part, and stores of their own.
#if defined FLAT
#include "flat.h"
#elif defined PANEL
#include "panel.h"
#elif defined SECTORS
#include "sectors.h"
#else

// Where part `part` begins when `length` is cut into `parts`. (A 64-bit division would be a call, and a kernel with calls gets
// its registers worse.)
static __device__ int begin_of(int length, unsigned part, unsigned parts) {
    return (int)((unsigned)length / parts * part + min((unsigned)length % parts, part));
}

// --- sums of several blocks -----------------------------------------------------------------------------------------------------
#define ELEMENTS ((BM * BN + THREADS - 1) / THREADS) // of C, a thread

#if SLOTS > 0
// A tile's parts are summed as a tree of FAN branches. Of the blocks that meet at a branch, the last one to arrive sums for
// all, in the order of their parts: who comes last changes from run to run, the sum does not. Nobody waits. Two launches at a
// time must not share these arrays.
#define FAN    8
#define LEVELS 4 // FAN^LEVELS parts

// Members of a branch whose sums are on their way from L2 at a time: as registers allow. Where all of a branch are, missing ones are
// skipped one by one: a loop over those that are there would wait for each of its last ones.
enum { AT_ONCE = ELEMENTS <= 8 ? FAN : ELEMENTS <= 32 ? 2 : 1 };

// Element by element, each a row of threads: four at a time would fix the accumulators' registers to quads, in the banks of b's
// quads, and every FFMA would wait for the register file (build/sass lint shows it).
static __device__ float partial[SLOTS][ELEMENTS][THREADS];
static __device__ unsigned arrived[LEVELS][SLOTS]; // zero between launches

// True in the last of `count` blocks to call it for this counter. What they wrote before is visible to it then: the barriers order the
// block's writes before thread 0's release, and its acquire before what the block reads. (__threadfence() would wait for more: it
// orders the whole of memory, for every thread of the block.)
static __device__ bool is_last(unsigned *counter, unsigned count) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" // count - 1 is followed by 0
                     : "=r"(before)
                     : "l"(counter), "r"(count - 1)
                     : "memory");
        last = before == count - 1;
    }
    __syncthreads();
    return last;
}

// acc becomes the sum over `parts` parts of a tile, whose slots are `tiles` apart. False in the blocks that are done.
static __device__ __forceinline__ bool sum_parts(float *acc, unsigned tile, unsigned tiles, unsigned part,
                                                 unsigned parts) {
    unsigned stride = 1;
    for (int level = 0; stride < parts; level++, stride *= FAN) {
        unsigned first = part / (stride * FAN) * (stride * FAN);
        unsigned members = min((parts - first + stride - 1) / stride, FAN);
        float *slot = &partial[tile + part * tiles][0][threadIdx.x];
#pragma unroll
        for (int i = 0; i < ELEMENTS; i++) slot[i * THREADS] = acc[i];
        if (!is_last(&arrived[level][tile + first * tiles], members)) return false;
#pragma unroll
        for (int i = 0; i < ELEMENTS; i++) acc[i] = 0.0f;
#pragma unroll AT_ONCE
        for (unsigned member = 0; member < (AT_ONCE == FAN ? FAN : members); member++) {
            const float *from = &partial[tile + (first + member * stride) * tiles][0][threadIdx.x];
#pragma unroll
            for (int i = 0; i < ELEMENTS; i++) // from L2: L1 may be stale
                acc[i] += member < members ? __ldcg(&from[i * THREADS]) : 0.0f;
        }
        part = first;
    }
    return true;
}
#else
static __device__ bool sum_parts(float *acc, unsigned tile, unsigned tiles, unsigned part, unsigned parts) {
    return true;
}
#endif

// C = alpha * sum + beta * C for one element; with beta 0, C is not read.
static __device__ __forceinline__ void store1(float *c, float sum, float alpha, float beta) {
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// Starts a copy of `floats` floats, 1 or 4, from global to shared memory; zeros are written where `valid` is false.
static __device__ __forceinline__ void copy_async(float *to, const float *from, int floats, bool valid) {
#if __CUDA_ARCH__ >= 800
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    int bytes = valid ? 4 * floats : 0;
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes));
#else // no cp.async yet: through registers
    for (int i = 0; i < floats; i++) to[i] = valid ? from[i] : 0.0f;
#endif
}

// --- kernels of a form of their own ---------------------------------------------------------------------------------------------
// A block of these finds its tile and its part of K as the tiles below do.
#if defined THIN
#include "thin.h"
#elif defined NARROW
#include "narrow.h"
#elif defined SLIM
#include "slim.h"
#elif defined VECTOR
#include "vector.h"
#else

// --- a tile of C through shared memory ------------------------------------------------------------------------------------------

#define WM           (BM / WARPS_M)
#define WN           (BN / WARPS_N)
#define TM           (WM / LANES_M) // in patches of 4 x 4, ROW_STEP rows and COL_STEP columns apart
#define TN           (WN / LANES_N)
#define ROW_STEP     (LANES_M * 4)
#define COL_STEP     (LANES_N * 4)
#define AS_STRIDE    (BM + 4) // A is copied float by float, 8 k's of 4 rows a warp: banks 4 k + row, none twice
#define STAGE_FLOATS (BK * AS_STRIDE + BK * BN) // a stage: As (BK, BM) in rows of AS_STRIDE, then Bs (BK, BN)
// The copies of a tile are spread over several k's from COPY_K on, PARTS_A_K
// floats of A a thread and a share of B in each.
#define COPY_PARTS   (BM * BK / THREADS)
#define PARTS_A_K    (COPY_PARTS > 4 ? 2 : 1) // the last k is for the wait

// A barrier of the block that its warps may reach at different places of the code: idle warps wait in a loop of their own.
// __syncthreads() must be the same one for all (compute-sanitizer's synccheck asks for that); PTX's barrier.sync, without
// .aligned, need not be. The barrier itself costs the same.
static __device__ __forceinline__ void block_barrier(void) {
    asm volatile("barrier.sync 0;" ::: "memory");
}

// A thread's share of the copies: where it reads in global memory and where it writes within a stage.
struct copier {
    const float *a[COPY_PARTS]; // an element of every (THREADS / BK)th row of the tile of A
    const float *b;             // `b_width` neighbours in every b_rows-th row of the tile of B
    int ldb, b_width, b_rows;
    bool b_inside;  // its columns are columns of B
    int a_k, b_k;   // k of the elements within the tile; b_k of the first one
    int a_to, b_to; // offset within a stage of the first one
};

// Rows outside A are read from its last one: what they add to is never stored. Columns outside B are not read at all:
// lanes that copy from one address are served one after the other. One by one, neighbours of a row of B go to LANES_N lanes in
// turn, four columns each: so the lanes store neighbours, too.
static __device__ __forceinline__ struct copier start_copies(const float *A, int lda, const float *B, int ldb, int M,
                                                             int N, int block_row, int block_col, int b_width) {
    struct copier c;
    int a_row = threadIdx.x / BK, b_col = threadIdx.x % (BN / b_width) * b_width, in_patch = b_col % COL_STEP;
    int place = b_width == 4 ? b_col : b_col - in_patch + in_patch % LANES_N * 4 + in_patch / LANES_N;
    c.a_k = threadIdx.x % BK;
    c.a_to = c.a_k * AS_STRIDE + a_row;
    for (int i = 0; i < COPY_PARTS; i++)
        c.a[i] = &A[(size_t)min(block_row + a_row + i * (THREADS / BK), M - 1) * lda + c.a_k];
    c.ldb = ldb;
    c.b_width = b_width;
    c.b_rows = THREADS / (BN / b_width);
    c.b_inside = block_col + b_col < N;
    c.b_k = threadIdx.x / (BN / b_width);
    c.b_to = BK * AS_STRIDE + c.b_k * BN + place;
    c.b = &B[(size_t)c.b_k * ldb + min(block_col + b_col, N - b_width)];
    return c;
}

// Copies the first tile, `depth` k's of it, to `stage`; the other k's become zeros.
static __device__ __forceinline__ void copy_first_tile(struct copier *c, float *stage, int depth) {
    for (int i = 0; i < COPY_PARTS; i++) {
        copy_async(&stage[c->a_to + i * (THREADS / BK)], c->a[i], 1, c->a_k < depth);
        c->a[i] += depth;
    }
    for (int k = 0; k < BK; k += c->b_rows)
        copy_async(&stage[c->b_to + k * BN], c->b + (size_t)k * c->ldb, c->b_width, c->b_inside && c->b_k + k < depth);
    c->b += (size_t)depth * c->ldb;
}

// Copies one of the COPY_PARTS parts of the next tile to `stage`; zeros if there are no `more` tiles.
static __device__ __forceinline__ void copy_part(struct copier *c, float *stage, int part, bool more) {
    copy_async(&stage[c->a_to + part * (THREADS / BK)], c->a[part], 1, more);
    c->a[part] += BK;
    int b_copies = BK / c->b_rows < COPY_PARTS ? 1 : BK / c->b_rows / COPY_PARTS; // in this part
#pragma unroll
    for (int i = part * b_copies; i < (part + 1) * b_copies; i++) {
        if (i * c->b_rows < BK) {
            copy_async(&stage[c->b_to + i * c->b_rows * BN], c->b, c->b_width, c->b_inside && more);
            c->b += (size_t)c->b_rows * c->ldb;
        }
    }
}

// Loads a thread's rows and columns of one k.
static __device__ __forceinline__ void load_fragments(float a_frag[TM], float b_frag[TN], const float *as,
                                                      const float *bs) {
#pragma unroll
    for (int i = 0; i < TM / 4; i++) *(float4 *)&a_frag[i * 4] = *(const float4 *)&as[i * ROW_STEP];
#pragma unroll
    for (int j = 0; j < TN / 4; j++) *(float4 *)&b_frag[j * 4] = *(const float4 *)&bs[j * COL_STEP];
}

// acc += the products of the thread's rows of A and columns of B, summed over `tiles` tiles along K,
// the first of which is `first_depth` deep. An idle warp only copies.
static __device__ __forceinline__ void multiply(float acc[TM][TN], float *shared, struct copier copier, int tiles,
                                                int first_depth, int thread_row, int thread_col, bool idle) {
    copy_first_tile(&copier, shared, first_depth);
    __pipeline_commit();
    for (int stage = 1; stage < STAGES - 1; stage++) {
#pragma unroll
        for (int part = 0; part < COPY_PARTS; part++)
            copy_part(&copier, shared + stage * STAGE_FLOATS, part, stage < tiles);
        __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES - 2);
    block_barrier();

    int read_stage = 0, write_stage = STAGES - 1;
    if (idle) {
        for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
            for (int part = 0; part < COPY_PARTS; part++)
                copy_part(&copier, shared + write_stage * STAGE_FLOATS, part, tile + STAGES - 1 < tiles);
            __pipeline_commit();
            write_stage = write_stage + 1 < STAGES ? write_stage + 1 : 0;
            __pipeline_wait_prior(STAGES - 2);
            block_barrier();
        }
        return;
    }

    float a_frag[2][TM], b_frag[2][TN];
    const float *as = shared + thread_row, *bs = shared + BK * AS_STRIDE + thread_col; // within the stage being read
    load_fragments(a_frag[0], b_frag[0], as, bs);

#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k == BK - 1) { // this tile's fragments are all in registers: on to the next tile
                __pipeline_wait_prior(STAGES - 2);
                block_barrier();
                read_stage = read_stage + 1 < STAGES ? read_stage + 1 : 0;
                as = shared + read_stage * STAGE_FLOATS + thread_row;
                bs = shared + read_stage * STAGE_FLOATS + BK * AS_STRIDE + thread_col;
            }
            int next = (k + 1) % BK;
            load_fragments(a_frag[next % 2], b_frag[next % 2], as + next * AS_STRIDE, bs + next * BN);

            // All warps left write_stage at the last barrier: it takes the tile STAGES - 1 ahead.
            for (int part = (k - COPY_K) * PARTS_A_K; part < (k - COPY_K + 1) * PARTS_A_K; part++)
                if (part >= 0 && part < COPY_PARTS)
                    copy_part(&copier, shared + write_stage * STAGE_FLOATS, part, tile + STAGES - 1 < tiles);
            if (k == COPY_K + COPY_PARTS / PARTS_A_K - 1) {
                __pipeline_commit();
                write_stage = write_stage + 1 < STAGES ? write_stage + 1 : 0;
            }
            // Back and forth along the rows, so that at each turn one operand stays.
#pragma unroll
            for (int i = 0; i < TM; i++) {
#pragma unroll
                for (int step = 0; step < TN; step++) {
                    int j = i % 2 ? TN - 1 - step : step;
                    acc[i][j] += a_frag[k % 2][i] * b_frag[k % 2][j];
                }
            }
        }
    }
}

// Four columns of a row of C, `apart` columns apart, of which the first `cols` columns are inside. At 1 apart all four are, and
// 16-byte aligned.
static __device__ __forceinline__ void load_apart(float v[4], const float *c, int cols, int apart) {
    if (apart == 1) {
        *(float4 *)v = *(const float4 *)c;
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++) v[j] = j * apart < cols ? c[j * apart] : 0.0f;
}

static __device__ __forceinline__ void store_apart(float *c, const float v[4], int cols, int apart) {
    if (apart == 1) {
        *(float4 *)c = {v[0], v[1], v[2], v[3]};
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (j * apart < cols) c[j * apart] = v[j];
}

// C = alpha * acc + beta * C for the thread's elements, from `c` on, of which the first `rows` rows and `cols` columns are inside; with
// beta 0, C is not read. Four columns of a patch are `apart` columns apart.
static __device__ __forceinline__ void store_tile(float *c, int ldc, const float acc[TM][TN], float alpha, float beta,
                                                  int rows, int cols, int apart) {
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            if (i / 4 * ROW_STEP + i % 4 >= rows || j / 4 * COL_STEP >= cols) continue;
            float v[4] = {alpha * acc[i][j], alpha * acc[i][j + 1], alpha * acc[i][j + 2], alpha * acc[i][j + 3]};
            if (beta != 0.0f) {
                float old[4];
                load_apart(old, c + j / 4 * COL_STEP, cols - j / 4 * COL_STEP, apart);
#pragma unroll
                for (int e = 0; e < 4; e++) v[e] += beta * old[e];
            }
            store_apart(c + j / 4 * COL_STEP, v, cols - j / 4 * COL_STEP, apart);
        }
        c += (size_t)(i % 4 < 3 ? 1 : ROW_STEP - 3) * ldc;
    }
}

struct share {
    int first_k, tiles, first_depth; // tiles along K
};

// The part of K of one of `parts` blocks. The tile that may be less than BK deep is the first of all, so that the loop need
// not ask.
static __device__ struct share share_of(int K, unsigned part, unsigned parts) {
    int tiles = K / BK + (K % BK > 0), depth = K - (tiles - 1) * BK;
    int begin = begin_of(tiles, part, parts), end = begin_of(tiles, part + 1, parts);
    return {begin == 0 ? 0 : depth + (begin - 1) * BK, end - begin, begin == 0 ? depth : BK};
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    extern __shared__ __align__(128) float shared[]; // STAGES stages

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN, tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    struct share share = share_of(K, part, parts);
    int block_row = tile.row * BM, block_col = tile.col * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // A warp runs on scheduler warp % 4. Each row of warps starts one column further, so that at the edges of C, where
    // only one row or one column of warps has work, those warps do not share a scheduler.
    int warp_row = warp / WARPS_N * WM, warp_col = (warp + warp / WARPS_N * (WARPS_N - 1)) % WARPS_N * WN;
    // Z-order: eight neighbouring lanes read two quads of one side and four of the other.
    int of_4 = lane / 16 * 2 + lane % 2, of_8 = lane % 16 / 2;
    int lane_m = LANES_M == 4 ? of_4 : of_8, lane_n = LANES_M == 4 ? of_8 : of_4;
    int thread_row = warp_row + lane_m * 4, thread_col = warp_col + lane_n * 4; // of its fragments, in the block tile
    bool idle = block_row + warp_row >= M || block_col + warp_col >= N;         // the whole warp tile lies outside C

    float acc[TM][TN] = {};
    const float *a = A + share.first_k, *b = B + (size_t)share.first_k * ldb;
    bool aligned = aligned16(B, ldb) && aligned16(C, ldc) && N % 4 == 0;
    if (share.tiles > 0 && aligned)
        multiply(acc, shared, start_copies(a, lda, b, ldb, M, N, block_row, block_col, 4), share.tiles,
                 share.first_depth, thread_row, thread_col, idle);
    else if (share.tiles > 0)
        multiply(acc, shared, start_copies(a, lda, b, ldb, M, N, block_row, block_col, 1), share.tiles,
                 share.first_depth, thread_row, thread_col, idle);
    if (!sum_parts(acc[0], at, tiles, part, parts)) return;

    int row = block_row + thread_row, col = block_col + (aligned ? thread_col : warp_col + lane_n);
    float *c = &C[(size_t)row * ldc + col];
    if (aligned && beta == 0.0f)
        store_tile(c, ldc, acc, alpha, 0.0f, M - row, N - col, 1);
    else if (aligned)
        store_tile(c, ldc, acc, alpha, beta, M - row, N - col, 1);
    else if (beta == 0.0f)
        store_tile(c, ldc, acc, alpha, 0.0f, M - row, N - col, LANES_N);
    else
        store_tile(c, ldc, acc, alpha, beta, M - row, N - col, LANES_N);
}

#endif
#endif
