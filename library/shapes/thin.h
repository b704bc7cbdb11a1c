// A kernel for few rows of C. A block computes BM rows and BN columns. B is read once, directly
// into registers.
//
//   -DBM -DBN          block tile; a thread computes all BM rows of four columns
//   -DWARPS_N=BN/128   warps side by side along a row
//   -DWARPS_K          rows of warps, each with its part of the block's K
//   -DAHEAD            rows of B that a thread loads before it uses the first
//
//     A (BM, K)                            B (K, BN)    lane 0 1 2 ... 31
//     +------------------------------+     +---------------------------+
//     | 32 k's, one per lane         |     | 4 4 4 ... 4   k           |
//     +------------------------------+     | 4 4 4 ... 4   k + 1       |
//                                          |      ...                  |
//
// A lane has four neighbouring columns if rows of B are 16-byte aligned. Otherwise its columns are
// 32 apart, so that loads are still coalesced.

#define COLUMNS   4                           // per thread
#define AS_STRIDE (BM % 8 == 4 ? BM : BM + 4) // aligned float4s; eight lanes store to eight banks

// Returns the thread's four elements of a row of B, `apart` columns apart, from *b on. B has only
// `left` columns from *b on; elements after these are 0. The loads are marked to be evicted first
// (__ldcs), because B is read once.
static __device__ __forceinline__ float4 load_b(const float *b, int left, int apart) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (apart == 1) {
        if (left > 0) v = __ldcs((const float4 *)b);
    } else {
        if (left > 0 * apart) v.x = __ldcs(&b[0 * apart]);
        if (left > 1 * apart) v.y = __ldcs(&b[1 * apart]);
        if (left > 2 * apart) v.z = __ldcs(&b[2 * apart]);
        if (left > 3 * apart) v.w = __ldcs(&b[3 * apart]);
    }
    return v;
}

// Starts the copy of `height` rows and 32 columns of A, one column per lane. A has only the first
// `rows` of these rows and the first `left` of these columns; the other elements become 0.
static __device__ __forceinline__ void copy_a(float As[32][AS_STRIDE], const float *a, int lda,
                                              int rows, int left, const int height) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < height; i++, a += lda)
        copy_async(&As[lane][i], a, 1, i < rows && lane < left);
    __pipeline_commit();
}

// Adds A B to acc for the rows from `row` on, the thread's columns from `col` on, and the k's
// [first, end). As holds 32 columns of A while the next 32 are copied. It is transposed, so that
// one load reads four rows. AHEAD rows of B are loaded before the first is used: full bandwidth
// needs many loads in flight.
static __device__ __forceinline__ void multiply_thin(float acc[BM][COLUMNS],
                                                     float As[2][32][AS_STRIDE], const float *A,
                                                     int lda, const float *B, int ldb, int M, int N,
                                                     int row, int col, int first, int end,
                                                     int apart, const int height) {
    int lane = threadIdx.x % 32;
    const float *a = &A[(size_t)row * lda + first + lane], *b = &B[(size_t)first * ldb + col];
    copy_a(As[0], a, lda, M - row, end - first, height);
    int stage = 0;
#pragma unroll 1
    for (int left = end - first; left > 0; left -= 32, stage ^= 1) {
        __pipeline_wait_prior(0);
        __syncwarp(); // the warp has copied these 32 columns and read those before
        a += 32;
        copy_a(As[stage ^ 1], a, lda, M - row, left - 32, height);
#pragma unroll 1
        for (int from = 0; from < 32 && from < left; from += AHEAD) {
            // Makes the compiler compute the addresses of B's rows again: registers cannot hold all
            // of them.
            if (BM >= 16) asm volatile("" : "+r"(ldb));
            float4 b_frag[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++, b += ldb)
                b_frag[u] = load_b(b, from + u < left ? N - col : 0, apart);
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
#pragma unroll
                for (int i = 0; i < height; i++) {
                    float a_frag = As[stage][from + u][i]; // one broadcast load for four rows
                    acc[i][0] += a_frag * b_frag[u].x, acc[i][1] += a_frag * b_frag[u].y;
                    acc[i][2] += a_frag * b_frag[u].z, acc[i][3] += a_frag * b_frag[u].w;
                }
            }
        }
    }
}

// Like multiply_thin(), but with eight rows instead of 16 if C has no more from `row` on.
static __device__ __forceinline__ void multiply_rows(float acc[BM][COLUMNS],
                                                     float As[2][32][AS_STRIDE], const float *A,
                                                     int lda, const float *B, int ldb, int M, int N,
                                                     int row, int col, int first, int end,
                                                     int apart) {
    if (BM == 16 && M - row <= 8)
        multiply_thin(acc, As, A, lda, B, ldb, M, N, row, col, first, end, apart, 8);
    else
        multiply_thin(acc, As, A, lda, B, ldb, M, N, row, col, first, end, apart, BM);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    // Shared memory holds each warp's columns of A and, at the end, the sums of all warps.
    __shared__ __align__(16) union {
        float As[THREADS / 32][2][32][AS_STRIDE];
        float sums[WARPS_K][BM][BN];
    } shared;
    float(*warp_sums)[BM][BN] = shared.sums;

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN,
             tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp_k = threadIdx.x / (32 * WARPS_N);
    int thread = threadIdx.x % (32 * WARPS_N); // index within a row of warps
    int row = tile.row * BM, col = tile.col * BN;
    int first = begin_of(K, part * WARPS_K + warp_k, parts * WARPS_K);
    int end = begin_of(K, part * WARPS_K + warp_k + 1, parts * WARPS_K);

    // The sums of the warps along K are added through shared memory.
    float acc[BM][COLUMNS] = {};
    if (aligned16(B, ldb) && N % 4 == 0) {
        int mine = thread * 4; // the thread's first column in the tile
        multiply_rows(acc, shared.As[threadIdx.x / 32], A, lda, B, ldb, M, N, row, col + mine,
                      first, end, 1);
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < BM; i++)
            *(float4 *)&warp_sums[warp_k][i][mine] = {acc[i][0], acc[i][1], acc[i][2], acc[i][3]};
    } else {
        int mine = thread / 32 * 128 + thread % 32;
        multiply_rows(acc, shared.As[threadIdx.x / 32], A, lda, B, ldb, M, N, row, col + mine,
                      first, end, 32);
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < BM; i++)
            for (int j = 0; j < COLUMNS; j++) warp_sums[warp_k][i][mine + 32 * j] = acc[i][j];
    }
    __syncthreads();

    // A thread gets ELEMENTS elements of the tile, THREADS apart.
    float sum[ELEMENTS] = {};
#pragma unroll
    for (int w = 0; w < WARPS_K; w++)
        for (int e = 0; e < ELEMENTS; e++) sum[e] += warp_sums[w][0][e * THREADS + threadIdx.x];
    if (!sum_parts(sum, at, tiles, part, parts)) return;

#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = e * THREADS + threadIdx.x, r = row + place / BN, c = col + place % BN;
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], sum[e], alpha, beta);
    }
}
