// Step 02, shared tiling: a block copies a tile of A and a tile of B to shared memory, and each
// thread reads its row and column from there. So a load from global memory serves TILE threads.
//
//   -DTILE=16 or 32   side of the square tiles; a block has one thread per element of its tile of C
//
//            k0 ->                         col0
//          +------+                       +------+
//     row0 |  As  |  TILE x TILE       k0 |  Bs  |  TILE x TILE
//          +------+                       +------+

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    sgemm_shared_tiling(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                        int ldb, float beta, float *C, int ldc) {
    __shared__ float As[TILE][TILE]; // (row of C, k)
    __shared__ float Bs[TILE][TILE]; // (k, column of C)

    int tile_row = threadIdx.x / TILE;
    int tile_col = threadIdx.x % TILE;
    int row = blockIdx.y * TILE + tile_row;
    int col = blockIdx.x * TILE + tile_col;

    // The element of each tile that this thread loads. Rows and columns outside the matrices are
    // replaced by the last one inside: their sums are never stored.
    const float *a = &A[(size_t)min(row, M - 1) * lda + tile_col];
    const float *b = &B[(size_t)tile_row * ldb + min(col, N - 1)];

    float acc = 0.0f;
#pragma unroll 4
    for (int k_left = K; k_left > 0; k_left -= TILE) {
        As[tile_row][tile_col] = tile_col < k_left ? *a : 0.0f; // zeros beyond K add nothing
        Bs[tile_row][tile_col] = tile_row < k_left ? *b : 0.0f;
        __syncthreads(); // both tiles are complete

        for (int k = 0; k < TILE; k++) acc += As[tile_row][k] * Bs[k][tile_col];
        a += TILE;
        b += (size_t)TILE * ldb;
        __syncthreads(); // all threads have read this tile: it may be overwritten
    }

    if (row < M && col < N) {
        float *c = &C[(size_t)row * ldc + col];
        float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
        *c = alpha * acc + beta * old;
    }
}
