// Exercise 04a: step 04 with 4 rows of 8 lanes. Arrange the lanes as 8 rows of 4.
//
//   warp tile as given, LANES_M = 4, LANES_N = 8, WM = 32, WN = 64; a block has 4 x 2 of them:
//
//        lane  0  1  2  3  4  5  6  7     each lane has a tile of 8 x 8 neighbours (TM x TN)
//              8  9 10 11 12 13 14 15
//             16 17 18 19 20 21 22 23
//             24 25 26 27 28 29 30 31

#define BM      128
#define BN      128
#define BK      8
#define TM      8
#define TN      8
#define THREADS 256

// ---- your lines ----
#define LANES_M 4 // rows of lanes in a warp
#define LANES_N 8 // columns of lanes in a warp
#define WARPS_N 2 // warp tiles side by side in the block tile
// --------------------

#define WM (LANES_M * TM)
#define WN (LANES_N * TN)

// Loads 32 bits from shared memory. Without `volatile` the compiler would merge a thread's
// neighbouring loads into 128-bit loads (step 05) where it can prove that they are aligned.
static __device__ float load32(const float &shared) {
    return *(const volatile float *)&shared;
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    sgemm_exercise(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                   int ldb, float beta, float *C, int ldc) {
    __shared__ float As[BM][BK + 1]; // (row of C, k); padded: rows 8 apart are in different banks
    __shared__ float Bs[BK][BN];     // (k, column of C)

    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int thread_row = warp / WARPS_N * WM + lane / LANES_N * TM; // first row in the block tile
    int thread_col = warp % WARPS_N * WN + lane % LANES_N * TN;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = 0; i < BM * BK / THREADS; i++) {
            int element = i * THREADS + threadIdx.x, row = element / BK, k = element % BK;
            bool inside = block_row + row < M && k0 + k < K;
            As[row][k] = inside ? A[(size_t)(block_row + row) * lda + k0 + k] : 0.0f;
        }
        for (int i = 0; i < BK * BN / THREADS; i++) {
            int element = i * THREADS + threadIdx.x, k = element / BN, col = element % BN;
            bool inside = k0 + k < K && block_col + col < N;
            Bs[k][col] = inside ? B[(size_t)(k0 + k) * ldb + block_col + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a_frag[TM], b_frag[TN];
            for (int i = 0; i < TM; i++) a_frag[i] = load32(As[thread_row + i][k]);
            for (int j = 0; j < TN; j++) b_frag[j] = load32(Bs[k][thread_col + j]);
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++) acc[i][j] += a_frag[i] * b_frag[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; i++) {
        for (int j = 0; j < TN; j++) {
            int row = block_row + thread_row + i, col = block_col + thread_col + j;
            if (row < M && col < N) {
                float *c = &C[(size_t)row * ldc + col];
                float old = beta == 0.0f ? 0.0f : *c; // beta 0: C may hold NaN and is not read
                *c = alpha * acc[i][j] + beta * old;
            }
        }
    }
}
