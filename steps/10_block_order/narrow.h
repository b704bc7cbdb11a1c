// For few columns of C: a block takes BM = TM * WARPS_M rows and BN columns, a warp TM rows (-DTM). Its lanes stand side by side
// along K, so that each load reads 32 neighbours of a row of A whatever lda is; A is read once, straight into registers, -DSTEPS of 32 k's at a time.
//
//     A (BM, K)                                       B (K, BN), through shared memory        C (BM, BN)
//
//             CHUNK k's: STEPS times 32 lanes              k, BN columns                      +--+
//            +--------+--------+--------+--------+        +--+                                |  | TM rows of warp 0
//     warp 0 | 0 .. 31|32 .. 63|        |        |        |  | lane 0, step 0                 +--+
//            | TM rows|        |        |        |        |  | lane 1                         |  | of warp 1
//            +--------+--------+--------+--------+        |..|                                +--+
//     warp 1 |        |        |        |        |        |  | lane 31                         ...
//            |        |        |        |        |        |  | lane 0, step 1
//            +--------+--------+--------+--------+         ...
//
// Each lane so has sums of its own over every 32nd k, for all TM x BN elements; at the end they are summed across lanes.

#define CHUNK    (32 * STEPS)
#define B_STRIDE (BN == 4 ? 4 : BN + 4) // of B's rows in shared memory: eight lanes, a float4 each, meet in no bank

// Each of the warp's rows of A, `ahead` past the lane's k, which is `left` before the end of the part: zeros from there on.
static __device__ __forceinline__ void load_rows(float a[TM], const float *const rows[TM], int ahead, int left) {
#pragma unroll
    for (int i = 0; i < TM; i++) a[i] = ahead < left ? __ldcs(rows[i] + ahead) : 0.0f;
}

// A thread's share of the copies of B: the first element of the next chunk, how many k's it lies before the end of the part, its
// place in the chunk, and whether it is in a column of B.
struct share {
    const float *b;
    int ldb, left, row, col;
    bool inside, quads; // quads: four columns at a time
};

static __device__ __forceinline__ void copy_columns(float to[CHUNK][B_STRIDE], const struct share *s, const int width) {
    const int apart = THREADS / (BN / width);
#pragma unroll
    for (int k = 0; k < CHUNK; k += apart)
        if (apart <= CHUNK || s->row < CHUNK)
            copy_async(&to[s->row + k][s->col], s->b + (size_t)k * s->ldb, width, s->inside && k < s->left);
}

// Starts the copies of the next chunk of B: zeros past the end of the part and past B's last column.
static __device__ __forceinline__ void copy_chunk(float to[CHUNK][B_STRIDE], struct share *s) {
    if (s->quads)
        copy_columns(to, s, 4);
    else
        copy_columns(to, s, 1);
    __pipeline_commit();
    s->b += (size_t)CHUNK * s->ldb;
    s->left -= CHUNK;
}

// acc += a * b for the warp's rows and the tile's first `cols` columns, one k a lane.
static __device__ __forceinline__ void multiply_step(float acc[TM][BN], const float a[TM], const float *bs,
                                                     const int cols) {
#pragma unroll
    for (int j = 0; j < cols; j += 4) {
        float4 b = *(const float4 *)&bs[j];
#pragma unroll
        for (int i = 0; i < TM; i++) {
            acc[i][j + 0] += a[i] * b.x, acc[i][j + 1] += a[i] * b.y;
            acc[i][j + 2] += a[i] * b.z, acc[i][j + 3] += a[i] * b.w;
        }
    }
}

// acc += the products over a part of K, which ends `length` k's on. Of A, STEPS steps are on their way: a step's registers are asked
// for again, a chunk further, as soon as they were used; of B, the next chunk.
static __device__ __forceinline__ void multiply_narrow(float acc[TM][BN], float Bs[2][CHUNK][B_STRIDE],
                                                       const float *rows[TM], struct share share, int length, int left,
                                                       const int cols) {
    int lane = threadIdx.x % 32;
    float a[STEPS][TM];
#pragma unroll
    for (int s = 0; s < STEPS; s++) load_rows(a[s], rows, s * 32, left);
    copy_chunk(Bs[0], &share);
    int stage = 0;
#pragma unroll 1
    for (int k = 0; k < length; k += CHUNK, stage ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads(); // the chunk before is used up
        copy_chunk(Bs[stage ^ 1], &share);
        left -= CHUNK;
#pragma unroll
        for (int i = 0; i < TM; i++) rows[i] += CHUNK;
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
            multiply_step(acc, a[s], Bs[stage][s * 32 + lane], cols);
            load_rows(a[s], rows, s * 32, left);
            __syncwarp(); // so that the compiler does not put these loads off until all steps are done
        }
    }
}

// Two lanes whose numbers differ in `bit` share the first 2 * half sums between them: each gives half of its own away, and adds
// what it gets to the other half.
static __device__ __forceinline__ void share_sums(float *sums, int half, int bit) {
    bool upper = threadIdx.x & bit;
#pragma unroll
    for (int i = 0; i < half; i++) {
        float low = sums[i], high = sums[i + half];
        sums[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffff, upper ? low : high, bit);
    }
}

// Sums of the warp's elements across its 32 lanes, always in the same order. Lane l is left with ELEMENTS of them, from the
// l * ELEMENTS-th on, in sums[0 ..].
static __device__ __forceinline__ void sum_lanes(float sums[TM * BN]) {
    share_sums(sums, TM * BN / 2, 16);
    share_sums(sums, TM * BN / 4, 8);
    share_sums(sums, TM * BN / 8, 4);
    share_sums(sums, TM * BN / 16, 2);
    share_sums(sums, TM * BN / 32, 1);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                      float *C, int ldc) {
    __shared__ __align__(16) float Bs[2][CHUNK][B_STRIDE];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN, tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = tile.row * BM + warp * TM, col = tile.col * BN, cols = min(N - col, BN); // the warp's first row
    int steps = K / 32 + (K % 32 > 0), begin = begin_of(steps, part, parts) * 32;
    int end = min(begin_of(steps, part + 1, parts) * 32, K);

    // The lane's k in each of the warp's rows. The last row of A stands in for those past it; what it adds to is never stored.
    const float *rows[TM];
#pragma unroll
    for (int i = 0; i < TM; i++) rows[i] = &A[(size_t)min(row + i, M - 1) * lda + begin + lane];

    bool quads = aligned16(B, ldb) && cols % 4 == 0;
    int width = quads ? 4 : 1, b_row = threadIdx.x / (BN / width), b_col = threadIdx.x % (BN / width) * width;
    struct share share = {
        &B[(size_t)(begin + b_row) * ldb + col + b_col], ldb, end - begin - b_row, b_row, b_col, b_col < cols, quads};

    // A warp that lies below C multiplies zeros. Where half of the columns do for C, the others are left out.
    int left = row < M ? end - begin - lane : 0;
    float acc[TM][BN] = {};
    if (BN == 4 || cols > BN / 2)
        multiply_narrow(acc, Bs, rows, share, end - begin, left, BN);
    else
        multiply_narrow(acc, Bs, rows, share, end - begin, left, BN / 2);

    // Lane l is left with ELEMENTS of the warp's TM x BN elements, row by row, from the l * ELEMENTS-th on.
    sum_lanes(acc[0]);
    if (!sum_parts(acc[0], at, tiles, part, parts)) return;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = lane * ELEMENTS + e, r = row + place / BN, c = col + place % BN;
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], acc[0][e], alpha, beta);
    }
}
