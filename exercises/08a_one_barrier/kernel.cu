// Exercise 08a: two tile buffers, as in step 08's `tiles`, but no barrier. One is enough. Your line
// replaces one of the comments (1), (2) and (3) in the loop:
//
//   (1) before the stores      (2) between the stores and the loads      (3) behind the FMAs

#define BK      8
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

#define BM                128
#define BN                128
#define TM                8
#define TN                8
#define WM                32
#define WN                64
#define WARPS_N           (BN / WN)
#define AS_COLUMN(k, row) ((row) ^ (k) / 4 * 16) // step 06: stores without bank conflicts

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                   int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) float As[2][BK][BM]; // (buffer, k, row of C)
    __shared__ __align__(16) float Bs[2][BK][BN]; // (buffer, k, column of C)

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int lane_m = lane / 16 * 2 + lane % 2, lane_n = lane % 16 / 2;
    int thread_row = warp / WARPS_N * WM + lane_m * 4; // first row in the block tile
    int thread_col = warp % WARPS_N * WN + lane_n * 4;
    int a_row = threadIdx.x / (BK / 4), a_k = threadIdx.x % (BK / 4) * 4; // float4 of A to load
    int b_k = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4) * 4; // float4 of B to load
    int as_column = AS_COLUMN(a_k, a_row);
    bool a_aligned = aligned16(A, lda), b_aligned = aligned16(B, ldb),
         c_aligned = aligned16(C, ldc);

    float acc[TM][TN] = {};
    int buffer = 0; // the buffer of this tile
    float4 a, b;    // the thread's share of the tile to be stored next

    a = load4(A, lda, M, K, block_row + a_row, a_k, a_aligned);
    b = load4(B, ldb, K, N, b_k, block_col + b_col, b_aligned);
    for (int k0 = 0; k0 < K; k0 += BK) {
        // (1)
        As[buffer][a_k + 0][as_column] = a.x;
        As[buffer][a_k + 1][as_column] = a.y;
        As[buffer][a_k + 2][as_column] = a.z;
        As[buffer][a_k + 3][as_column] = a.w;
        *(float4 *)&Bs[buffer][b_k][b_col] = b;
        // (2)
        a = load4(A, lda, M, K, block_row + a_row, k0 + BK + a_k, a_aligned); // zeros beyond K
        b = load4(B, ldb, K, N, k0 + BK + b_k, block_col + b_col, b_aligned);

#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a_frag[TM], b_frag[TN];
            for (int i = 0; i < TM / 4; i++)
                *(float4 *)&a_frag[i * 4] =
                    *(float4 *)&As[buffer][k][AS_COLUMN(k, thread_row + i * WM / 2)];
            for (int j = 0; j < TN / 4; j++)
                *(float4 *)&b_frag[j * 4] = *(float4 *)&Bs[buffer][k][thread_col + j * WN / 2];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++) acc[i][j] += a_frag[i] * b_frag[j];
        }
        // (3)
        buffer ^= 1;
    }

#pragma unroll
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN / 4; j++)
            store4(C, ldc, M, N, block_row + thread_row + i / 4 * WM / 2 + i % 4,
                   block_col + thread_col + j * WN / 2, &acc[i][j * 4], alpha, beta, c_aligned);
}
