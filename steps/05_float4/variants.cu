// Step 05, variants: 128-bit loads from shared memory alone, from global memory alone, or with a
// float4 of global memory loaded 32 bits at a time. kernel.cu has 128-bit loads from both.
//
//   -DSHARED128=0   fragments by 32-bit loads from As[row][k], as in step 04
//   -DSHARED128=1   fragments by 128-bit loads; As transposed, so that 4 rows are contiguous
//   -DGLOBAL=0      as in step 04: a request reads 32 floats of a row of B, or 4 rows of 8 of A
//   -DGLOBAL=1      one float4 per thread and request, if rows are 16-byte aligned
//   -DGLOBAL=2      a thread's float4 by four 32-bit requests, each using 1/4 of its sectors
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

#if SHARED128
#define AS_ROWS    BK // (k, row of C): transposed
#define AS_STRIDE  BM
#define AS(row, k) As[k][row]
#else
#define AS_ROWS    BM // (row of C, k)
#define AS_STRIDE  (BK + 1)
#define AS(row, k) As[row][k]
#endif

static __device__ bool aligned16(const float *matrix, int ld); // defined at the end of the file
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned);
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned);

#if !SHARED128
// Loads 32 bits from shared memory. Without `volatile` the compiler would merge a thread's
// neighbouring loads into 128-bit loads where it can prove that they are aligned.
static __device__ float load32(const float *shared) {
    return *(const volatile float *)shared;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_float4(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb,
                 float beta, float *C, int ldc) {
    __shared__ __align__(16) float As[AS_ROWS][AS_STRIDE]; // AS(row of C, k)
    __shared__ __align__(16) float Bs[BK][BN];             // (k, column of C)

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int thread_row = warp / WARPS_N * WM + lane / LANES_N * TM; // first row in the block tile
    int thread_col = warp % WARPS_N * WN + lane % LANES_N * TN;
    bool c_aligned = aligned16(C, ldc);

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
#if GLOBAL
        bool wide = GLOBAL == 1;
        int a_row = threadIdx.x / (BK / 4), a_k = threadIdx.x % (BK / 4) * 4; // float4 of A to load
        int b_k = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4) * 4; // float4 of B to load
        float4 a = load4(A, lda, M, K, block_row + a_row, k0 + a_k, wide && aligned16(A, lda));
        float4 b = load4(B, ldb, K, N, k0 + b_k, block_col + b_col, wide && aligned16(B, ldb));
        AS(a_row, a_k + 0) = a.x;
        AS(a_row, a_k + 1) = a.y;
        AS(a_row, a_k + 2) = a.z;
        AS(a_row, a_k + 3) = a.w;
        *(float4 *)&Bs[b_k][b_col] = b;
#else
        for (int i = 0; i < BM * BK / THREADS; i++) {
            int element = i * THREADS + threadIdx.x, row = element / BK, k = element % BK;
            bool inside = block_row + row < M && k0 + k < K;
            AS(row, k) = inside ? A[(size_t)(block_row + row) * lda + k0 + k] : 0.0f;
        }
        for (int i = 0; i < BK * BN / THREADS; i++) {
            int element = i * THREADS + threadIdx.x, k = element / BN, col = element % BN;
            bool inside = k0 + k < K && block_col + col < N;
            Bs[k][col] = inside ? B[(size_t)(k0 + k) * ldb + block_col + col] : 0.0f;
        }
#endif
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a_frag[TM], b_frag[TN];
#if SHARED128
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&a_frag[i] = *(float4 *)&As[k][thread_row + i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&b_frag[j] = *(float4 *)&Bs[k][thread_col + j];
#else
            for (int i = 0; i < TM; i++) a_frag[i] = load32(&As[thread_row + i][k]);
            for (int j = 0; j < TN; j++) b_frag[j] = load32(&Bs[k][thread_col + j]);
#endif
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
