// For a K of 5 to 20: B stays in registers. A block takes BM rows and 128 columns; each of its WARPS_M warps loads all
// k's of B's columns once, four columns a lane, and walks down its rows of A.
//
//   -DBM               rows of the block; WARPS_M warps, one below the other
//   -DDEPTH            the largest K whose part of B fits in registers
//   -DROWS             rows that a warp computes at a time
//
//     A (BM, K), through shared memory     B (K, 128)   lane 0 1 2 ... 31        C (BM, 128)
//                                                      +-----------------+
//     +-----+                                          |4 4 4 ...      4 | k     +-----------------+
//     |=====| ROWS rows of a warp, four k's            |4 4 4 ...      4 |       |=================| 512 bytes of a
//     |     | a load, the same for all lanes           |      ...        |       |                 | row at once
//     +-----+                                          +-----------------+       +-----------------+
//
// flat.h loads both A and B from shared memory for every four k's. Here a row needs loads of A alone, and what a block does once is
// spread over more rows. Where rows are not aligned to 16 bytes, a lane's columns are 32 apart: four stores in place of one, and
// each still of neighbours.

#define COLUMNS   4                         // of a lane
#define QUADS     ((DEPTH + 3) / 4)         // of k's
#define A_DEPTH   (DEPTH > 16 ? 32 : DEPTH) // k's of a row of A that the block's threads copy side by side, at most
#define AS_STRIDE (A_DEPTH + 4)             // rows begin at a multiple of 16 bytes
#define WARP_ROWS (BM / WARPS_M)

// Four columns of a row of B or C, `apart` columns apart, of which the first `left` columns are inside; zeros for the others.
static __device__ __forceinline__ float4 load_apart(const float *p, int left, const int apart) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (apart == 1) {
        if (left > 0) v = *(const float4 *)p;
    } else {
        if (left > 0 * apart) v.x = p[0 * apart];
        if (left > 1 * apart) v.y = p[1 * apart];
        if (left > 2 * apart) v.z = p[2 * apart];
        if (left > 3 * apart) v.w = p[3 * apart];
    }
    return v;
}

static __device__ __forceinline__ void store_apart(float *c, float4 v, int left, const int apart) {
    if (apart == 1) {
        if (left > 0) *(float4 *)c = v;
    } else {
        if (left > 0 * apart) c[0 * apart] = v.x;
        if (left > 1 * apart) c[1 * apart] = v.y;
        if (left > 2 * apart) c[2 * apart] = v.z;
        if (left > 3 * apart) c[3 * apart] = v.w;
    }
}

// Copies the first `depth` k's, at most 4 * quads, of the block's rows of A, of which `rows` are inside; zeros for the others.
static __device__ __forceinline__ void copy_a(float As[BM][AS_STRIDE], const float *a, int lda, int rows, int depth,
                                              const int quads) {
    const int side_by_side = quads <= 1 ? 4 : quads <= 2 ? 8 : quads <= 4 ? 16 : 32, height = THREADS / side_by_side;
    int row = threadIdx.x / side_by_side, k = threadIdx.x % side_by_side;
    float share[BM * A_DEPTH / THREADS]; // all are asked for before the first is stored
    a += (size_t)row * lda + k;
#pragma unroll
    for (int i = 0; i < BM / height; i++, a += (size_t)height * lda)
        share[i] = row + i * height < rows && k < depth ? *a : 0.0f;
#pragma unroll
    for (int i = 0; i < BM / height; i++) As[row + i * height][k] = share[i];
}

// C = alpha * acc + beta * C for ROWS rows, of which `rows` are inside. c is at the lane's first column, of which `left` columns are
// inside.
static __device__ __forceinline__ void store_rows(float *c, int ldc, const float4 acc[ROWS], float alpha, float beta,
                                                  int rows, int left, const int apart) {
    float4 old[ROWS] = {};
    if (beta != 0.0f) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) old[i] = load_apart(c + (size_t)i * ldc, i < rows ? left : 0, apart);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++, c += ldc) {
        float4 v = {alpha * acc[i].x, alpha * acc[i].y, alpha * acc[i].z, alpha * acc[i].w};
        if (beta != 0.0f)
            v.x += beta * old[i].x, v.y += beta * old[i].y, v.z += beta * old[i].z, v.w += beta * old[i].w;
        store_apart(c, v, i < rows ? left : 0, apart);
    }
}

static __device__ __forceinline__ void add_product(float4 *acc, float a, float4 b) {
    acc->x += a * b.x, acc->y += a * b.y, acc->z += a * b.z, acc->w += a * b.w;
}

// C = alpha * A * B + beta * C for the warp's rows, of which `rows` are inside, and at most 4 * quads k's. b_frag and c are at the
// lane's first column; as is at the warp's first row.
static __device__ __forceinline__ void write_rows(const float *as, float4 b_frag[DEPTH], float alpha, float beta,
                                                  float *c, int ldc, int rows, int left, const int apart,
                                                  const int quads) {
#pragma unroll 1
    for (int row = 0; row < WARP_ROWS && row < rows; row += ROWS, as += ROWS * AS_STRIDE, c += (size_t)ROWS * ldc) {
        float4 acc[ROWS] = {};
#pragma unroll
        for (int q = 0; q < quads; q++) {
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                float4 quad = *(const float4 *)&as[i * AS_STRIDE + 4 * q];
                float a_frag[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
                for (int k = 0; k < 4; k++) add_product(&acc[i], a_frag[k], b_frag[4 * q + k]);
            }
        }
        store_rows(c, ldc, acc, alpha, beta, rows - row, left, apart);
    }
}

// The block's tile of C from a K of up to 4 * quads. All pointers are at the tile's first row or column.
static __device__ __forceinline__ void write_tile(float As[BM][AS_STRIDE], const float *a, int lda, const float *b,
                                                  int ldb, float alpha, float beta, float *c, int ldc, int rows,
                                                  int cols, int K, const int apart, const int quads) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int col = lane * (apart == 1 ? COLUMNS : 1), row = warp * WARP_ROWS;
    float4 b_frag[DEPTH];
    copy_a(As, a, lda, rows, K, quads);
#pragma unroll
    for (int k = 0; k < 4 * quads; k++, b += ldb) b_frag[k] = load_apart(b + col, k < K ? cols - col : 0, apart);
    __syncthreads();
    write_rows(As[row], b_frag, alpha, beta, c + (size_t)row * ldc + col, ldc, rows - row, cols - col, apart, quads);
}

// The same from a K for which B does not fit in registers: the sums stay there, and A and B are loaded again for every ROWS rows. That
// is slow, and nobody chooses this kernel for it; a DEPTH of k's at a time, added to C, would round beta * C at each of them.
static __device__ __forceinline__ void write_deep_tile(const float *a, int lda, const float *b, int ldb, float alpha,
                                                       float beta, float *c, int ldc, int rows, int cols, int K) {
    int col = threadIdx.x % 32, first = threadIdx.x / 32 * WARP_ROWS;
    for (int row = first; row < first + WARP_ROWS && row < rows; row += ROWS) {
        float4 acc[ROWS] = {};
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            float4 b_frag = load_apart(b + (size_t)k * ldb + col, cols - col, 32);
#pragma unroll
            for (int i = 0; i < ROWS; i++) add_product(&acc[i], a[(size_t)min(row + i, rows - 1) * lda + k], b_frag);
        }
        store_rows(c + (size_t)row * ldc + col, ldc, acc, alpha, beta, rows - row, cols - col, 32);
    }
}

// The block's tile of C. No more k's are computed than K needs, four at a time.
static __device__ __forceinline__ void write_any_tile(float As[BM][AS_STRIDE], const float *a, int lda, const float *b,
                                                      int ldb, float alpha, float beta, float *c, int ldc, int rows,
                                                      int cols, int K, const int apart) {
    int quads = (K + 3) / 4;
    if (quads <= 1)
        write_tile(As, a, lda, b, ldb, alpha, beta, c, ldc, rows, cols, K, apart, 1);
    else if (quads == 2)
        write_tile(As, a, lda, b, ldb, alpha, beta, c, ldc, rows, cols, K, apart, 2);
    else if (quads == 3)
        write_tile(As, a, lda, b, ldb, alpha, beta, c, ldc, rows, cols, K, apart, 3);
    else if (quads == 4)
        write_tile(As, a, lda, b, ldb, alpha, beta, c, ldc, rows, cols, K, apart, 4);
    else
        write_tile(As, a, lda, b, ldb, alpha, beta, c, ldc, rows, cols, K, apart, QUADS);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    __shared__ __align__(16) float As[BM][AS_STRIDE];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN;
    struct tile tile = tile_at(blockIdx.x, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN, rows = M - row, cols = N - col;
    A += (size_t)row * lda, B += col, C += (size_t)row * ldc + col;
    if (K > DEPTH)
        write_deep_tile(A, lda, B, ldb, alpha, beta, C, ldc, rows, cols, K);
    else if (aligned16(B, ldb) && aligned16(C, ldc) && N % 4 == 0)
        write_any_tile(As, A, lda, B, ldb, alpha, beta, C, ldc, rows, cols, K, 1);
    else
        write_any_tile(As, A, lda, B, ldb, alpha, beta, C, ldc, rows, cols, K, 32);
}
