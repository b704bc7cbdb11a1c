// Side lesson 11: the ladder in double precision. One kernel, whose variants differ by -D flags:
//
//   -DACCESS=1, 2      doubles per load of fragments: 64 or 128 bits
//   -DFRAGMENTS=1, 2   2: the fragments of k + 1 are loaded before the FMAs of k
//   -DSTAGES=1         one tile buffer; registers hold the next tile until it is stored
//   -DSTAGES=2 ...     a ring of tile buffers, filled by cp.async
//   -DPADDED=1         A, B and C consist of whole tiles: borders are not checked
//   -DBM -DBN -DBK     block tile
//   -DWARPS_M -DWARPS_N -DMIN_BLOCKS   warps along M and N, and blocks that must fit on an SM

#ifdef TENSOR
#include "tensor.h"
#else

#include <cuda_pipeline.h> // groups of cp.async; before sm_80 copies use registers

// A half warp stores 4 k's of 4 rows of A, double by double. With this stride the doubles go to the
// pairs of banks 4 * k + row, which are all different.
#define AS_STRIDE (BM + 4)

#define THREADS  (32 * WARPS_M * WARPS_N)
#define WM       (BM / WARPS_M) // warp tile
#define WN       (BN / WARPS_N)
#define LANES_M  4 // lanes are arranged 4 x 8 in the z-order of step 07
#define LANES_N  8
// Thread tile: patches of ACCESS x ACCESS, ROW_STEP rows and COL_STEP columns apart.
#define TM       (WM / LANES_M)
#define TN       (WN / LANES_N)
#define ROW_STEP (LANES_M * ACCESS)
#define COL_STEP (LANES_N * ACCESS)
// A stage holds As (BK, BM) in rows of AS_STRIDE, then Bs (BK, BN), in doubles.
#define STAGE    (BK * AS_STRIDE + BK * BN)
// Copies: 4 threads copy a row of A's tile, THREADS / BK threads a row of B's tile. For a row, a
// thread has one address and constant offsets. Reading more addresses from the register file would
// delay the DFMAs, which use the whole bandwidth of the register file.
#define A_LANES  4
#define A_ROWS   (THREADS / A_LANES) // a thread copies every A_ROWS-th row of A's tile
#define A_DOWN   (BM / A_ROWS)       // number of rows of A that a thread copies
#define A_ALONG  (BK / A_LANES)      // number of k's per row and thread: every 4th k
#define A_PARTS  (A_DOWN * A_ALONG)
#define B_LANES  (THREADS / BK) // a thread copies every B_LANES-th column of one row of B's tile
#define B_PARTS  (BN / B_LANES)

// A thread's share of the next tile, and how much of it is inside A and B.
struct share {
    const double *a;     // next row of A; advances down the rows of a tile, then to the next tile
    const double *b;     // row of B; advances to the next tile
    size_t a_step;       // from one of the thread's rows of A to the next, in doubles
    size_t b_step;       // from one tile of B to the next, in doubles
    int a_depth[A_DOWN]; // per row: k's of A from the thread's first on; 0 if the row is outside
    int b_depth, b_cols; // number of k's and columns of B from the thread's first on
    int b_now;           // b_cols; 0 if the thread's k in this tile is outside B
    int a_to, b_to;      // offsets of the thread's first elements within a stage
};

static __device__ __forceinline__ struct share start_share(const double *A, int lda,
                                                           const double *B, int ldb, int M, int N,
                                                           int K, int block_row, int block_col) {
    int a_k = threadIdx.x % A_LANES, a_row = threadIdx.x / A_LANES;
    int b_k = threadIdx.x / B_LANES, b_col = threadIdx.x % B_LANES;
    struct share s;
    s.a = &A[(size_t)(block_row + a_row) * lda + a_k];
    s.b = &B[(size_t)b_k * ldb + block_col + b_col];
    s.a_step = (size_t)A_ROWS * lda;
    s.b_step = (size_t)BK * ldb;
#pragma unroll
    for (int i = 0; i < A_DOWN; i++)
        s.a_depth[i] = block_row + a_row + i * A_ROWS < M ? K - a_k : 0;
    s.b_depth = K - b_k;
    s.b_cols = N - block_col - b_col;
    s.b_now = s.b_depth > 0 ? s.b_cols : 0;
    s.a_to = a_k * AS_STRIDE + a_row;
    s.b_to = BK * AS_STRIDE + b_k * BN + b_col;
    return s;
}

// These functions return true if copy number `part` of the thread reads inside the matrix. With
// PADDED, a whole tile lies inside if its first k does.
static __device__ __forceinline__ bool a_inside(const struct share *s, int part) {
    return s->a_depth[PADDED ? 0 : part / A_ALONG] > (PADDED ? 0 : part % A_ALONG * A_LANES);
}

static __device__ __forceinline__ bool b_inside(const struct share *s, int part) {
    return s->b_now > (PADDED ? 0 : part * B_LANES);
}

// Returns the address that copy `part` of A reads. Requires: calls with ascending parts.
static __device__ __forceinline__ const double *next_a(struct share *s, int part) {
    const double *from = s->a + part % A_ALONG * A_LANES;
    if (part % A_ALONG == A_ALONG - 1) s->a += s->a_step;
    return from;
}

// Returns the offset within a stage to which copy `part` of A writes.
static __device__ __forceinline__ int a_place(const struct share *s, int part) {
    return s->a_to + part % A_ALONG * A_LANES * AS_STRIDE + part / A_ALONG * A_ROWS;
}

static __device__ __forceinline__ void next_share(struct share *s) {
    s->a += BK - A_DOWN * s->a_step;
    s->b += s->b_step;
#pragma unroll
    for (int i = 0; i < A_DOWN; i++) s->a_depth[i] -= BK;
    s->b_depth -= BK;
    s->b_now = s->b_depth > 0 ? s->b_cols : 0;
}

// A barrier of the block. Warps may reach it at different instructions: idle warps wait in a loop
// of their own. __syncthreads() does not allow different instructions; PTX's barrier.sync without
// .aligned does (step 08).
static __device__ __forceinline__ void block_barrier(void) {
    asm volatile("barrier.sync 0;" ::: "memory");
}

#if STAGES == 1

struct ring {
    double a[A_PARTS], b[B_PARTS]; // the thread's share of the next tile
};

static __device__ __forceinline__ void fetch(struct ring *r, struct share *s) {
#pragma unroll
    for (int i = 0; i < A_PARTS; i++) {
        const double *from = next_a(s, i);
        r->a[i] = a_inside(s, i) ? *from : 0;
    }
#pragma unroll
    for (int i = 0; i < B_PARTS; i++) r->b[i] = b_inside(s, i) ? s->b[i * B_LANES] : 0;
    next_share(s);
}

static __device__ __forceinline__ void start_ring(struct ring *r, struct share *s, double *shared) {
    fetch(r, s);
}

// Stores the tile from the registers to shared memory, and starts the loads of the tile after it.
static __device__ __forceinline__ const double *next_tile(struct ring *r, struct share *s,
                                                          double *shared) {
    block_barrier(); // all warps have read the previous tile
#pragma unroll
    for (int i = 0; i < A_PARTS; i++) shared[a_place(s, i)] = r->a[i];
#pragma unroll
    for (int i = 0; i < B_PARTS; i++) shared[s->b_to + i * B_LANES] = r->b[i];
    block_barrier();
    fetch(r, s);
    return shared;
}

static __device__ __forceinline__ void copy_at(int k, struct ring *r, struct share *s,
                                               double *shared) {
}

#else // STAGES

struct ring {
    int read, write; // stage that is read, next stage to be filled
};

// Starts the copy of one double from global to shared memory. Writes 0 if it is not inside.
static __device__ __forceinline__ void copy_async(double *to, const double *from, bool inside) {
#if __CUDA_ARCH__ >= 800
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from),
                 "r"(inside ? 8 : 0));
#else
    *to = inside ? *from : 0;
#endif
}

// Starts part k of BK - 1 parts of the copies of a tile. A negative k starts all of them.
static __device__ __forceinline__ void copy_at(int k, struct ring *r, struct share *s,
                                               double *shared) {
    double *stage = shared + r->write * STAGE;
#pragma unroll
    for (int i = 0; i < A_PARTS; i++)
        if (k < 0 || i * (BK - 1) / A_PARTS == k)
            copy_async(&stage[a_place(s, i)], next_a(s, i), a_inside(s, i));
#pragma unroll
    for (int i = 0; i < B_PARTS; i++)
        if (k < 0 || i * (BK - 1) / B_PARTS == k)
            copy_async(&stage[s->b_to + i * B_LANES], s->b + i * B_LANES, b_inside(s, i));
    if (k >= 0 && k < BK - 2) return;
    __pipeline_commit();
    next_share(s);
    r->write = r->write + 1 < STAGES ? r->write + 1 : 0;
}

static __device__ __forceinline__ void start_ring(struct ring *r, struct share *s, double *shared) {
    r->read = -1;
    r->write = 0;
    for (int stage = 0; stage < STAGES - 1; stage++) copy_at(-1, r, s, shared);
}

// Waits for the next tile and returns its address. Ensures that every warp has read the previous
// tile, whose buffer may then be filled.
static __device__ __forceinline__ const double *next_tile(struct ring *r, struct share *s,
                                                          double *shared) {
    __pipeline_wait_prior(STAGES - 2);
    block_barrier();
    r->read = r->read + 1 < STAGES ? r->read + 1 : 0;
    return shared + r->read * STAGE;
}

#endif // STAGES

// Loads the thread's rows of A and columns of B for one k.
static __device__ __forceinline__ void load_fragments(double a_frag[TM], double b_frag[TN],
                                                      const double *as, const double *bs) {
#if ACCESS == 2
#pragma unroll
    for (int i = 0; i < TM / 2; i++)
        *(double2 *)&a_frag[i * 2] = *(const double2 *)&as[i * ROW_STEP];
#pragma unroll
    for (int j = 0; j < TN / 2; j++)
        *(double2 *)&b_frag[j * 2] = *(const double2 *)&bs[j * COL_STEP];
#else
#pragma unroll
    for (int i = 0; i < TM; i++) a_frag[i] = as[i * ROW_STEP];
#pragma unroll
    for (int j = 0; j < TN; j++) b_frag[j] = bs[j * COL_STEP];
#endif
}

// acc += A B for the thread's rows and columns. An idle warp only copies.
static __device__ __forceinline__ void multiply(double acc[TM][TN], double *shared,
                                                struct share share, int K, int thread_row,
                                                int thread_col, bool idle) {
    int tiles = (K + BK - 1) / BK;
    struct ring ring;
    start_ring(&ring, &share, shared);
    if (idle) {
        if (FRAGMENTS == 2) next_tile(&ring, &share, shared);
        for (int tile = 0; tile < tiles; tile++) {
            if (FRAGMENTS == 1) next_tile(&ring, &share, shared);
            copy_at(-1, &ring, &share, shared);
            if (FRAGMENTS == 2) next_tile(&ring, &share, shared);
        }
        return;
    }

    double a_frag[FRAGMENTS][TM], b_frag[FRAGMENTS][TN];
    const double *tile_at = shared; // the stage that is read
    if (FRAGMENTS == 2) {
        tile_at = next_tile(&ring, &share, shared);
        load_fragments(a_frag[0], b_frag[0], tile_at + thread_row,
                       tile_at + BK * AS_STRIDE + thread_col);
    }
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
        for (int k = 0; k < BK; k++) {
            // With two fragment buffers the first loads of the next tile precede the last k's FMAs,
            // which hide their latency.
            if (k == (FRAGMENTS == 2 ? BK - 1 : 0)) tile_at = next_tile(&ring, &share, shared);
            int load_k = (k + FRAGMENTS - 1) % BK;
            load_fragments(a_frag[load_k % FRAGMENTS], b_frag[load_k % FRAGMENTS],
                           tile_at + load_k * AS_STRIDE + thread_row,
                           tile_at + BK * AS_STRIDE + load_k * BN + thread_col);
            if (k < BK - 1) copy_at(k, &ring, &share, shared);
#pragma unroll
            for (int i = 0; i < TM; i++) {
#pragma unroll
                for (int step = 0; step < TN; step++) {
                    // Alternating directions let consecutive FMAs share an operand.
                    int j = i % 2 ? TN - 1 - step : step;
                    acc[i][j] += a_frag[k % FRAGMENTS][i] * b_frag[k % FRAGMENTS][j];
                }
            }
        }
    }
}

// C = alpha * acc + beta * C for ACCESS neighbours of row `row`. Does not read C if beta is 0.
static __device__ __forceinline__ void store(double *C, int ldc, int M, int N, int row, int col,
                                             const double *acc, double alpha, double beta,
                                             bool aligned) {
    double *c = &C[(size_t)row * ldc + col];
    if (!PADDED && row >= M) return;
    if (ACCESS == 2 && (PADDED || (aligned && col + 1 < N))) {
        double2 old = {0, 0};
        if (beta != 0) old = *(double2 *)c;
        *(double2 *)c = double2{alpha * acc[0] + beta * old.x, alpha * acc[1] + beta * old.y};
        return;
    }
#if !PADDED
#pragma unroll
    for (int i = 0; i < ACCESS; i++)
        if (col + i < N) c[i] = alpha * acc[i] + (beta == 0 ? 0 : beta * c[i]);
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    dgemm_ladder(int M, int N, int K, double alpha, const double *A, int lda, const double *B,
                 int ldb, double beta, double *C, int ldc) {
    extern __shared__ __align__(16) double shared[]; // the ring of STAGES stages

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp / WARPS_N * WM, warp_col = warp % WARPS_N * WN;
    int thread_row = warp_row + (lane / 16 * 2 + lane % 2) * ACCESS; // first row in the block tile
    int thread_col = warp_col + lane % 16 / 2 * ACCESS;
    // A warp is idle if its tile lies outside C.
    bool idle = !PADDED && (block_row + warp_row >= M || block_col + warp_col >= N);

    double acc[TM][TN] = {};
    multiply(acc, shared, start_share(A, lda, B, ldb, M, N, K, block_row, block_col), K, thread_row,
             thread_col, idle);

    // true if every row of C starts at a 16-byte aligned address
    bool aligned = (size_t)C % 16 == 0 && ldc % 2 == 0;
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += ACCESS)
            store(C, ldc, M, N, block_row + thread_row + i / ACCESS * ROW_STEP + i % ACCESS,
                  block_col + thread_col + j / ACCESS * COL_STEP, &acc[i][j], alpha, beta, aligned);
}

#if PADDED

// Copies `from` (rows, cols) to `to` (to_rows, to_cols), padded with zeros.
extern "C" __global__ void __launch_bounds__(256)
    pad_matrix(int rows, int cols, const double *from, int ld_from, double *to, int ld_to,
               int to_rows, int to_cols) {
    int col = blockIdx.x * 256 + threadIdx.x;
    if (col >= to_cols) return;
    for (int row = blockIdx.y; row < to_rows; row += gridDim.y)
        to[(size_t)row * ld_to + col] =
            row < rows && col < cols ? from[(size_t)row * ld_from + col] : 0;
}

#endif

#endif // TENSOR
