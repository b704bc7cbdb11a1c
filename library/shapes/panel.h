// A kernel for a K of 5 to 20: B stays in registers. A block computes BM rows and 128 columns. Each
// of its WARPS_M warps loads all k's of B's columns once, four columns per lane, and then walks
// down its rows of A.
//
//   -DBM               rows of the block; WARPS_M warps, one below the other
//   -DDEPTH            the largest K whose part of B fits in registers
//   -DROWS             rows that a warp computes at a time
//
//     A (BM, K), shared memory             B (K, 128)              C (BM, 128)
//                                          lane 0 1 2 ... 31
//     +-----+                              +---------------+
//     |=====| ROWS rows of a warp:         |4 4 4 ...    4 | k     +---------------+
//     |     | one load broadcasts          |4 4 4 ...    4 |       |===============| a warp stores
//     |     | four k's of a row            |      ...      |       |               | 512 bytes of a
//     +-----+                              +---------------+       +---------------+ row at once
//
// flat.h loads both A and B from shared memory for every four k's. This kernel loads only A: a warp
// keeps B for all its rows. A lane has four neighbouring columns if rows of B and C are 16-byte
// aligned. Otherwise its columns are 32 apart: it needs four stores instead of one, but each is
// coalesced.

#define COLUMNS   4                         // per lane
#define QUADS     ((DEPTH + 3) / 4)         // groups of four k's
#define A_DEPTH   (DEPTH > 16 ? 32 : DEPTH) // most k's of a row of A that are copied at once
#define AS_STRIDE (A_DEPTH + 4)             // rows begin at a multiple of 16 bytes
#define WARP_ROWS (BM / WARPS_M)

// Returns four elements of a row of B or C, `apart` columns apart, from *p on. The matrix has only
// `left` columns from *p on; elements after these are 0.
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

// Copies the first `depth` k's of the block's rows of A. A has only the first `rows` of these rows;
// for the others, zeros are stored. Requires: depth <= 4 * quads.
static __device__ __forceinline__ void copy_a(float As[BM][AS_STRIDE], const float *a, int lda,
                                              int rows, int depth, const int quads) {
    const int side_by_side = quads <= 1   ? 4
                             : quads <= 2 ? 8
                             : quads <= 4 ? 16
                                          : 32,
              height = THREADS / side_by_side;
    int row = threadIdx.x / side_by_side, k = threadIdx.x % side_by_side;
    float share[BM * A_DEPTH / THREADS]; // all are loaded before the first is stored
    a += (size_t)row * lda + k;
#pragma unroll
    for (int i = 0; i < BM / height; i++, a += (size_t)height * lda)
        share[i] = row + i * height < rows && k < depth ? *a : 0.0f;
#pragma unroll
    for (int i = 0; i < BM / height; i++) As[row + i * height][k] = share[i];
}

// Sets ROWS rows of C to alpha * acc + beta * C. `c` points to the lane's first column. C has only
// `rows` rows and `left` columns from there on.
static __device__ __forceinline__ void store_rows(float *c, int ldc, const float4 acc[ROWS],
                                                  float alpha, float beta, int rows, int left,
                                                  const int apart) {
    float4 old[ROWS] = {};
    if (beta != 0.0f) {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            old[i] = load_apart(c + (size_t)i * ldc, i < rows ? left : 0, apart);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++, c += ldc) {
        float4 v = {alpha * acc[i].x, alpha * acc[i].y, alpha * acc[i].z, alpha * acc[i].w};
        if (beta != 0.0f)
            v.x += beta * old[i].x, v.y += beta * old[i].y, v.z += beta * old[i].z,
                v.w += beta * old[i].w;
        store_apart(c, v, i < rows ? left : 0, apart);
    }
}

static __device__ __forceinline__ void add_product(float4 *acc, float a, float4 b) {
    acc->x += a * b.x, acc->y += a * b.y, acc->z += a * b.z, acc->w += a * b.w;
}

// Sets the warp's rows of C to alpha A B + beta C. C has only the first `rows` of these rows. There
// are 4 * quads k's. b_frag and `c` begin at the lane's first column, `as` at the warp's first row.
static __device__ __forceinline__ void write_rows(const float *as, float4 b_frag[DEPTH],
                                                  float alpha, float beta, float *c, int ldc,
                                                  int rows, int left, const int apart,
                                                  const int quads) {
#pragma unroll 1
    for (int row = 0; row < WARP_ROWS && row < rows;
         row += ROWS, as += ROWS * AS_STRIDE, c += (size_t)ROWS * ldc) {
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

// Computes the block's tile of C. Requires: K <= 4 * quads. `a` and `c` begin at the tile's first
// row, `b` and `c` at its first column.
static __device__ __forceinline__ void write_tile(float As[BM][AS_STRIDE], const float *a, int lda,
                                                  const float *b, int ldb, float alpha, float beta,
                                                  float *c, int ldc, int rows, int cols, int K,
                                                  const int apart, const int quads) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int col = lane * (apart == 1 ? COLUMNS : 1), row = warp * WARP_ROWS;
    float4 b_frag[DEPTH];
    copy_a(As, a, lda, rows, K, quads);
#pragma unroll
    for (int k = 0; k < 4 * quads; k++, b += ldb)
        b_frag[k] = load_apart(b + col, k < K ? cols - col : 0, apart);
    __syncthreads();
    write_rows(As[row], b_frag, alpha, beta, c + (size_t)row * ldc + col, ldc, rows - row,
               cols - col, apart, quads);
}

// Computes the block's tile of C for a K beyond DEPTH: B does not fit in registers, so A and B are
// loaded again for every ROWS rows. This is slow, and the rules never choose it. Adding the product
// of DEPTH k's at a time to C would be faster, but would round C once per DEPTH k's.
static __device__ __forceinline__ void write_deep_tile(const float *a, int lda, const float *b,
                                                       int ldb, float alpha, float beta, float *c,
                                                       int ldc, int rows, int cols, int K) {
    int col = threadIdx.x % 32, first = threadIdx.x / 32 * WARP_ROWS;
    for (int row = first; row < first + WARP_ROWS && row < rows; row += ROWS) {
        float4 acc[ROWS] = {};
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            float4 b_frag = load_apart(b + (size_t)k * ldb + col, cols - col, 32);
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                add_product(&acc[i], a[(size_t)min(row + i, rows - 1) * lda + k], b_frag);
        }
        store_rows(c + (size_t)row * ldc + col, ldc, acc, alpha, beta, rows - row, cols - col, 32);
    }
}

// Computes the block's tile of C for K <= DEPTH. Rounds K up to a multiple of four, which is then a
// constant of write_tile(), so that b_frag stays in registers.
static __device__ __forceinline__ void write_any_tile(float As[BM][AS_STRIDE], const float *a,
                                                      int lda, const float *b, int ldb, float alpha,
                                                      float beta, float *c, int ldc, int rows,
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
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
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
