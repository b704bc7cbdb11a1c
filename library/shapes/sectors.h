// A kernel for a small K, where most of the time goes into writing C. A block computes BM rows and
// 128 columns. It copies A and B through shared memory, DEPTH k's at a time.
//
//   -DBM               rows of the block; warp w computes rows w, w + WARPS_M, w + 2 WARPS_M, ...
//                      WARPS_M must be a multiple of eight
//   -DDEPTH            k's copied at a time: up to this K the loop runs once
//
// Memory is written by sectors of 32 bytes. A sector that two blocks write takes longer (measured;
// L2 may have to read it first). So a block's part of a row always begins at the start of a sector.
// If the row of C begins `shift` floats after such a start, the part begins `shift` columns to the
// left of the tile.
//
//     row 0, shift 0   |0 ...                   127|128 ...
//     row 1, shift 3      |0 ...                124|125 ...    sectors are aligned, columns are not
//     row 2, shift 6         |0 ...             121|122 ...
//
// A lane stores four neighbours of a row (16 bytes), a warp 512 bytes. So a lane needs four
// neighbours of a row of B, which can begin at any column. Shared memory holds four copies of B,
// each shifted by one column more: in one of them the four neighbours are 16-byte aligned.
//
//     Bs[0]   0 1 2 3 | 4 5 6 7 | 8 ...        shift 0, 4
//     Bs[1]  -1 0 1 2 | 3 4 5 6 | 7 ...        shift 1, 5
//     Bs[2]  -2 -1 0 1 | 2 3 4 5 | 6 ...       shift 2, 6
//
// Rows that are WARPS_M apart have equal shifts, so a warp loads B once for all its rows.

#define TILE_COLUMNS 128
#define SECTOR       8 // in floats
#define COPIES       4
#define COLUMNS      4                     // per thread
#define ROWS         (BM / WARPS_M)        // per thread
#define AS_STRIDE    (DEPTH + 4)           // a multiple of four
#define BS_COLUMNS   (TILE_COLUMNS + 4)    // four more columns on the left, for shifts of 4 to 7
#define AT_A_TIME    (ROWS < 4 ? ROWS : 4) // rows of the old C that are loaded at a time

struct panels {
    float As[BM][AS_STRIDE];
    float Bs[COPIES][DEPTH][BS_COLUMNS]; // Bs[s][k][x] is column x - 4 - s of the tile of B
};

// Copies `depth` k's of A and B to shared memory. A has only the first `rows` of the tile's rows.
// Writes only the copies of B that the tile's rows need: Bs[s] for s = first, first + step, ...
// Elements outside A and B become 0.
static __device__ __forceinline__ void copy_panels(struct panels *to, const float *a, int lda,
                                                   const float *b, int ldb, int rows, int col,
                                                   int N, int depth, int first, int step) {
    const int a_share = (BM * DEPTH + THREADS - 1) / THREADS; // per thread
    const int b_rows = (DEPTH + WARPS_M - 1) / WARPS_M, b_columns = BS_COLUMNS / 32 + 1;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float of_a[a_share], of_b[b_rows][b_columns]; // all are loaded before the first is stored
#pragma unroll
    for (int i = 0; i < a_share; i++) {
        int at = threadIdx.x + i * THREADS, row = at / DEPTH, k = at % DEPTH;
        of_a[i] = row < rows && k < depth ? a[(size_t)row * lda + k] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < b_rows; i++) {
        int k = warp + i * WARPS_M;
#pragma unroll
        for (int j = 0; j < b_columns; j++) {
            int c = col - (SECTOR - 1) + lane + 32 * j;
            of_b[i][j] = k < depth && (unsigned)c < (unsigned)N ? b[(size_t)k * ldb + c] : 0.0f;
        }
    }
#pragma unroll
    for (int i = 0; i < a_share; i++) {
        int at = threadIdx.x + i * THREADS;
        if (at < BM * DEPTH) to->As[at / DEPTH][at % DEPTH] = of_a[i];
    }
#pragma unroll 1
    for (int s = first; s < COPIES; s += step) {
#pragma unroll
        for (int i = 0; i < b_rows; i++) {
            int k = warp + i * WARPS_M;
#pragma unroll
            for (int j = 0; j < b_columns; j++) {
                int x = lane + 32 * j - (COPIES - 1) + s;
                if (k < DEPTH && (unsigned)x < BS_COLUMNS) to->Bs[s][k][x] = of_b[i][j];
            }
        }
    }
}

// Adds the product of the panels to acc, for the thread's rows and columns and the first `depth`
// k's. Takes four k's at a time. `bs` points to the thread's first column.
static __device__ __forceinline__ void multiply_panels(float acc[ROWS][COLUMNS],
                                                       const float as[BM][AS_STRIDE],
                                                       const float *bs, int depth) {
#pragma unroll 1
    for (int k = 0; k < depth; k += 4) {
        float4 b[4];
#pragma unroll
        for (int u = 0; u < 4; u++) b[u] = *(const float4 *)&bs[(k + u) * BS_COLUMNS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            float4 quad = *(const float4 *)&as[i * WARPS_M][k];
            float a[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (int u = 0; u < 4; u++) {
                acc[i][0] += a[u] * b[u].x, acc[i][1] += a[u] * b[u].y;
                acc[i][2] += a[u] * b[u].z, acc[i][3] += a[u] * b[u].w;
            }
        }
    }
}

// Returns four elements of a row of C from column `col` on, at `c`. Elements outside C are 0. `c`
// must be 16-byte aligned.
static __device__ __forceinline__ float4 load_inside(const float *c, int col, int N) {
    if (col >= 0 && col + COLUMNS <= N) return *(const float4 *)c;
    float v[COLUMNS];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) v[j] = (unsigned)(col + j) < (unsigned)N ? c[j] : 0.0f;
    return {v[0], v[1], v[2], v[3]};
}

static __device__ __forceinline__ void store_inside(float *c, float4 v, int col, int N) {
    if (col >= 0 && col + COLUMNS <= N) {
        *(float4 *)c = v;
    } else {
        if ((unsigned)(col + 0) < (unsigned)N) c[0] = v.x;
        if ((unsigned)(col + 1) < (unsigned)N) c[1] = v.y;
        if ((unsigned)(col + 2) < (unsigned)N) c[2] = v.z;
        if ((unsigned)(col + 3) < (unsigned)N) c[3] = v.w;
    }
}

// Sets the thread's rows of C to alpha * acc + beta * C. C has only the first `rows` of these rows.
// Does not read C if beta is 0.
static __device__ __forceinline__ void write_rows(float *c, int ldc, float acc[ROWS][COLUMNS],
                                                  float alpha, float beta, int rows, int col,
                                                  int N) {
#pragma unroll
    for (int i = 0; i < ROWS; i += AT_A_TIME) {
        float4 old[AT_A_TIME] = {};
        if (beta != 0.0f) {
#pragma unroll
            for (int u = 0; u < AT_A_TIME; u++)
                if (i + u < rows) old[u] = load_inside(c + (size_t)u * WARPS_M * ldc, col, N);
        }
#pragma unroll
        for (int u = 0; u < AT_A_TIME; u++, c += (size_t)WARPS_M * ldc) {
            float4 v = {alpha * acc[i + u][0], alpha * acc[i + u][1], alpha * acc[i + u][2],
                        alpha * acc[i + u][3]};
            if (beta != 0.0f)
                v.x += beta * old[u].x, v.y += beta * old[u].y, v.z += beta * old[u].z,
                    v.w += beta * old[u].w;
            if (i + u < rows) store_inside(c, v, col, N);
        }
    }
}

// Returns the offset of an address within its sector, in floats.
static __device__ int shift_of(const float *address) {
    return (int)((size_t)address / sizeof(float) % SECTOR);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) struct panels panels;

    // With shifts a row may need one more tile. The launch has a block for every 121 columns, which
    // suffices (SECTOR_COLUMNS in step.c). Blocks without a tile do nothing.
    bool shifted = shift_of(C) != 0 || ldc % SECTOR != 0;
    unsigned tiles_m = ((unsigned)M + BM - 1) / BM;
    unsigned tiles_n = ((unsigned)N + (shifted ? SECTOR - 1 : 0) + TILE_COLUMNS - 1) / TILE_COLUMNS;
    if (blockIdx.x >= tiles_m * tiles_n) return;
    struct tile tile = tile_at(blockIdx.x, tiles_m, tiles_n);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = tile.row * BM, col = tile.col * TILE_COLUMNS;
    int copies = ldc % 4 == 0 ? 1 : ldc % 2 == 0 ? 2 : 4; // copies of B that the tile's rows need
    float *c = &C[(size_t)(row + warp) * ldc];
    int shift = shift_of(c);
    const float *bs = &panels.Bs[shift % COPIES][0][lane * COLUMNS + (shift < COPIES ? COPIES : 0)];

    float acc[ROWS][COLUMNS] = {};
    for (int k = 0; k < K; k += DEPTH) {
        int depth = min(K - k, DEPTH);
        if (k > 0) __syncthreads(); // all warps have read the previous panels
        copy_panels(&panels, A + (size_t)row * lda + k, lda, B + (size_t)k * ldb, ldb, M - row, col,
                    N, depth, shift_of(C) % (COPIES / copies), COPIES / copies);
        __syncthreads();
        multiply_panels(acc, panels.As + warp, bs, depth);
    }
    col += lane * COLUMNS - shift; // the thread's first column
    write_rows(c + col, ldc, acc, alpha, beta, (M - row - warp + WARPS_M - 1) / WARPS_M, col, N);
}
