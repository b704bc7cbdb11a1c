// Exercise 05a: step 05's variant `split`. Each thread loads four neighbours by four 32-bit loads,
// so that a request of a warp reads every fourth float. Let a warp read consecutive floats, still
// by 32-bit loads.

#define BM      128
#define BN      128
#define BK      8
#define TM      8
#define TN      8
#define WM      32
#define WN      64
#define WARPS_N (BN / WN)
#define LANES_N 8
#define THREADS 256

// Returns true if every row of the matrix starts at a 16-byte aligned address.
static __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}

// Returns four elements of row `row` of a (rows, cols) matrix, from column `col` on; zeros
// outside the matrix. `aligned`, from aligned16(), permits a 128-bit load.
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (row >= rows) return v;
    const float *p = &matrix[(size_t)row * ld + col];
    if (aligned && col < cols - 3) return *(const float4 *)p;
    if (col < cols - 0) v.x = p[0];
    if (col < cols - 1) v.y = p[1];
    if (col < cols - 2) v.z = p[2];
    if (col < cols - 3) v.w = p[3];
    return v;
}

// C = alpha * acc + beta * C for four elements of row `row`. Does not read C if beta is 0.
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned) {
    if (row >= M) return;
    float *c = &C[(size_t)row * ldc + col];
    float4 old =
        beta == 0.0f ? float4{0.0f, 0.0f, 0.0f, 0.0f} : load4(C, ldc, M, N, row, col, aligned);
    float4 v = {alpha * acc[0] + beta * old.x, alpha * acc[1] + beta * old.y,
                alpha * acc[2] + beta * old.z, alpha * acc[3] + beta * old.w};
    if (aligned && col < N - 3) {
        *(float4 *)c = v;
        return;
    }
    if (col < N - 0) c[0] = v.x;
    if (col < N - 1) c[1] = v.y;
    if (col < N - 2) c[2] = v.z;
    if (col < N - 3) c[3] = v.w;
}

// Returns one element of a (rows, cols) matrix by a 32-bit load; zero outside the matrix.
static __device__ float element(const float *matrix, int ld, int rows, int cols, int row, int col) {
    return row < rows && col < cols ? *(const volatile float *)&matrix[(size_t)row * ld + col]
                                    : 0.0f;
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                   int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) float As[BK][BM]; // (k, row of C)
#define AS(row, k) As[k][row]
    __shared__ __align__(16) float Bs[BK][BN]; // (k, column of C)

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int thread_row = warp / WARPS_N * WM + lane / LANES_N * TM; // first row in the block tile
    int thread_col = warp % WARPS_N * WN + lane % LANES_N * TN;
    bool c_aligned = aligned16(C, ldc);

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // ---- your lines ----
        int a_row = threadIdx.x / 2, a_k = threadIdx.x % 2 * 4;   // the thread's 4 floats of A
        int b_k = threadIdx.x / 32, b_col = threadIdx.x % 32 * 4; // the thread's 4 floats of B
        for (int i = 0; i < 4; i++) {
            AS(a_row, a_k + i) = element(A, lda, M, K, block_row + a_row, k0 + a_k + i);
            Bs[b_k][b_col + i] = element(B, ldb, K, N, k0 + b_k, block_col + b_col + i);
        }
        // --------------------
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a_frag[TM], b_frag[TN];
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&a_frag[i] = *(float4 *)&As[k][thread_row + i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&b_frag[j] = *(float4 *)&Bs[k][thread_col + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++) acc[i][j] += a_frag[i] * b_frag[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4(C, ldc, M, N, block_row + thread_row + i, block_col + thread_col + j, &acc[i][j],
                   alpha, beta, c_aligned);
}
