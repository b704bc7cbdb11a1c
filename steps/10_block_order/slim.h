// For 9 to 32 columns of C: a block takes BM rows and BN columns, and its warps share K. A is read once, to shared memory (stages.h).
//
//     A (BM, K)                                         B (K, BN)            C (BM, BN)
//
//             CHUNK k's of every row                    +--+ HALO k's        +--+
//            +------+------+------+------+              |  | of the chunk    |  | every warp has sums for all of it, over its own
//     row 0  | warp | warp | warp | warp |              +--+ before          |  | k's; at the end they are added
//     row 1   +------+------+------+------+             |  | warp 0's k's    |  |
//     row 2  | 0's  | 1's  | 2's  | 3's  |              |  | warp 1's        |  |
//      ...    +------+------+------+------+             |  | ...             |  |
//
//   -DTN               columns of a lane; BN = 4 TN
//   -DWARPS_K          warps, each with its part of a chunk

#define LANES_OF_M 8
#define TM         (BM / LANES_OF_M) // rows of a lane, LANES_OF_M apart
#define AS_STRIDE  (CHUNK + 4)
#define B_STRIDE   (BN > 24 ? 40 : 24) // lanes of different skews read different banks
#define WARP_K     (CHUNK / WARPS_K)

static_assert(LANES_OF_M == 8, "the rows of a lane have the same skew");

#include "stages.h"

// Z-order, as in the tiles: eight neighbouring lanes read four rows and two groups of columns.
static __device__ int row_of(int warp, int lane) {
    return lane % 16 / 2;
}

static __device__ int group_of(int lane) {
    return lane / 16 * 2 + lane % 2;
}

static __device__ int k_of(int warp, int lane) {
    return warp * WARP_K;
}

// Four neighbouring columns of the first sixteen from bs on, and TN - 4 of the others.
static __device__ __forceinline__ void multiply_chunk(float acc[TM][TN], const float *as, const float *bs, int lane_n,
                                                      int cols) {
    const float *bs_more = bs + 16 + lane_n * (TN - 4);
    bs += lane_n * 4;
#pragma unroll
    for (int k = 0; k < WARP_K; k += 4) {
        float a[TM][4];
#pragma unroll
        for (int i = 0; i < TM; i++) *(float4 *)a[i] = *(const float4 *)&as[i * LANES_OF_M * AS_STRIDE + k];
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float b[8];
            *(float4 *)b = *(const float4 *)&bs[(k + e) * B_STRIDE];
            if (TN == 5) b[4] = bs_more[(k + e) * B_STRIDE];
            if (TN == 6) *(float2 *)&b[4] = *(const float2 *)&bs_more[(k + e) * B_STRIDE];
            if (TN == 8) *(float4 *)&b[4] = *(const float4 *)&bs_more[(k + e) * B_STRIDE];

                // Back and forth along the rows, so that at each turn one operand stays.
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

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    extern __shared__ __align__(128) float shared[]; // STAGES stages; at the end the warps' sums

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN, tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int chunks = (K + HALO - 1) / CHUNK + ((K + HALO - 1) % CHUNK > 0);
    int begin = begin_of(chunks, part, parts), end = begin_of(chunks, part + 1, parts);

    float acc[TM][TN] = {};
    if (aligned16(B, ldb) && N % 4 == 0)
        multiply_chunks(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin, 4);
    else
        multiply_chunks(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin, 1);

    // The warps' sums, through shared memory: each warp is left with ELEMENTS of every lane's TM x TN.
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

    int lane_m = row_of(warp, lane), lane_n = group_of(lane);
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = warp * ELEMENTS + e, r = row + lane_m + place / TN * LANES_OF_M, j = place % TN;
        int c = col + (j < 4 ? lane_n * 4 + j : 16 + lane_n * (TN - 4) + j - 4);
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], sum[e], alpha, beta);
    }
}
