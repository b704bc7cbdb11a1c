// Step 08, variants: two buffers only for tiles, or only for fragments. kernel.cu has both.
//
//   -DSHARED_BUFFERS=1, 2   2: the next tile is loaded early and stored to a second buffer
//   -DFRAG_BUFFERS=1, 2     2: the fragments of k + 1 are loaded before the FMAs of k

#define BM      128
#define BN      128
#define BK      8
#define TM      8
#define TN      8
#define WM      32
#define WN      64
#define WARPS_N (BN / WN)
#define THREADS 256

#define ROW_STEP (WM / 2) // a thread's other four rows lie ROW_STEP below its first four
#define COL_STEP (WN / 2)

#define AS_COLUMN(k, row) ((row) ^ (k) / 4 * 16) // step 06: stores without bank conflicts

static __device__ bool aligned16(const float *matrix, int ld); // defined at the end of the file
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned);
static __device__ void store4(float *C, int ldc, int M, int N, int row, int col, const float acc[4],
                              float alpha, float beta, bool aligned);

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_double_buffer(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                        int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) float As[SHARED_BUFFERS][BK][BM]; // (buffer, k, row of C)
    __shared__ __align__(16) float Bs[SHARED_BUFFERS][BK][BN]; // (buffer, k, column of C)

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
    float a_frag[FRAG_BUFFERS][TM], b_frag[FRAG_BUFFERS][TN];
    int buffer = 0; // the buffer of this tile
    float4 a, b;    // the thread's share of the tile to be stored next

#if SHARED_BUFFERS == 2
    a = load4(A, lda, M, K, block_row + a_row, a_k, a_aligned);
    b = load4(B, ldb, K, N, b_k, block_col + b_col, b_aligned);
#endif
    for (int k0 = 0; k0 < K; k0 += BK) {
#if SHARED_BUFFERS == 1
        a = load4(A, lda, M, K, block_row + a_row, k0 + a_k, a_aligned);
        b = load4(B, ldb, K, N, k0 + b_k, block_col + b_col, b_aligned);
        __syncthreads(); // all warps have read this buffer
#endif
        As[buffer][a_k + 0][as_column] = a.x;
        As[buffer][a_k + 1][as_column] = a.y;
        As[buffer][a_k + 2][as_column] = a.z;
        As[buffer][a_k + 3][as_column] = a.w;
        *(float4 *)&Bs[buffer][b_k][b_col] = b;
        __syncthreads();
#if SHARED_BUFFERS == 2
        a = load4(A, lda, M, K, block_row + a_row, k0 + BK + a_k, a_aligned); // zeros beyond K
        b = load4(B, ldb, K, N, k0 + BK + b_k, block_col + b_col, b_aligned);
#endif

#pragma unroll
        for (int step = 1 - FRAG_BUFFERS; step < BK; step++) {
            int load_k = step + FRAG_BUFFERS - 1; // 2 buffers: one k ahead of the FMAs
            if (load_k < BK) {
                float *a_to = a_frag[load_k % FRAG_BUFFERS], *b_to = b_frag[load_k % FRAG_BUFFERS];
                for (int i = 0; i < TM / 4; i++)
                    *(float4 *)&a_to[i * 4] = *(
                        float4 *)&As[buffer][load_k][AS_COLUMN(load_k, thread_row + i * ROW_STEP)];
                for (int j = 0; j < TN / 4; j++)
                    *(float4 *)&b_to[j * 4] =
                        *(float4 *)&Bs[buffer][load_k][thread_col + j * COL_STEP];
            }
            if (step >= 0)
                for (int i = 0; i < TM; i++)
                    for (int j = 0; j < TN; j++)
                        acc[i][j] +=
                            a_frag[step % FRAG_BUFFERS][i] * b_frag[step % FRAG_BUFFERS][j];
        }
        buffer ^= SHARED_BUFFERS - 1;
    }

#pragma unroll
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN / 4; j++)
            store4(C, ldc, M, N, block_row + thread_row + i / 4 * ROW_STEP + i % 4,
                   block_col + thread_col + j * COL_STEP, &acc[i][j * 4], alpha, beta, c_aligned);
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
