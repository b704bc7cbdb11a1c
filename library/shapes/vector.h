// For one row of C, or one column: a matrix by a vector. Everything is read once, so a block has as many loads on their way as its
// registers allow, keeps nothing in shared memory, and most of its threads share K: then few blocks, or one, do for a short C.
//
//   -DBM=1 -DBN        BN elements of a row of C: the vector is a row of A, the matrix is B
//   -DBM -DBN=1        BM elements of a column of C: the vector is a column of B, the matrix is A
//   -DLANES_K          lanes of a warp side by side along K; the other lanes stand side by side along C
//   -DWARPS_K          warps along K; WARPS_M * WARPS_N warps along C
//   -DAHEAD            k's that a thread asks for before it uses the first
//
//     a row of C, LANES_K = 1                            a column of C, LANES_K = 32
//
//     B       lane 0  1  2 .. 31 | 0  1 .. 31 | ..       A         lane 0 1 2 .. 31 of warp 0 | of warp 1 | ..
//            +---------------------------------+                  +-------------------------------------------+
//     warp 0 | k                               |           row    | k k+1 k+2 ..               |              |
//     warp 1 | k + 1                           |           row +1 | the same lanes once more   |              |
//            | ..                              |                  | ..                                        |
//
// Loads are of one float, of neighbours in a warp, so that alignment does not matter. A warp's rows of A are 32 apart, so that all
// of them begin equally far from a multiple of 128 bytes, whatever lda is; and there the warp's loads begin, so that none needs a
// sector that another has asked for.

#define LANES_C (32 / LANES_K)
#define LENGTH  (BM * BN)                                // of the block's piece of C
#define MINE    (LENGTH / (LANES_C * WARPS_M * WARPS_N)) // elements of C a thread, LANES_C apart
#define K_APART (WARPS_K * LANES_K)                      // a thread's k's
#define K_GRAIN 8                                        // parts of K begin at multiples: whole sectors of 32 bytes

// The operands of the block: element e of C at k needs matrix[e][k * step] * vector[k * vector_step].
struct operands {
    const float *matrix[MINE]; // at the thread's first k, which may lie before the part's
    const float *vector;
    int step, vector_step;
};

#define LINE 32 // floats that L2 gives at a time: 128 bytes

#if BM == 1
static __device__ __forceinline__ int row_at(unsigned tile_row, unsigned tiles_m, int place) {
    return (int)tile_row;
}

static __device__ __forceinline__ struct operands operands_of(const float *A, int lda, const float *B, int ldb, int M,
                                                              int N, struct tile tile, unsigned tiles_m, int first,
                                                              int k) {
    struct operands o = {{}, &A[(size_t)tile.row * lda + k], ldb, 1};
#pragma unroll
    for (int e = 0; e < MINE; e++) o.matrix[e] = &B[(size_t)k * ldb + min(tile.col * BN + first + e * LANES_C, N - 1)];
    return o;
}

static __device__ __forceinline__ int before_line(const float *A, int lda, int row, int k) {
    return 0;
}
#else
// The row of a block's element `place`. LINE warps along C have LINE * MINE rows, the last warps what is left.
static __device__ __forceinline__ int row_at(unsigned tile_row, unsigned tiles_m, int place) {
    unsigned warp = tile_row * WARPS_M + place / MINE, first = warp / LINE * LINE;
    return (int)(first * MINE + warp - first + place % MINE * min(LINE, tiles_m * WARPS_M - first));
}

static __device__ __forceinline__ struct operands operands_of(const float *A, int lda, const float *B, int ldb, int M,
                                                              int N, struct tile tile, unsigned tiles_m, int first,
                                                              int k) {
    struct operands o = {{}, &B[(ptrdiff_t)k * ldb + tile.col], 1, ldb};
#pragma unroll
    for (int e = 0; e < MINE; e++)
        o.matrix[e] = &A[(ptrdiff_t)min(row_at(tile.row, tiles_m, first + e), M - 1) * lda + k];
    return o;
}

// How many floats A(row, k) is past the beginning of a line.
static __device__ __forceinline__ int before_line(const float *A, int lda, int row, int k) {
    return (int)((size_t)&A[(size_t)row * lda + k] / sizeof(float) % LINE);
}
#endif

// acc += matrix * vector over the thread's k's, of which o's first is the part's `at`-th; of these, what is in [0, length) counts.
// Elements past the end of C repeat its last one: what they add up is never stored.
static __device__ __forceinline__ void multiply_vector(float acc[MINE], struct operands o, int at, int length) {
#pragma unroll 1
    for (int left = length - at; left > 0; left -= AHEAD * K_APART) {
        float x[AHEAD][MINE], v[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            int after = left - u * K_APART; // k's from this one to the end; only a column's loads begin before the part
            bool inside = BM == 1 ? after > 0 : (unsigned)(length - after) < (unsigned)max(length, 0);
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

// The sums of a warp's lanes along K, always in the same order; every lane has them.
static __device__ __forceinline__ void sum_lanes(float acc[MINE]) {
#pragma unroll
    for (int apart = 16; apart >= LANES_C; apart /= 2)
#pragma unroll
        for (int e = 0; e < MINE; e++) acc[e] += __shfl_xor_sync(0xffffffff, acc[e], apart);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    __shared__ float warp_sums[WARPS_K][LENGTH];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN, tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x, part = 0, parts = 1;
    if (gridDim.x > tiles) at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp_k = threadIdx.x / 32 % WARPS_K, warp_c = threadIdx.x / 32 / WARPS_K, lane = threadIdx.x % 32;
    int first = warp_c * (MINE * LANES_C) + lane % LANES_C; // of the thread's elements within the piece of C
    int steps = K / K_GRAIN + (K % K_GRAIN > 0), begin = begin_of(steps, part, parts) * K_GRAIN;
    int length = min(begin_of(steps, part + 1, parts) * K_GRAIN, K) - begin; // none or negative: a part without work

    float acc[MINE] = {};
    int k = warp_k * LANES_K + lane / LANES_C; // the thread's first, from the part's
    k -= before_line(A, lda, min(row_at(tile.row, tiles_m, first), M - 1), begin);
    multiply_vector(acc, operands_of(A, lda, B, ldb, M, N, tile, tiles_m, first, begin + k), k, length);
    sum_lanes(acc);
    if (lane < LANES_C) {
#pragma unroll
        for (int e = 0; e < MINE; e++) warp_sums[warp_k][first + e * LANES_C] = acc[e];
    }
    __syncthreads();

    // A thread is left with one element, the threads past LENGTH with none.
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
