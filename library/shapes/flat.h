// A kernel for a small K, where most of the time goes into writing C. A block computes BM rows and
// BN columns. It copies A and B through shared memory, DEPTH k's at a time.
//
//   -DBM -DBN          block tile; WARPS_M warps, one below the other
//   -DDEPTH            k's copied at a time: up to this K the loop runs once
//
// The 32 lanes of a warp lie over C as LANES_COL = 32 / LANES_ROW rows of LANES_ROW = BN / 4 lanes:
//
//     BN = 128:  lanes 0 .. 31 in one row
//     BN = 16:   lanes 0 .. 3 in one row, 4 .. 7 in the next, ...: eight rows
//
// So a warp stores 512 contiguous bytes of a row (BN = 128), or 64 bytes of each of eight rows
// (BN = 16), which are contiguous if C has 16 columns. A lane has four neighbouring columns if rows
// of C are 16-byte aligned. Otherwise its columns are LANES_ROW apart: it needs four stores instead
// of one, but each is coalesced.

#define LANES_ROW (BN / 4)                     // lanes side by side along a row of C
#define LANES_COL (32 / LANES_ROW)             // rows of lanes
#define TM        (BM / (WARPS_M * LANES_COL)) // rows per thread, LANES_COL apart
#define AT_A_TIME (TM < 4 ? TM : 4)            // rows of the old C that are loaded at a time
#define AS_STRIDE (DEPTH + 4)                  // four k's of eight rows lie in different banks

struct panels {
    float As[BM][AS_STRIDE];
    float Bs[DEPTH][BN];
};

// Rows of A and of B that the block copies at once, one element per thread.
#define A_ROWS (THREADS / DEPTH)
#define B_ROWS (THREADS / BN)

// Copies DEPTH k's of the tile's rows of A and columns of B, which begin at `a` and `b`. The
// matrices have only the first `rows` rows, `cols` columns and `depth` k's; for the others, zeros
// are stored. All loads start before the first store.
static __device__ __forceinline__ void copy_panels(struct panels *to, const float *a, int lda,
                                                   const float *b, int ldb, int rows, int cols,
                                                   int depth) {
    int a_row = threadIdx.x / DEPTH, a_k = threadIdx.x % DEPTH, b_k = threadIdx.x / BN,
        b_col = threadIdx.x % BN;
    float a_share[BM / A_ROWS], b_share[DEPTH / B_ROWS];
    a += (size_t)a_row * lda + a_k;
    b += (size_t)b_k * ldb + b_col;
#pragma unroll
    for (int i = 0; i < BM / A_ROWS; i++, a += (size_t)A_ROWS * lda)
        a_share[i] = a_row + i * A_ROWS < rows && a_k < depth ? *a : 0.0f;
#pragma unroll
    for (int i = 0; i < DEPTH / B_ROWS; i++, b += (size_t)B_ROWS * ldb)
        b_share[i] = b_k + i * B_ROWS < depth && b_col < cols ? *b : 0.0f;
#pragma unroll
    for (int i = 0; i < BM / A_ROWS; i++) to->As[a_row + i * A_ROWS][a_k] = a_share[i];
#pragma unroll
    for (int i = 0; i < DEPTH / B_ROWS; i++) to->Bs[b_k + i * B_ROWS][b_col] = b_share[i];
}

// Returns four elements of a row, `apart` columns apart, from *p on. The matrix has only `cols`
// columns from *p on; elements after these are 0.
static __device__ __forceinline__ float4 load_apart(const float *p, int cols, int apart) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (apart == 1 && cols > 3) return *(const float4 *)p;
    if (cols > 0 * apart) v.x = p[0 * apart];
    if (cols > 1 * apart) v.y = p[1 * apart];
    if (cols > 2 * apart) v.z = p[2 * apart];
    if (cols > 3 * apart) v.w = p[3 * apart];
    return v;
}

// Adds the product of the panels to acc, for the thread's rows and columns and the first `depth`
// k's. Takes four k's at a time.
static __device__ __forceinline__ void multiply_panels(float acc[TM][4],
                                                       const struct panels *panels, int row,
                                                       int col, int depth, int apart) {
#pragma unroll 1
    for (int k = 0; k < depth; k += 4) {
        float4 b[4];
#pragma unroll
        for (int u = 0; u < 4; u++) b[u] = load_apart(&panels->Bs[k + u][col], BN, apart);
#pragma unroll
        for (int i = 0; i < TM; i++) {
            float4 quad = *(const float4 *)&panels->As[row + i * LANES_COL][k];
            float a[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (int u = 0; u < 4; u++) {
                acc[i][0] += a[u] * b[u].x, acc[i][1] += a[u] * b[u].y;
                acc[i][2] += a[u] * b[u].z, acc[i][3] += a[u] * b[u].w;
            }
        }
    }
}

// Stores four elements of a row, `apart` columns apart, from *c on. C has only `cols` columns from
// *c on; elements after these are not stored.
static __device__ __forceinline__ void store_apart(float *c, const float v[4], int cols,
                                                   int apart) {
    if (apart == 1 && cols > 3) {
        *(float4 *)c = {v[0], v[1], v[2], v[3]};
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (j * apart < cols) c[j * apart] = v[j];
}

// Sets the thread's elements of C, from *c on, to alpha * acc. C has only `rows` rows and `cols`
// columns from *c on.
static __device__ __forceinline__ void write_rows(float *c, int ldc, float acc[TM][4], float alpha,
                                                  int rows, int cols, int apart) {
#pragma unroll
    for (int i = 0; i < TM; i++, c += (size_t)LANES_COL * ldc) {
        float v[4] = {alpha * acc[i][0], alpha * acc[i][1], alpha * acc[i][2], alpha * acc[i][3]};
        if (i * LANES_COL < rows) store_apart(c, v, cols, apart);
    }
}

// Like write_rows(), but adds beta * C. Loads AT_A_TIME rows of the old C before it stores the
// first.
static __device__ __forceinline__ void update_rows(float *c, int ldc, float acc[TM][4], float alpha,
                                                   float beta, int rows, int cols, int apart) {
#pragma unroll
    for (int i = 0; i < TM; i += AT_A_TIME) {
        float4 old[AT_A_TIME];
#pragma unroll
        for (int u = 0; u < AT_A_TIME; u++)
            old[u] = load_apart(c + (size_t)u * LANES_COL * ldc,
                                (i + u) * LANES_COL < rows ? cols : 0, apart);
#pragma unroll
        for (int u = 0; u < AT_A_TIME; u++, c += (size_t)LANES_COL * ldc) {
            float v[4] = {
                alpha * acc[i + u][0] + beta * old[u].x, alpha * acc[i + u][1] + beta * old[u].y,
                alpha * acc[i + u][2] + beta * old[u].z, alpha * acc[i + u][3] + beta * old[u].w};
            if ((i + u) * LANES_COL < rows) store_apart(c, v, cols, apart);
        }
    }
}

// Computes the thread's elements of the tile whose first element is C[row][col].
static __device__ __forceinline__ void write_tile(struct panels *panels, int M, int N, int K,
                                                  float alpha, const float *A, int lda,
                                                  const float *B, int ldb, float beta, float *C,
                                                  int ldc, int row, int col, int apart) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int thread_row = warp * TM * LANES_COL + lane / LANES_ROW; // first row in the tile
    int thread_col = lane % LANES_ROW * (apart == 1 ? 4 : 1);
    float acc[TM][4] = {};
    for (int k = 0; k < K; k += DEPTH) {
        int depth = min(K - k, DEPTH);
        if (k > 0) __syncthreads(); // all warps have read the previous panels
        copy_panels(panels, A + (size_t)row * lda + k, lda, B + (size_t)k * ldb + col, ldb, M - row,
                    N - col, depth);
        __syncthreads();
        multiply_panels(acc, panels, thread_row, thread_col, depth, apart);
    }
    float *c = &C[(size_t)(row + thread_row) * ldc + col + thread_col];
    int rows = M - row - thread_row, cols = N - col - thread_col;
    if (beta == 0.0f)
        write_rows(c, ldc, acc, alpha, rows, cols, apart);
    else
        update_rows(c, ldc, acc, alpha, beta, rows, cols, apart);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) struct panels panels;

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN;
    struct tile tile = tile_at(blockIdx.x, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN;
    if (aligned16(C, ldc))
        write_tile(&panels, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc, row, col, 1);
    else
        write_tile(&panels, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc, row, col, LANES_ROW);
}
