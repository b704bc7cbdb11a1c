// C = A B with the ring of stages of cp_async.cu, for whole tiles only. Requires: M and N are
// multiples of 128, K of 8, and every row is 16-byte aligned. Tiles are copied to shared memory
// asynchronously, STAGES - 1 tiles ahead of the tile that is multiplied.

#include <cuda_pipeline.h> // cp.async as C functions

#define BM        128
#define BN        128
#define BK        8
#define STAGES    3
#define AS_STRIDE (BM + 4) // a warp copies 8 k's of 4 rows of A to 32 banks, 4 * k + row

__shared__ __align__(16) float As[STAGES][BK][AS_STRIDE]; // (stage, k, row of C)
__shared__ __align__(16) float Bs[STAGES][BK][BN];

// Starts this thread's share of the copies of a tile, as one group. The group is empty if `tile` is
// past the last tile.
static __device__ void copy_tile(int tile, int tiles, const float *a, int lda, const float *b,
                                 int ldb) {
    int t = threadIdx.x, stage = tile % STAGES;
    if (tile < tiles) {
        for (int i = 0; i < 4; i++) // float by float, as A is transposed
            __pipeline_memcpy_async(&As[stage][t % BK][t / BK + 32 * i],
                                    &a[(size_t)(t / BK + 32 * i) * lda + tile * BK + t % BK], 4);
        __pipeline_memcpy_async(&Bs[stage][t / 32][t % 32 * 4],
                                &b[(size_t)(tile * BK + t / 32) * ldb + t % 32 * 4], 16);
    }
    __pipeline_commit();
}

extern "C" __global__ void __launch_bounds__(256, 2)
    sgemm_ring(int K, const float *A, int lda, const float *B, int ldb, float *C, int ldc) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tiles = K / BK;
    // As in step 07, the thread's rows are row + (0..3, 16..19), its columns col + (0..3, 32..35).
    int row = warp / 2 * 32 + (lane / 16 * 2 + lane % 2) * 4;
    int col = warp % 2 * 64 + lane % 16 / 2 * 4;
    const float *a = &A[(size_t)blockIdx.y * BM * lda], *b = &B[blockIdx.x * BN];

    float acc[8][8] = {};
    for (int tile = 0; tile < STAGES - 1; tile++) copy_tile(tile, tiles, a, lda, b, ldb);
    for (int tile = 0; tile < tiles; tile++) {
        // Waits for this thread's share of the tile: for all groups but the newest STAGES - 2.
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // all shares have arrived, and all threads have read tile - 1
        copy_tile(tile + STAGES - 1, tiles, a, lda, b, ldb); // into the stage of tile - 1
#pragma unroll
        for (int k = 0; k < BK; k++) {
            const float *as = &As[tile % STAGES][k][row], *bs = &Bs[tile % STAGES][k][col];
            float4 a_frag[2] = {*(float4 *)as, *(float4 *)(as + 16)},
                   b_frag[2] = {*(float4 *)bs, *(float4 *)(bs + 32)};
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    acc[i][j] += (&a_frag[i / 4].x)[i % 4] * (&b_frag[j / 4].x)[j % 4];
        }
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            C[(size_t)(blockIdx.y * BM + row + i / 4 * 16 + i % 4) * ldc + blockIdx.x * BN + col +
              j / 4 * 32 + j % 4] = acc[i][j];
}
