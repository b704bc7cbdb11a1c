// For up to 8 columns of C, of a large A: a block takes BM rows and BN columns, a warp every eighth of the rows, its lanes along K. As in
// narrow.h, A is read once; but it goes to shared memory first (stages.h), so that more of it is on its way than registers could hold.
//
//     A (BM, K)                                      B (K, BN)                    C (BM, BN)
//
//            a chunk: CHUNK / 32 steps of 32 lanes
//            +--------+--------+--------+--------+       +--+ HALO k's            +--+
//     warp 0 | 0 .. 31| 0 .. 31|        |        |       |  | before the chunk    |  | warp 0
//     warp 1  +--------+--------+--------+--------+      +--+                     |  | warp 1
//      ...   +--------+--------+--------+--------+       |  | lane 0, step 0      |..|
//     warp 7 |        |        |        |        |       |  | lane 1              |  | warp 7
//     warp 0 +--------+--------+--------+--------+       |..|                     |  | warp 0
//      ...     ...                                        ...                      ...
//
// All rows of a warp have the same skew, so its lanes read the same rows of B for all of them.

#define TM        (BM / WARPS_M) // rows of a warp, WARPS_M apart
#define TN        BN
#define AS_STRIDE CHUNK

static_assert(WARPS_M == 8, "the rows of a warp have the same skew");

#include "lanes.h"
#include "stages.h"

static __device__ int row_of(int warp, int lane) {
    return warp;
}

static __device__ int k_of(int warp, int lane) {
    return lane;
}

static __device__ int group_of(int lane) {
    return 0;
}

static __device__ __forceinline__ void multiply_chunk(float acc[TM][TN], const float *as, const float *bs, int lane_n,
                                                      int cols) {
#pragma unroll
    for (int k = 0; k < CHUNK; k += 32) {
        float a[TM];
#pragma unroll
        for (int i = 0; i < TM; i++) a[i] = as[i * WARPS_M * AS_STRIDE + k];
        multiply_step(acc, a, &bs[k * B_STRIDE], cols);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    extern __shared__ __align__(128) float shared[]; // STAGES stages

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN, tiles = tiles_m * tiles_n;
    // Side by side run the parts of a few tiles: long pieces of neighbouring rows. (narrow.h has the same part of many.)
    unsigned parts = gridDim.x / tiles, at = blockIdx.x / parts, part = blockIdx.x % parts;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int chunks = (K + HALO - 1) / CHUNK + ((K + HALO - 1) % CHUNK > 0);
    int begin = begin_of(chunks, part, parts), end = begin_of(chunks, part + 1, parts);

    float acc[TM][TN] = {};
    if (aligned16(B, ldb) && N % 4 == 0)
        multiply_chunks(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin, 4);
    else
        multiply_chunks(acc, shared, A, lda, B, ldb, M, N, K, row, col, begin * CHUNK, end - begin, 1);

    // Lane l is left with ELEMENTS of the warp's TM x BN elements, row by row, from the l * ELEMENTS-th on.
    sum_lanes(acc[0]);
    if (!sum_parts(acc[0], at, tiles, part, parts)) return;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = lane * ELEMENTS + e, r = row + warp + place / BN * WARPS_M, c = col + place % BN;
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], acc[0][e], alpha, beta);
    }
}
