// Step 10, block order: which block computes what. It is the kernel of step 08 (cp.async, z-order
// lanes); the block's number determines its tile (orders.h) and its part of K (parts.h).
//
//   -DRASTER                          the order in which blocks take the tiles of C: orders.h
//   -DBM -DBN -DWARPS_M -DWARPS_N     block tile and its warps
//   -DLANES_M=n                       rows of lanes in a warp, 4 or 8; default: 4
//   -DSTAGES -DCOPY_K -DMIN_BLOCKS    as in step 08
//   -DSLOTS=n                         workspace for the partial sums of n blocks: parts.h
//
// The launch is one row of blocks; their number is a multiple of the number of tiles of C. If a
// tile has several blocks, each sums over its part of K.
#include "block.h"
#include "orders.h"
#include "parts.h"

#ifndef LANES_M
#define LANES_M 4
#endif

#define BK      8
#define LANES_N (32 / LANES_M)

// --- a tile of C through shared memory -----------------------------------------------------------

#define WM       (BM / WARPS_M)
#define WN       (BN / WARPS_N)
#define TM       (WM / LANES_M) // 4 x 4 patches, ROW_STEP rows and COL_STEP columns apart
#define TN       (WN / LANES_N)
#define ROW_STEP (LANES_M * 4)
#define COL_STEP (LANES_N * 4)
// A warp copies 8 k's of 4 rows of A, float by float. With this stride they go to the banks
// 4 * k + row, which are all different.
#define AS_STRIDE (BM + 4)
// A stage holds As (BK, BM) in rows of AS_STRIDE floats, then Bs (BK, BN).
#define STAGE_FLOATS (BK * AS_STRIDE + BK * BN)
// The copies of a tile are spread over several k's from COPY_K on. At each k, a thread copies
// PARTS_A_K floats of A and a share of B.
#define COPY_PARTS (BM * BK / THREADS)
#define PARTS_A_K  (COPY_PARTS > 4 ? 2 : 1) // copies end before the last k, which waits

// A barrier of the block. Warps may reach it at different instructions: idle warps wait in a loop
// of their own. __syncthreads() requires that all warps execute the same instruction (else
// compute-sanitizer's synccheck reports it); PTX's barrier.sync without .aligned does not. Both
// take equally long.
static __device__ __forceinline__ void block_barrier(void) {
    asm volatile("barrier.sync 0;" ::: "memory");
}

// A thread's share of the copies.
struct copier {
    const float *a[COPY_PARTS]; // sources: an element of every (THREADS / BK)th row of A's tile
    const float *b;             // source: `b_width` neighbours of every b_rows-th row of B's tile
    int ldb, b_width, b_rows;
    bool b_inside;  // true if the thread's columns lie inside B
    int a_k, b_k;   // k within the tile: of the thread's elements of A, of its first row of B
    int a_to, b_to; // offsets of the thread's first elements within a stage
};

// Returns the thread's share of the copies. Rows outside A are replaced by its last row: their sums
// are never stored. Columns outside B are not read, because copies of several lanes from one
// address are serialised. If b_width is 1, the four columns of a lane lie LANES_N apart in B, so
// that neighbouring lanes store neighbours of C.
static __device__ __forceinline__ struct copier start_copies(const float *A, int lda,
                                                             const float *B, int ldb, int M, int N,
                                                             int block_row, int block_col,
                                                             int b_width) {
    struct copier c;
    int a_row = threadIdx.x / BK, b_col = threadIdx.x % (BN / b_width) * b_width,
        in_patch = b_col % COL_STEP;
    int place =
        b_width == 4 ? b_col : b_col - in_patch + in_patch % LANES_N * 4 + in_patch / LANES_N;
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

// Copies the first `depth` k's of the first tile to `stage`. The other k's become zeros.
static __device__ __forceinline__ void copy_first_tile(struct copier *c, float *stage, int depth) {
    for (int i = 0; i < COPY_PARTS; i++) {
        copy_async(&stage[c->a_to + i * (THREADS / BK)], c->a[i], 1, c->a_k < depth);
        c->a[i] += depth;
    }
    for (int k = 0; k < BK; k += c->b_rows)
        copy_async(&stage[c->b_to + k * BN], c->b + (size_t)k * c->ldb, c->b_width,
                   c->b_inside && c->b_k + k < depth);
    c->b += (size_t)depth * c->ldb;
}

// Copies one of the COPY_PARTS parts of the next tile to `stage`.
// Writes zeros if `more` is false, because there is no next tile.
static __device__ __forceinline__ void copy_part(struct copier *c, float *stage, int part,
                                                 bool more) {
    copy_async(&stage[c->a_to + part * (THREADS / BK)], c->a[part], 1, more);
    c->a[part] += BK;
    // number of copies of B in this part
    int b_copies = BK / c->b_rows < COPY_PARTS ? 1 : BK / c->b_rows / COPY_PARTS;
#pragma unroll
    for (int i = part * b_copies; i < (part + 1) * b_copies; i++) {
        if (i * c->b_rows < BK) {
            copy_async(&stage[c->b_to + i * c->b_rows * BN], c->b, c->b_width, c->b_inside && more);
            c->b += (size_t)c->b_rows * c->ldb;
        }
    }
}

// Loads the thread's rows of A and columns of B for one k.
static __device__ __forceinline__ void load_fragments(float a_frag[TM], float b_frag[TN],
                                                      const float *as, const float *bs) {
#pragma unroll
    for (int i = 0; i < TM / 4; i++) *(float4 *)&a_frag[i * 4] = *(const float4 *)&as[i * ROW_STEP];
#pragma unroll
    for (int j = 0; j < TN / 4; j++) *(float4 *)&b_frag[j * 4] = *(const float4 *)&bs[j * COL_STEP];
}

// acc += A B for the thread's rows and columns, over `tiles` tiles along K, the first of which is
// `first_depth` deep. An idle warp only copies.
static __device__ __forceinline__ void multiply(float acc[TM][TN], float *shared,
                                                struct copier copier, int tiles, int first_depth,
                                                int thread_row, int thread_col, bool idle) {
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
                copy_part(&copier, shared + write_stage * STAGE_FLOATS, part,
                          tile + STAGES - 1 < tiles);
            __pipeline_commit();
            write_stage = write_stage + 1 < STAGES ? write_stage + 1 : 0;
            __pipeline_wait_prior(STAGES - 2);
            block_barrier();
        }
        return;
    }

    float a_frag[2][TM], b_frag[2][TN];
    // Addresses of the thread's rows of A and columns of B in the stage that is read.
    const float *as = shared + thread_row, *bs = shared + BK * AS_STRIDE + thread_col;
    load_fragments(a_frag[0], b_frag[0], as, bs);

#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
        for (int k = 0; k < BK; k++) {
            // all fragments of this tile are in registers: go on with the next tile
            if (k == BK - 1) {
                __pipeline_wait_prior(STAGES - 2);
                block_barrier();
                read_stage = read_stage + 1 < STAGES ? read_stage + 1 : 0;
                as = shared + read_stage * STAGE_FLOATS + thread_row;
                bs = shared + read_stage * STAGE_FLOATS + BK * AS_STRIDE + thread_col;
            }
            int next = (k + 1) % BK;
            load_fragments(a_frag[next % 2], b_frag[next % 2], as + next * AS_STRIDE,
                           bs + next * BN);

            // All warps finished reading write_stage before the last barrier, so it may receive the
            // tile that is STAGES - 1 tiles ahead.
            for (int part = (k - COPY_K) * PARTS_A_K; part < (k - COPY_K + 1) * PARTS_A_K; part++)
                if (part >= 0 && part < COPY_PARTS)
                    copy_part(&copier, shared + write_stage * STAGE_FLOATS, part,
                              tile + STAGES - 1 < tiles);
            if (k == COPY_K + COPY_PARTS / PARTS_A_K - 1) {
                __pipeline_commit();
                write_stage = write_stage + 1 < STAGES ? write_stage + 1 : 0;
            }
            // Rows are traversed in alternating directions, so that neighbouring FFMAs share an
            // operand.
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

// Sets v to four elements of a row of C, `apart` columns apart. C has `cols` columns from c[0] on;
// elements beyond are 0. If `apart` is 1, requires that C has all four, 16-byte aligned.
static __device__ __forceinline__ void load_apart(float v[4], const float *c, int cols, int apart) {
    if (apart == 1) {
        *(float4 *)v = *(const float4 *)c;
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++) v[j] = j * apart < cols ? c[j * apart] : 0.0f;
}

static __device__ __forceinline__ void store_apart(float *c, const float v[4], int cols,
                                                   int apart) {
    if (apart == 1) {
        *(float4 *)c = {v[0], v[1], v[2], v[3]};
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (j * apart < cols) c[j * apart] = v[j];
}

// Sets C to alpha * acc + beta * C for the thread's elements from `c` on, where C has `rows` rows
// and `cols` columns left. Does not read C if beta is 0. The four columns of a patch are `apart`
// columns apart.
static __device__ __forceinline__ void store_tile(float *c, int ldc, const float acc[TM][TN],
                                                  float alpha, float beta, int rows, int cols,
                                                  int apart) {
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            if (i / 4 * ROW_STEP + i % 4 >= rows || j / 4 * COL_STEP >= cols) continue;
            float v[4] = {alpha * acc[i][j], alpha * acc[i][j + 1], alpha * acc[i][j + 2],
                          alpha * acc[i][j + 3]};
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

// A block's part of K, in tiles.
struct share {
    int first_k, tiles;
    int first_depth; // k's in the first tile; the others have BK
};

// Returns the part of K of one of `parts` blocks. Only the first tile of K may have less than BK
// k's, so that the loop need not check.
static __device__ struct share share_of(int K, unsigned part, unsigned parts) {
    int tiles = K / BK + (K % BK > 0), depth = K - (tiles - 1) * BK;
    int begin = begin_of(tiles, part, parts), end = begin_of(tiles, part + 1, parts);
    return {begin == 0 ? 0 : depth + (begin - 1) * BK, end - begin, begin == 0 ? depth : BK};
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    extern __shared__ __align__(128) float shared[]; // the ring of STAGES stages

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN,
             tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    struct share share = share_of(K, part, parts);
    int block_row = tile.row * BM, block_col = tile.col * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // A warp runs on scheduler warp % 4. Each row of warps starts one column further.
    // So where only one column of warps lies inside C, two rows of four warps use two schedulers
    // instead of one.
    int warp_row = warp / WARPS_N * WM,
        warp_col = (warp + warp / WARPS_N * (WARPS_N - 1)) % WARPS_N * WN;
    // Z-order: eight neighbouring lanes read two float4 of one operand and four of the other.
    int of_4 = lane / 16 * 2 + lane % 2, of_8 = lane % 16 / 2;
    int lane_m = LANES_M == 4 ? of_4 : of_8, lane_n = LANES_M == 4 ? of_8 : of_4;
    int thread_row = warp_row + lane_m * 4, thread_col = warp_col + lane_n * 4; // in the block tile
    // A warp is idle if its tile lies outside C.
    bool idle = block_row + warp_row >= M || block_col + warp_col >= N;

    float acc[TM][TN] = {};
    const float *a = A + share.first_k, *b = B + (size_t)share.first_k * ldb;
    bool aligned = aligned16(B, ldb) && aligned16(C, ldc) && N % 4 == 0;
    if (share.tiles > 0 && aligned)
        multiply(acc, shared, start_copies(a, lda, b, ldb, M, N, block_row, block_col, 4),
                 share.tiles, share.first_depth, thread_row, thread_col, idle);
    else if (share.tiles > 0)
        multiply(acc, shared, start_copies(a, lda, b, ldb, M, N, block_row, block_col, 1),
                 share.tiles, share.first_depth, thread_row, thread_col, idle);
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
