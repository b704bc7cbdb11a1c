// For a K of 5 to 20: B stays in registers. A block takes BM rows and 128 columns; each of its WARPS_M warps loads DEPTH
// k's of B's columns once, four columns a lane, and walks down its rows of A.
//
//   -DBM               rows of the block; WARPS_M warps, one below the other
//   -DDEPTH            k's at a time: a K up to here needs no second turn
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

// C = alpha * A * B + beta * C for the warp's rows, of which `rows` are inside, and `depth` k's, at most 4 * quads. b and c are at the
// lane's first column, of which `left` columns are inside; as is at the warp's first row.
static __device__ __forceinline__ void write_rows(const float *as, float4 b_frag[DEPTH], float alpha, float beta,
                                                  float *c, int ldc, int rows, int left, const int apart,
                                                  const int quads) {
#pragma unroll 1
    for (int row = 0; row < WARP_ROWS && row < rows; row += ROWS, as += ROWS * AS_STRIDE) {
        float4 acc[ROWS] = {}, old[ROWS] = {};
#pragma unroll
        for (int q = 0; q < quads; q++) {
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                float4 quad = *(const float4 *)&as[i * AS_STRIDE + 4 * q];
                float a_frag[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    acc[i].x += a_frag[k] * b_frag[4 * q + k].x, acc[i].y += a_frag[k] * b_frag[4 * q + k].y;
                    acc[i].z += a_frag[k] * b_frag[4 * q + k].z, acc[i].w += a_frag[k] * b_frag[4 * q + k].w;
                }
            }
        }
        if (beta != 0.0f) {
#pragma unroll
            for (int i = 0; i < ROWS; i++) old[i] = load_apart(c + (size_t)i * ldc, row + i < rows ? left : 0, apart);
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++, c += ldc) {
            float4 v = {alpha * acc[i].x, alpha * acc[i].y, alpha * acc[i].z, alpha * acc[i].w};
            if (beta != 0.0f)
                v.x += beta * old[i].x, v.y += beta * old[i].y, v.z += beta * old[i].z, v.w += beta * old[i].w;
            store_apart(c, v, row + i < rows ? left : 0, apart);
        }
    }
}

// A turn: the block's tile of C from `depth` k's. All pointers are at the tile's first row or column.
static __device__ __forceinline__ void turn(float As[BM][AS_STRIDE], const float *a, int lda, const float *b, int ldb,
                                            float alpha, float beta, float *c, int ldc, int rows, int cols, int depth,
                                            const int apart, const int quads) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int col = lane * (apart == 1 ? COLUMNS : 1), row = warp * WARP_ROWS;
    float4 b_frag[DEPTH];
    copy_a(As, a, lda, rows, depth, quads);
#pragma unroll
    for (int k = 0; k < 4 * quads; k++, b += ldb) b_frag[k] = load_apart(b + col, k < depth ? cols - col : 0, apart);
    __syncthreads();
    write_rows(As[row], b_frag, alpha, beta, c + (size_t)row * ldc + col, ldc, rows - row, cols - col, apart, quads);
}

// The tile whose first element is C[row][col], from all of K. After the first turn what C has is added to. No more k's are computed
// than K needs, four at a time.
static __device__ __forceinline__ void write_tile(float As[BM][AS_STRIDE], int M, int N, int K, float alpha,
                                                  const float *A, int lda, const float *B, int ldb, float beta,
                                                  float *C, int ldc, int row, int col, const int apart) {
    for (int k = 0; k == 0 || k < K; k += DEPTH) {
        const float *a = &A[(size_t)row * lda + k], *b = &B[(size_t)k * ldb + col];
        float *c = &C[(size_t)row * ldc + col], old = k == 0 ? beta : 1.0f;
        int depth = min(K - k, DEPTH), quads = (depth + 3) / 4;
        if (k > 0) __syncthreads(); // the rows of A before are used up
        if (quads <= 1)
            turn(As, a, lda, b, ldb, alpha, old, c, ldc, M - row, N - col, depth, apart, 1);
        else if (quads == 2)
            turn(As, a, lda, b, ldb, alpha, old, c, ldc, M - row, N - col, depth, apart, 2);
        else if (quads == 3)
            turn(As, a, lda, b, ldb, alpha, old, c, ldc, M - row, N - col, depth, apart, 3);
        else if (quads == 4)
            turn(As, a, lda, b, ldb, alpha, old, c, ldc, M - row, N - col, depth, apart, 4);
        else
            turn(As, a, lda, b, ldb, alpha, old, c, ldc, M - row, N - col, depth, apart, QUADS);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    __shared__ __align__(16) float As[BM][AS_STRIDE];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN;
    struct tile tile = tile_at(blockIdx.x, tiles_m, tiles_n);
    int row = tile.row * BM, col = tile.col * BN;
    if (aligned16(B, ldb) && aligned16(C, ldc) && N % 4 == 0)
        write_tile(As, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc, row, col, 1);
    else
        write_tile(As, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc, row, col, 32);
}
