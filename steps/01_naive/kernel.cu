// Step 01, naive: each thread computes one element of C, with operands from global memory.
//
//   -DROW_FASTEST=1   neighbouring threads have neighbouring rows: each lane reads its own row of A
//   -DROW_FASTEST=0   neighbouring threads have neighbouring columns: a warp reads 32 floats of B

#define TILE 32 // a block of 32 x 32 threads computes a 32 x 32 tile of C

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    sgemm_naive(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb,
                float beta, float *C, int ldc) {
#if ROW_FASTEST
    int row = blockIdx.y * TILE + threadIdx.x % TILE;
    int col = blockIdx.x * TILE + threadIdx.x / TILE;
#else
    int row = blockIdx.y * TILE + threadIdx.x / TILE;
    int col = blockIdx.x * TILE + threadIdx.x % TILE;
#endif
    if (row >= M || col >= N) return;

    float acc = 0.0f;
    for (int k = 0; k < K; k++) acc += A[(size_t)row * lda + k] * B[(size_t)k * ldb + col];

    float *c = &C[(size_t)row * ldc + col];
    float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
    *c = alpha * acc + beta * old;
}
