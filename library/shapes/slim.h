// A kernel for 9 to 32 columns of C. A block computes BM rows and BN columns, and its warps divide
// K. A is read once, by whole sectors whatever lda is, and is stored in shared memory row by row.
//
//     A (BM, K)                                     B (K, BN)            C (BM, BN)
//
//             CHUNK k's of every row                +--+ HALO k's        +--+
//            +------+------+------+------+          |  | of the chunk    |  | every warp has sums
//     row 0  | warp | warp | warp | warp |          +--+ before          |  | of all elements over
//     row 1   +------+------+------+------+         |  | warp 0's k's    |  | its own k's
//     row 2  | 0's  | 1's  | 2's  | 3's  |          |  | warp 1's        |  |
//      ...    +------+------+------+------+         |  | ...             |  |
//
// Copies of 16 bytes require aligned addresses. Two of them share one request for a 32-byte sector
// only if their offsets within a sector are equal in shared and global memory. With an odd lda each
// row begins at another offset. So a row's chunk begins up to seven k's further to the left, where
// the offsets match. That distance is the skew of the row. The lanes that compute the row begin as
// many rows of B further up.
//
//   -DTN               columns per lane; BN = 4 TN
//   -DWARPS_K          warps, each with its part of a chunk
//   -DCHUNK -DSTAGES   k's per chunk; number of chunks in shared memory

#define LANES_OF_M 8
#define TM         (BM / LANES_OF_M) // rows per lane, LANES_OF_M apart
#define AS_STRIDE  (CHUNK + 4)
#define BS_STRIDE  (BN > 24 ? 40 : 24) // lanes of rows with different skews read different banks
#define HALO       8                   // rows of B before a chunk, because skews are less than this
// A stage: As (BM, CHUNK) in rows of AS_STRIDE, then Bs (HALO + CHUNK, BN) in rows of BS_STRIDE.
#define STAGE_FLOATS (BM * AS_STRIDE + (CHUNK + HALO) * BS_STRIDE)
#define WARP_K       (CHUNK / WARPS_K)
#define A_LANES      (CHUNK / 4) // threads that copy a row of A, four floats each
#define A_STEP       (THREADS / A_LANES)

static_assert(BM % 8 == 0 && A_STEP % 8 == 0 && LANES_OF_M == 8,
              "the rows of a thread must have equal skews");

// Returns the skew of a row of A: the number of k's, modulo 8, by which its offset within a sector
// exceeds that of the row in As. `row` counts from the start of A. As begins at a multiple of eight
// rows, so the row of As is equal to `row` modulo 8.
static __device__ int skew_of(const float *A, int lda, int row) {
    return (int)(((size_t)A / sizeof(float) + (size_t)row * lda - (size_t)row * AS_STRIDE) % 8);
}

// A thread's share of the copies.
struct copier {
    const float *a, *b; // sources in the next chunk
    float *a_to, *b_to; // destinations in the first stage
    int lda, ldb;
    int a_k;       // k of the first of the thread's four floats of a row of A
    int a_rows;    // number of rows of A from the thread's first on
    int b_k;       // k of the thread's first row of B
    bool b_inside; // true if B has the thread's columns
};

// Copies the thread's four floats of every A_STEP-th row of a chunk. The chunk begins at k `begin`
// minus the skew. Inside A it copies 16 bytes at a time. Near the ends of K it copies float by
// float, with zeros for elements outside A.
static __device__ __forceinline__ void copy_a(const struct copier *c, float *to, int begin, int K) {
    const float *a = c->a;
    if (begin >= HALO && begin + CHUNK <= K) {
#pragma unroll
        for (int i = 0; i < BM; i += A_STEP, a += (size_t)A_STEP * c->lda)
            copy_async(&to[i * AS_STRIDE], a, 4, i < c->a_rows);
    } else {
#pragma unroll 1
        for (int i = 0; i < BM; i += A_STEP, a += (size_t)A_STEP * c->lda)
            for (int e = 0; e < 4; e++)
                copy_async(&to[i * AS_STRIDE + e], a + e, 1,
                           i < c->a_rows && c->a_k + e >= 0 && c->a_k + e < K);
    }
}

// Copies `width` neighbours (1 or 4) of every `step`-th row of B, in the chunk and in the HALO rows
// before it. Elements outside B become 0.
static __device__ __forceinline__ void copy_b(const struct copier *c, float *to, int K,
                                              const int width) {
    const int step = THREADS / (BN / width);
    const float *b = c->b;
    int left = CHUNK + HALO - threadIdx.x / (BN / width);
    if (!c->b_inside) return;
#pragma unroll
    for (int i = 0; i < CHUNK + HALO; i += step, b += (size_t)step * c->ldb)
        if (i + step <= CHUNK + HALO || i < left)
            copy_async(&to[i * BS_STRIDE], b, width, c->b_k + i >= 0 && c->b_k + i < K);
}

// Adds A B to acc for the lane's rows and columns, over the warp's part of a chunk. The lane has
// four neighbours among the tile's first sixteen columns, at `bs`, and TN - 4 neighbours among the
// other columns, at `bs_more`.
static __device__ __forceinline__ void multiply_chunk(float acc[TM][TN], const float *as,
                                                      const float *bs, const float *bs_more) {
#pragma unroll
    for (int k = 0; k < WARP_K; k += 4) {
        float a[TM][4];
#pragma unroll
        for (int i = 0; i < TM; i++)
            *(float4 *)a[i] = *(const float4 *)&as[i * LANES_OF_M * AS_STRIDE + k];
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float b[8];
            *(float4 *)b = *(const float4 *)&bs[(k + e) * BS_STRIDE];
            if (TN == 5) b[4] = bs_more[(k + e) * BS_STRIDE];
            if (TN == 6) *(float2 *)&b[4] = *(const float2 *)&bs_more[(k + e) * BS_STRIDE];
            if (TN == 8) *(float4 *)&b[4] = *(const float4 *)&bs_more[(k + e) * BS_STRIDE];

                // even rows go forwards, odd rows backwards: each begins with the b used last
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int step = 0; step < TN; step++) {
                    int j = i % 2 ? TN - 1 - step : step;
                    acc[i][j] += a[i][e] * b[j];
                }
        }
    }
}

// Adds to acc the warp's sums over its parts of `chunks` chunks, the first of which begins at k
// `begin`.
static __device__ __forceinline__ void multiply_slim(float acc[TM][TN], float *shared,
                                                     const float *A, int lda, const float *B,
                                                     int ldb, int M, int N, int K, int row, int col,
                                                     int begin, int chunks, const int b_width) {
    struct copier c;
    int a_row = threadIdx.x / A_LANES, a_at = threadIdx.x % A_LANES * 4;
    c.lda = lda, c.ldb = ldb;
    c.a_k = begin + a_at - skew_of(A, lda, row + a_row);
    c.a = A + (ptrdiff_t)(row + a_row) * lda + c.a_k;
    c.a_rows = M - row - a_row;
    c.a_to = shared + a_row * AS_STRIDE + a_at;
    int b_row = threadIdx.x / (BN / b_width), b_col = threadIdx.x % (BN / b_width) * b_width;
    bool copies_b = b_row < THREADS / (BN / b_width);
    c.b_k = begin - HALO + b_row;
    c.b = B + (ptrdiff_t)c.b_k * ldb + col + b_col;
    c.b_inside = copies_b && col + b_col < N;
    c.b_to = shared + BM * AS_STRIDE + b_row * BS_STRIDE + b_col;
    if (copies_b && !c.b_inside) // stores zeros once, as copy_b() skips these columns
        for (int stage = 0; stage < STAGES; stage++)
            for (int k = b_row; k < CHUNK + HALO; k += THREADS / (BN / b_width))
                for (int e = 0; e < b_width; e++)
                    c.b_to[stage * STAGE_FLOATS + (k - b_row) * BS_STRIDE + e] = 0.0f;

    int lane = threadIdx.x % 32, warp_k = threadIdx.x / 32 * WARP_K;
    // Z-order, as in step 07: eight neighbouring lanes read four rows and two groups of columns.
    int lane_m = lane % 16 / 2, lane_n = lane / 16 * 2 + lane % 2;
    const float *as = shared + lane_m * AS_STRIDE + warp_k;
    const float *bs =
        shared + BM * AS_STRIDE + (warp_k + HALO - skew_of(A, lda, row + lane_m)) * BS_STRIDE;
    int read = 0, write = 0; // offsets of stages, in floats
    for (int chunk = 1 - STAGES; chunk < chunks; chunk++) {
        if (chunk >= 0) {
            __pipeline_wait_prior(STAGES - 2);
            __syncthreads(); // all threads have copied this chunk and read the one before
        }
        if (chunk + STAGES - 1 < chunks) {
            copy_a(&c, c.a_to + write, begin, K);
            copy_b(&c, c.b_to + write, K, b_width);
            c.a += CHUNK, c.a_k += CHUNK;
            c.b += (size_t)CHUNK * ldb, c.b_k += CHUNK;
            begin += CHUNK;
        }
        __pipeline_commit();
        write = write + STAGE_FLOATS < STAGES * STAGE_FLOATS ? write + STAGE_FLOATS : 0;
        if (chunk < 0) continue;
        multiply_chunk(acc, as + read, bs + read + lane_n * 4, bs + read + 16 + lane_n * (TN - 4));
        read = read + STAGE_FLOATS < STAGES * STAGE_FLOATS ? read + STAGE_FLOATS : 0;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    extern __shared__ __align__(128) float shared[]; // STAGES stages; at the end, the warps' sums

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN,
             tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int chunks = (K + HALO - 1) / CHUNK + ((K + HALO - 1) % CHUNK > 0);
    int begin = begin_of(chunks, part, parts), end = begin_of(chunks, part + 1, parts);

    float acc[TM][TN] = {};
    if (aligned16(B, ldb) && N % 4 == 0)
        multiply_slim(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin,
                      4);
    else
        multiply_slim(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin,
                      1);

    // Adds the warps' sums through shared memory: a warp adds up ELEMENTS of each lane's TM x TN.
    float(*sums)[TM * TN][32] = (float(*)[TM * TN][32]) shared, sum[ELEMENTS] = {};
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int e = 0; e < TM * TN; e++) sums[warp][e][lane] = acc[e / TN][e % TN];
    __syncthreads();
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++)
        for (int w = 0; w < WARPS_K; w++) sum[e] += sums[w][warp * ELEMENTS + e][lane];
    if (!sum_parts(sum, at, tiles, part, parts)) return;

    int lane_m = lane % 16 / 2, lane_n = lane / 16 * 2 + lane % 2;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = warp * ELEMENTS + e, r = row + lane_m + place / TN * LANES_OF_M, j = place % TN;
        int c = col + (j < 4 ? lane_n * 4 + j : 16 + lane_n * (TN - 4) + j - 4);
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], sum[e], alpha, beta);
    }
}
