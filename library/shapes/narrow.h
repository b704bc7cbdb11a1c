// A kernel for few columns of C. A block computes BM = TM * WARPS_M rows and BN columns; each of
// its warps computes TM rows (-DTM). The lanes of a warp have neighbouring k's, so that each load
// of A is coalesced whatever lda is. A is read once, directly into registers.
//
//     A (BM, K)                                     B (K, BN), shared      C (BM, BN)
//
//             CHUNK k's: STEPS times 32 lanes            k, BN columns      +--+
//            +--------+--------+--------+--------+      +--+                |  | TM rows of warp 0
//     warp 0 | 0 .. 31|32 .. 63|        |        |      |  | lane 0, step 0 +--+
//            | TM rows|        |        |        |      |  | lane 1         |  | of warp 1
//            +--------+--------+--------+--------+      |..|                +--+
//     warp 1 |        |        |        |        |      |  | lane 31         ...
//            |        |        |        |        |      |  | lane 0, step 1
//            +--------+--------+--------+--------+       ...
//
// So lane l sums over the k's l, l + 32, l + 64, ... for all TM x BN elements of its warp. At the
// end the lanes' sums are added.
//
//   -DSTEPS            steps per chunk; a step is one k per lane
//   -DGROUP            steps that are loaded together: DRAM is faster for long pieces of a row of A
//   -DPARTS_FIRST=1    neighbouring blocks compute the parts along K of one tile: blocks that run
//                      together read whole rows of A instead of parts of all rows; default: 0

#ifndef PARTS_FIRST
#define PARTS_FIRST 0
#endif

#define CHUNK (32 * STEPS)
// Stride of B's rows in shared memory, for which float4 loads of eight lanes use different banks.
#define B_STRIDE (BN == 4 ? 4 : BN + 4)

// Loads one element of each of the warp's rows of A: the one at k + ahead; k is the lane's own k.
// The block's part of K ends at k + left; elements from there on are 0.
static __device__ __forceinline__ void load_rows(float a[TM], const float *const rows[TM],
                                                 int ahead, int left) {
#pragma unroll
    for (int i = 0; i < TM; i++) a[i] = ahead < left ? __ldcs(rows[i] + ahead) : 0.0f;
}

// Starts the copy of a chunk of B. A thread copies `width` neighbours of a row (1 or 4) at a time.
// Rows from number `left` on and columns from number `cols` on become 0.
static __device__ __forceinline__ void copy_rows(float to[CHUNK][B_STRIDE], const float *b, int ldb,
                                                 int left, int cols, const int width) {
    const int height = THREADS / (BN / width); // rows that the block's threads copy at once
    int row = threadIdx.x / (BN / width), col = threadIdx.x % (BN / width) * width;
#pragma unroll
    for (int i = 0; i < CHUNK; i += height) {
        if (height <= CHUNK || row < CHUNK)
            copy_async(&to[row + i][col], b + (size_t)(row + i) * ldb + col, width,
                       row + i < left && col < cols);
    }
}

static __device__ __forceinline__ void copy_chunk(float to[CHUNK][B_STRIDE], const float *b,
                                                  int ldb, int left, int cols, bool aligned) {
    if (aligned)
        copy_rows(to, b, ldb, left, cols, 4);
    else
        copy_rows(to, b, ldb, left, cols, 1);
    __pipeline_commit();
}

// Adds a * b to acc for the warp's rows and the tile's `cols` columns; each lane has one k. Skips
// groups of four columns that lie outside C.
static __device__ __forceinline__ void multiply_step(float acc[TM][BN], const float a[TM],
                                                     const float *bs, int cols) {
#pragma unroll
    for (int j = 0; j < BN; j += 4) {
        if (j > 0 && j >= cols) break;
        float4 b = *(const float4 *)&bs[j];
#pragma unroll
        for (int i = 0; i < TM; i++) {
            acc[i][j + 0] += a[i] * b.x, acc[i][j + 1] += a[i] * b.y;
            acc[i][j + 2] += a[i] * b.z, acc[i][j + 3] += a[i] * b.w;
        }
    }
}

// Divides the first 2 * half sums between two lanes whose numbers differ in `bit`. Each lane sends
// one half of its sums, and adds the half that it receives to the half that it keeps.
static __device__ __forceinline__ void share_sums(float *sums, int half, int bit) {
    bool upper = threadIdx.x & bit;
#pragma unroll
    for (int i = 0; i < half; i++) {
        float low = sums[i], high = sums[i + half];
        sums[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffff, upper ? low : high, bit);
    }
}

// Adds the 32 lanes' sums of the warp's elements, always in the same order. Lane l gets the results
// for ELEMENTS elements, from element l * ELEMENTS on, in sums[0] to sums[ELEMENTS - 1].
static __device__ __forceinline__ void sum_lanes(float sums[TM * BN]) {
    share_sums(sums, TM * BN / 2, 16);
    share_sums(sums, TM * BN / 4, 8);
    share_sums(sums, TM * BN / 8, 4);
    share_sums(sums, TM * BN / 16, 2);
    share_sums(sums, TM * BN / 32, 1);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm_block_order(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                      int ldb, float beta, float *C, int ldc) {
    __shared__ __align__(16) float Bs[2][CHUNK][B_STRIDE];

    unsigned tiles_m = ((unsigned)M + BM - 1) / BM, tiles_n = ((unsigned)N + BN - 1) / BN,
             tiles = tiles_m * tiles_n;
    unsigned at = blockIdx.x % tiles, part = blockIdx.x / tiles, parts = gridDim.x / tiles;
    if (PARTS_FIRST) at = blockIdx.x / parts, part = blockIdx.x % parts;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = tile.row * BM + warp * TM; // the warp's first row
    int col = tile.col * BN, cols = min(N - col, BN);
    int steps = K / 32 + (K % 32 > 0), begin = begin_of(steps, part, parts) * 32;
    int end = min(begin_of(steps, part + 1, parts) * 32, K);
    bool idle = row >= M; // true if the warp has no rows: it only copies B

    // Addresses of the lane's first element in each of the warp's rows. Instead of a row outside A,
    // A's last row is read: its sums are never stored.
    const float *rows[TM];
#pragma unroll
    for (int i = 0; i < TM; i++) rows[i] = &A[(size_t)min(row + i, M - 1) * lda + begin + lane];

    // A group's registers are loaded for the next chunk right after use: loads of STEPS steps are
    // in flight.
    float acc[TM][BN] = {}, a[STEPS][TM];
    const float *b = &B[(size_t)begin * ldb + col];
    bool aligned = aligned16(B, ldb) && N % 4 == 0;
    int left = idle ? 0 : end - begin - lane, stage = 0;
    copy_chunk(Bs[0], b, ldb, end - begin, cols, aligned);
#pragma unroll
    for (int s = 0; s < STEPS; s++) load_rows(a[s], rows, s * 32, left);
#pragma unroll 1
    for (int k = begin; k < end; k += CHUNK, stage ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads(); // all threads have copied this chunk of B and read the one before
        b += (size_t)CHUNK * ldb;
        copy_chunk(Bs[stage ^ 1], b, ldb, end - k - CHUNK, cols, aligned);
        if (idle) continue;
        left -= CHUNK;
#pragma unroll
        for (int i = 0; i < TM; i++) rows[i] += CHUNK;
#pragma unroll
        for (int group = 0; group < STEPS; group += GROUP) {
#pragma unroll
            for (int s = group; s < group + GROUP; s++)
                multiply_step(acc, a[s], Bs[stage][s * 32 + lane], cols);
#pragma unroll
            for (int s = group; s < group + GROUP; s++) load_rows(a[s], rows, s * 32, left);
        }
    }

    // Lane l gets ELEMENTS of the warp's TM x BN elements, counted row by row from l * ELEMENTS on.
    sum_lanes(acc[0]);
    if (!sum_parts(acc[0], at, tiles, part, parts)) return;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = lane * ELEMENTS + e, r = row + place / BN, c = col + place % BN;
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], acc[0][e], alpha, beta);
    }
}
