// Exercise 08b: step 02's tiles in a ring of three buffers. While tile t is read, tile t + AHEAD is
// stored; there is one barrier per tile. How far ahead may the stores be?

#define TILE    32
#define BUFFERS 3
#define AHEAD   1 // ---- your line: how many tiles the stores are ahead of the reads ----

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                   int ldb, float beta, float *C, int ldc) {
    __shared__ float As[BUFFERS][TILE][TILE]; // (buffer, row of C, k)
    __shared__ float Bs[BUFFERS][TILE][TILE]; // (buffer, k, column of C)

    int tile_row = threadIdx.x / TILE, tile_col = threadIdx.x % TILE;
    int row = blockIdx.y * TILE + tile_row, col = blockIdx.x * TILE + tile_col;
    int tiles = (K + TILE - 1) / TILE;

    float acc = 0.0f;
    for (int t = -AHEAD; t < tiles; t++) { // the first AHEAD rounds only store
        if (t >= 0) __syncthreads();       // tile t is complete, and all warps have read tile t - 1
        int next = t + AHEAD;
        if (next < tiles) {
            int a_k = next * TILE + tile_col, b_k = next * TILE + tile_row;
            As[next % BUFFERS][tile_row][tile_col] =
                row < M && a_k < K ? A[(size_t)row * lda + a_k] : 0.0f;
            Bs[next % BUFFERS][tile_row][tile_col] =
                b_k < K && col < N ? B[(size_t)b_k * ldb + col] : 0.0f;
        }
        if (t >= 0)
            for (int k = 0; k < TILE; k++)
                acc += As[t % BUFFERS][tile_row][k] * Bs[t % BUFFERS][k][tile_col];
    }

    if (row < M && col < N) {
        float *c = &C[(size_t)row * ldc + col];
        float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
        *c = alpha * acc + beta * old;
    }
}
