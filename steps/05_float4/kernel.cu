// Step 05, float4: the same tiles, moved 128 bits at a time.
//
// Fragments, a thread's values of A and B for one k, are loaded 128 bits at a time. For this a
// thread's rows of A must be contiguous in shared memory, so As is transposed. Each thread copies
// one float4 of A's tile (128 rows of 2) and one of B's (8 rows of 32).
//
// Block tile 128 x 128 x 8, warp tile 32 x 64, lanes 4 x 8, as in step 04.

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

static __device__ bool aligned16(const float *matrix, int ld); // defined at the end of the file
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned);
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned);

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_float4(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb,
                 float beta, float *C, int ldc) {
    __shared__ __align__(16) float As[BK][BM]; // (k, row of C)
    __shared__ __align__(16) float Bs[BK][BN]; // (k, column of C)

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int thread_row = warp / WARPS_N * WM + lane / LANES_N * TM; // first row in the block tile
    int thread_col = warp % WARPS_N * WN + lane % LANES_N * TN;
    int a_row = threadIdx.x / (BK / 4), a_k = threadIdx.x % (BK / 4) * 4; // float4 of A to load
    int b_k = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4) * 4; // float4 of B to load
    bool c_aligned = aligned16(C, ldc);

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        float4 a = load4(A, lda, M, K, block_row + a_row, k0 + a_k, aligned16(A, lda));
        float4 b = load4(B, ldb, K, N, k0 + b_k, block_col + b_col, aligned16(B, ldb));
        As[a_k + 0][a_row] = a.x; // transposed
        As[a_k + 1][a_row] = a.y;
        As[a_k + 2][a_row] = a.z;
        As[a_k + 3][a_row] = a.w;
        *(float4 *)&Bs[b_k][b_col] = b;
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

// --- borders, identical in steps 05 to 09: zeros outside, 128-bit accesses where aligned ---------

// Returns true if every row of the matrix starts at a 16-byte aligned address.
static __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}

// Returns elements `col` to `col` + 3 of row `row` of a (rows, cols) matrix.
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned) {
    float4 v = {};
    if (row >= rows) return v;
    const float *p = &matrix[(size_t)row * ld + col];
    if (aligned && col < cols - 3) return *(const float4 *)p;
    if (col < cols) v.x = p[0];
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
    float4 v = beta == 0.0f ? float4{} : load4(C, ldc, M, N, row, col, aligned);
    v = {alpha * acc[0] + beta * v.x, alpha * acc[1] + beta * v.y, alpha * acc[2] + beta * v.z,
         alpha * acc[3] + beta * v.w};
    if (aligned && col < N - 3) {
        *(float4 *)c = v;
        return;
    }
    if (col < N) c[0] = v.x;
    if (col < N - 1) c[1] = v.y;
    if (col < N - 2) c[2] = v.z;
    if (col < N - 3) c[3] = v.w;
}
