// Exercise 01a: the lanes of a warp stand 1 x 32, along a row of C. Yours shall stand 4 x 8.

#define TILE 32 // a block of 32 x 32 threads computes a 32 x 32 tile of C

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                   float *C, int ldc) {
    // ---- your lines ----
    int row = blockIdx.y * TILE + threadIdx.x / TILE; // 32 lanes in one row
    int col = blockIdx.x * TILE + threadIdx.x % TILE;
    // --------------------
    if (row >= M || col >= N) return;

    float acc = 0.0f;
    for (int k = 0; k < K; k++) acc += A[(size_t)row * lda + k] * B[(size_t)k * ldb + col];

    float *c = &C[(size_t)row * ldc + col];
    float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
    *c = alpha * acc + beta * old;
}
