// Exercise 02a: step 02 without its barriers. Put in as many as it needs, and no more. Your lines
// go into the loop over tiles (k_left).

#define TILE 32

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
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

        for (int k = 0; k < TILE; k++) acc += As[tile_row][k] * Bs[k][tile_col];
        a += TILE;
        b += (size_t)TILE * ldb;
    }

    if (row < M && col < N) {
        float *c = &C[(size_t)row * ldc + col];
        float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
        *c = alpha * acc + beta * old;
    }
}
