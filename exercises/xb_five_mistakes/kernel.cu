// Exercise xb: this kernel looks right and passes at 64 x 64 x 64 now and then. It has five
// mistakes, each in a line of its own. Your lines are these five.

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

    const float *a = &A[(size_t)min(row, M - 1) * lda + tile_col];
    const float *b = &B[(size_t)tile_row * ldb + min(col, M - 1)];

    float acc = 0.0f;
#pragma unroll 4
    for (int k_left = K; k_left > 0; k_left -= TILE) {
        As[tile_row][tile_col] = tile_col < K ? *a : 0.0f;
        Bs[tile_row][tile_col] = tile_row < k_left ? *b : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++) acc += As[tile_row][k] * Bs[k][tile_col];
        a += TILE;
        b += (size_t)TILE * N;
    }

    if (row < M && col < N) {
        float *c = &C[(size_t)row * ldc + col];
        float old = *c;
        *c = alpha * acc + beta * old;
    }
}
