// A kernel for one row or one column of C: the product of a matrix and a vector. The matrix is read
// only once, so a block keeps no operand in shared memory, and has as many loads in flight as its
// registers allow. Most of its threads divide K among them, so that a short C keeps the GPU busy.
//
//   -DBM=1 -DBN        BN elements of a row of C: the vector is a row of A, the matrix is B
//   -DBM -DBN=1        BM elements of a column of C: the vector is a column of B, the matrix is A
//   -DLANES_K          lanes of a warp along K; LANES_C = 32 / LANES_K lanes along C
//   -DWARPS_K          warps along K; WARPS_M * WARPS_N warps along C
//   -DAHEAD            k's that a thread loads before it uses the first
//
//   a row of C, LANES_K = 1                      a column of C, LANES_K = 32
//
//   B       lane 0 1 .. 31 | 0 1 .. 31 | ..      A       lane 0 1 .. 31 of warp 0 | of warp 1 | ..
//          +--------------------------------+           +----------------------------------------+
//   warp 0 | k                              |    row    | k k+1 ..                |              |
//   warp 1 | k + 1                          |    row +32| k k+1 .., by all lanes  |              |
//          | ..                             |           | ..                                     |
//
// Every load is one float per lane, coalesced, so alignment does not matter. The rows of A of a
// warp are 32 apart, except at the end of A (row_at()), so they begin at equal offsets within a
// 128-byte line for any lda. A warp's loads begin at the start of a line: no two share a sector.

#define LANES_C (32 / LANES_K)
#define LENGTH  (BM * BN)                                // elements of C per block
#define MINE    (LENGTH / (LANES_C * WARPS_M * WARPS_N)) // elements of C per thread, LANES_C apart
#define K_APART (WARPS_K * LANES_K)                      // distance between a thread's k's
#define K_GRAIN 8                                        // parts begin at whole sectors: 8 floats

// The operands of a thread: element e of C is the sum over k of
// matrix[e][k * step] * vector[k * vector_step].
struct operands {
    // the matrix at the thread's first k, which may lie before the part of K
    const float *matrix[MINE];
    const float *vector;
    int step, vector_step;
};

#define LINE 32 // floats per line of L2: 128 bytes

#if BM == 1
static __device__ __forceinline__ int row_at(unsigned tile_row, unsigned tiles_m, int place) {
    return (int)tile_row;
}

static __device__ __forceinline__ struct operands operands_of(const float *A, int lda,
                                                              const float *B, int ldb, int M, int N,
                                                              struct tile tile, unsigned tiles_m,
                                                              int first, int k) {
    struct operands o = {{}, &A[(size_t)tile.row * lda + k], ldb, 1};
#pragma unroll
    for (int e = 0; e < MINE; e++)
        o.matrix[e] = &B[(size_t)k * ldb + min(tile.col * BN + first + e * LANES_C, N - 1)];
    return o;
}

static __device__ __forceinline__ int before_line(const float *A, int lda, int row, int k) {
    return 0;
}
#else
// Returns the row of C that is element `place` of the block. A group of LINE warps has LINE * MINE
// rows; warp w of the group computes rows w, w + LINE, w + 2 LINE, ... of these. The last group may
// have fewer warps; then their number replaces LINE.
static __device__ __forceinline__ int row_at(unsigned tile_row, unsigned tiles_m, int place) {
    unsigned warp = tile_row * WARPS_M + place / MINE, first = warp / LINE * LINE;
    return (int)(first * MINE + warp - first + place % MINE * min(LINE, tiles_m * WARPS_M - first));
}

static __device__ __forceinline__ struct operands operands_of(const float *A, int lda,
                                                              const float *B, int ldb, int M, int N,
                                                              struct tile tile, unsigned tiles_m,
                                                              int first, int k) {
    struct operands o = {{}, &B[(ptrdiff_t)k * ldb + tile.col], 1, ldb};
#pragma unroll
    for (int e = 0; e < MINE; e++)
        o.matrix[e] = &A[(ptrdiff_t)min(row_at(tile.row, tiles_m, first + e), M - 1) * lda + k];
    return o;
}

// Returns the offset of A[row][k] within its line, in floats.
static __device__ __forceinline__ int before_line(const float *A, int lda, int row, int k) {
    return (int)((size_t)&A[(size_t)row * lda + k] / sizeof(float) % LINE);
}
#endif

// Adds matrix * vector to acc, over those k's of the thread that lie in the part of K, [0, length).
// `at` is the index of o's first k in the part; it may be negative. Elements outside C repeat the
// last element: their sums are never stored.
static __device__ __forceinline__ void multiply_vector(float acc[MINE], struct operands o, int at,
                                                       int length) {
#pragma unroll 1
    for (int left = length - at; left > 0; left -= AHEAD * K_APART) {
        float x[AHEAD][MINE], v[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            int after = left - u * K_APART; // number of k's from this one to the end of the part
            // Loads may begin before the part only if C is a column (before_line()).
            bool inside =
                BM == 1 ? after > 0 : (unsigned)(length - after) < (unsigned)max(length, 0);
            v[u] = inside ? o.vector[(size_t)(u * K_APART) * o.vector_step] : 0.0f;
#pragma unroll
            for (int e = 0; e < MINE; e++)
                x[u][e] = inside ? __ldcs(&o.matrix[e][(size_t)(u * K_APART) * o.step]) : 0.0f;
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
#pragma unroll
            for (int e = 0; e < MINE; e++) acc[e] += v[u] * x[u][e];
        o.vector += (size_t)(AHEAD * K_APART) * o.vector_step;
#pragma unroll
        for (int e = 0; e < MINE; e++) o.matrix[e] += (size_t)(AHEAD * K_APART) * o.step;
    }
}

// Adds the sums of the warp's lanes along K, always in the same order. Every lane gets the result.
static __device__ __forceinline__ void sum_lanes(float acc[MINE]) {
#pragma unroll
    for (int apart = 16; apart >= LANES_C; apart /= 2)
#pragma unroll
        for (int e = 0; e < MINE; e++) acc[e] += __shfl_xor_sync(0xffffffff, acc[e], apart);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    __shared__ float warp_sums[WARPS_K][LENGTH];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN,
             tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x, part = 0, parts = 1;
    if (gridDim.x > tiles)
        at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp_k = threadIdx.x / 32 % WARPS_K, warp_c = threadIdx.x / 32 / WARPS_K,
        lane = threadIdx.x % 32;
    int first = warp_c * (MINE * LANES_C) + lane % LANES_C; // first element of the thread
    int steps = K / K_GRAIN + (K % K_GRAIN > 0), begin = begin_of(steps, part, parts) * K_GRAIN;
    int length = min(begin_of(steps, part + 1, parts) * K_GRAIN, K) - begin; // 0 or less: no work

    float acc[MINE] = {};
    int k = warp_k * LANES_K + lane / LANES_C; // the thread's first k in the part
    k -= before_line(A, lda, min(row_at(tile.row, tiles_m, first), M - 1), begin);
    multiply_vector(acc, operands_of(A, lda, B, ldb, M, N, tile, tiles_m, first, begin + k), k,
                    length);
    sum_lanes(acc);
    if (lane < LANES_C) {
#pragma unroll
        for (int e = 0; e < MINE; e++) warp_sums[warp_k][first + e * LANES_C] = acc[e];
    }
    __syncthreads();

    // Each of the first LENGTH threads gets one element.
    int place = threadIdx.x;
    float sum[ELEMENTS] = {};
    if (place < LENGTH) {
#pragma unroll
        for (int w = 0; w < WARPS_K; w++) sum[0] += warp_sums[w][place];
    }
    if (!sum_parts(sum, at, tiles, part, parts)) return;
    int r = row_at(tile.row, tiles_m, place), c = tile.col * BN + (BN == 1 ? 0 : place);
    if (place < LENGTH && r < M && c < N) store1(&C[(size_t)r * ldc + c], sum[0], alpha, beta);
}
