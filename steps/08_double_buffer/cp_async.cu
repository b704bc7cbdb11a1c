// Step 08, cp.async: tiles are copied to shared memory asynchronously,
// into a ring of STAGES buffers.
//
//   -DBM -DBN -DWARPS_N   block tile, and how many of its 8 warps stand side by side along N
//   -DCOPY_K -DMIN_BLOCKS first k of a tile at which threads start copies; blocks per SM
//
// Tiles are 8 deep. A block has 8 warps, whose lanes are in the z-order of step 07.

#include <cuda_pipeline.h> // groups of cp.async: __pipeline_commit(), __pipeline_wait_prior()

#define BK      8
#define THREADS 256
#define LANES_M 4
#define LANES_N 8

static __device__ bool aligned16(const float *matrix, int ld); // defined at the end of the file
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned);
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned);

#define WARPS_M  (THREADS / 32 / WARPS_N)
#define WM       (BM / WARPS_M)
#define WN       (BN / WARPS_N)
#define TM       (WM / LANES_M) // 4 x 4 patches, ROW_STEP rows and COL_STEP columns apart
#define TN       (WN / LANES_N)
#define ROW_STEP (LANES_M * 4)
#define COL_STEP (LANES_N * 4)
// A warp copies 8 k's of 4 rows of A, float by float, to the banks 4 * k + row, all different.
#define AS_STRIDE (BM + 4)
// A stage holds As (BK, BM) in rows of AS_STRIDE floats, then Bs (BK, BN).
#define STAGE_FLOATS (BK * AS_STRIDE + BK * BN)
// The copies of a tile are spread over several k's from COPY_K on. At each k, a thread copies one
// float of A and a share of B.
#define COPY_PARTS (BM * BK / THREADS)

// Starts a copy of `floats` floats (1 or 4) from global to shared memory.
// Writes zeros if not `valid`.
static __device__ __forceinline__ void copy_async(float *to, const float *from, int floats,
                                                  bool valid) {
#if __CUDA_ARCH__ >= 800
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    int bytes = valid ? 4 * floats : 0;
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
#else // no cp.async before sm_80: copies through registers
    for (int i = 0; i < floats; i++) to[i] = valid ? from[i] : 0.0f;
#endif
}

// A barrier of the block. Warps may reach it at different instructions: idle warps wait in a loop
// of their own. __syncthreads() requires that all warps execute the same instruction (else
// compute-sanitizer's synccheck reports it); PTX's barrier.sync without .aligned does not. Both
// take equally long.
static __device__ __forceinline__ void block_barrier(void) {
    asm volatile("barrier.sync 0;" ::: "memory");
}

// A thread's share of the copies.
struct copier {
    const float *a[COPY_PARTS]; // sources: one element of every 32nd row of A's tile
    const float *b;             // source: `b_width` neighbours of every b_rows-th row of B's tile
    int ldb, b_width, b_rows;
    bool b_inside;  // true if the thread's columns lie inside B
    int a_k, b_k;   // k within the tile: of the thread's elements of A, of its first row of B
    int a_to, b_to; // offsets of the thread's first elements within a stage
};

// Returns the thread's share of the copies. Rows outside A are replaced by its last row: their sums
// are never stored. Columns outside B are not read, as copies of several lanes from one address are
// serialised.
static __device__ __forceinline__ struct copier start_copies(const float *A, int lda,
                                                             const float *B, int ldb, int M, int N,
                                                             int block_row, int block_col,
                                                             int b_width) {
    struct copier c;
    int a_row = threadIdx.x / BK, b_col = threadIdx.x % (BN / b_width) * b_width;
    c.a_k = threadIdx.x % BK;
    c.a_to = c.a_k * AS_STRIDE + a_row;
    for (int i = 0; i < COPY_PARTS; i++)
        c.a[i] = &A[(size_t)min(block_row + a_row + i * (THREADS / BK), M - 1) * lda + c.a_k];
    c.ldb = ldb;
    c.b_width = b_width;
    c.b_rows = THREADS / (BN / b_width);
    c.b_inside = block_col + b_col < N;
    c.b_k = threadIdx.x / (BN / b_width);
    c.b_to = BK * AS_STRIDE + c.b_k * BN + b_col;
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

// Copies one of the COPY_PARTS parts of the next tile to `stage`. Writes zeros if `more` is false,
// because there is no next tile.
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

// acc += A B for the thread's rows and columns. An idle warp only copies.
static __device__ __forceinline__ void multiply(float acc[TM][TN], float *shared,
                                                struct copier copier, int K, int thread_row,
                                                int thread_col, bool idle) {
    // Only the first tile may be less than BK deep, so that the loop need not check.
    int tiles = (K + BK - 1) / BK;
    copy_first_tile(&copier, shared, K - (tiles - 1) * BK);
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
            if (k >= COPY_K && k < COPY_K + COPY_PARTS)
                copy_part(&copier, shared + write_stage * STAGE_FLOATS, k - COPY_K,
                          tile + STAGES - 1 < tiles);
            if (k == COPY_K + COPY_PARTS - 1) {
                __pipeline_commit();
                write_stage = write_stage + 1 < STAGES ? write_stage + 1 : 0;
            }
            // Rows are traversed in alternating directions, so that consecutive FFMAs share an
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

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_double_buffer(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                        int ldb, float beta, float *C, int ldc) {
    extern __shared__ __align__(16) float shared[]; // the ring of STAGES stages

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // A warp runs on scheduler warp % 4. Each row of warps starts one column further. So where only
    // one column of warps lies inside C, two rows of four warps use two schedulers instead of one.
    int warp_row = warp / WARPS_N * WM,
        warp_col = (warp + warp / WARPS_N * (WARPS_N - 1)) % WARPS_N * WN;
    int thread_row = warp_row + (lane / 16 * 2 + lane % 2) * 4; // first row in the block tile
    int thread_col = warp_col + lane % 16 / 2 * 4;
    // A warp is idle if its tile lies outside C.
    bool idle = block_row + warp_row >= M || block_col + warp_col >= N;

    float acc[TM][TN] = {};
    if (K > 0 && aligned16(B, ldb) && N % 4 == 0)
        multiply(acc, shared, start_copies(A, lda, B, ldb, M, N, block_row, block_col, 4), K,
                 thread_row, thread_col, idle);
    else if (K > 0)
        multiply(acc, shared, start_copies(A, lda, B, ldb, M, N, block_row, block_col, 1), K,
                 thread_row, thread_col, idle);

    bool c_aligned = aligned16(C, ldc);
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN / 4; j++)
            store4(C, ldc, M, N, block_row + thread_row + i / 4 * ROW_STEP + i % 4,
                   block_col + thread_col + j * COL_STEP, &acc[i][j * 4], alpha, beta, c_aligned);
}

// --- borders, identical in steps 05 to 09: zeros outside, 128-bit accesses where aligned ---------

// Returns true if every row of the matrix starts at a 16-byte aligned address.
static __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}

// Returns elements `col` to `col` + 3 of row `row` of a (rows, cols) matrix.
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned) {
    float4 v = {};
    if (row >= rows) return v;
    const float *p = &matrix[(size_t)row * ld + col];
    if (aligned && col < cols - 3) return *(const float4 *)p;
    if (col < cols) v.x = p[0];
    if (col < cols - 1) v.y = p[1];
    if (col < cols - 2) v.z = p[2];
    if (col < cols - 3) v.w = p[3];
    return v;
}

// C = alpha * acc + beta * C for four elements of row `row`. Does not read C if beta is 0.
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned) {
    if (row >= M) return;
    float *c = &C[(size_t)row * ldc + col];
    float4 v = beta == 0.0f ? float4{} : load4(C, ldc, M, N, row, col, aligned);
    v = {alpha * acc[0] + beta * v.x, alpha * acc[1] + beta * v.y, alpha * acc[2] + beta * v.z,
         alpha * acc[3] + beta * v.w};
    if (aligned && col < N - 3) {
        *(float4 *)c = v;
        return;
    }
    if (col < N) c[0] = v.x;
    if (col < N - 1) c[1] = v.y;
    if (col < N - 2) c[2] = v.z;
    if (col < N - 3) c[3] = v.w;
}
