// For few columns of C: a block takes BM = TM * WARPS_M rows and BN columns, a warp TM rows (-DTM). Its lanes stand side by side
// along K, so that each load reads 32 neighbours of a row of A whatever lda is; A is read once, straight into registers.
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
//
//   -DSTEPS -DGROUP    steps of a chunk; steps whose rows of A are asked for at once: memory likes long pieces of a row
//   -DPARTS_FIRST=1    a tile's parts are neighbouring blocks, so that those that run read all of few rows, not a part of all; 0 if
//                      not given

#ifndef PARTS_FIRST
#define PARTS_FIRST 0
#endif

#define CHUNK    (32 * STEPS)
#define B_STRIDE (BN == 4 ? 4 : BN + 4) // of B's rows in shared memory: eight lanes, a float4 each, meet in no bank

// Each of the warp's rows of A, `ahead` past the lane's k, which is `left` before the end of the part: zeros from there on.
static __device__ __forceinline__ void load_rows(float a[TM], const float *const rows[TM], int ahead, int left) {
#pragma unroll
    for (int i = 0; i < TM; i++) a[i] = ahead < left ? __ldcs(rows[i] + ahead) : 0.0f;
}

// Starts the copy of a chunk of B, `width` neighbours of a row, 1 or 4, at a time: zeros past the part's end, `left` rows from here,
// and past B's last column.
static __device__ __forceinline__ void copy_rows(float to[CHUNK][B_STRIDE], const float *b, int ldb, int left, int cols,
                                                 const int width) {
    const int height = THREADS / (BN / width); // rows that the block's threads copy at once
    int row = threadIdx.x / (BN / width), col = threadIdx.x % (BN / width) * width;
#pragma unroll
    for (int i = 0; i < CHUNK; i += height) {
        if (height <= CHUNK || row < CHUNK)
            copy_async(&to[row + i][col], b + (size_t)(row + i) * ldb + col, width, row + i < left && col < cols);
    }
}

static __device__ __forceinline__ void copy_chunk(float to[CHUNK][B_STRIDE], const float *b, int ldb, int left,
                                                  int cols, bool aligned) {
    if (aligned)
        copy_rows(to, b, ldb, left, cols, 4);
    else
        copy_rows(to, b, ldb, left, cols, 1);
    __pipeline_commit();
}

// acc += a * b for the warp's rows and the tile's `cols` columns, one k a lane. Four columns at a time; those of which none
// is inside are left out.
static __device__ __forceinline__ void multiply_step(float acc[TM][BN], const float a[TM], const float *bs, int cols) {
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
    if (PARTS_FIRST) at = blockIdx.x / parts, part = blockIdx.x % parts;
    struct tile tile = tile_at(at, tiles_m, tiles_n);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = tile.row * BM + warp * TM, col = tile.col * BN, cols = min(N - col, BN); // the warp's first row
    int steps = K / 32 + (K % 32 > 0), begin = begin_of(steps, part, parts) * 32;
    int end = min(begin_of(steps, part + 1, parts) * 32, K);
    bool idle = row >= M; // the whole warp: it only copies B

    // The lane's k in each of the warp's rows. The last row of A stands in for those past it; what it adds to is never stored.
    const float *rows[TM];
#pragma unroll
    for (int i = 0; i < TM; i++) rows[i] = &A[(size_t)min(row + i, M - 1) * lda + begin + lane];

    // Of A, STEPS steps are on their way: a group's registers are asked for again, a chunk further, as soon as they were used.
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
        __syncthreads(); // this chunk of B is there, and the one before used up
        b += (size_t)CHUNK * ldb;
        copy_chunk(Bs[stage ^ 1], b, ldb, end - k - CHUNK, cols, aligned);
        if (idle) continue;
        left -= CHUNK;
#pragma unroll
        for (int i = 0; i < TM; i++) rows[i] += CHUNK;
#pragma unroll
        for (int group = 0; group < STEPS; group += GROUP) {
#pragma unroll
            for (int s = group; s < group + GROUP; s++) multiply_step(acc, a[s], Bs[stage][s * 32 + lane], cols);
#pragma unroll
            for (int s = group; s < group + GROUP; s++) load_rows(a[s], rows, s * 32, left);
        }
    }

    // Lane l is left with ELEMENTS of the warp's TM x BN elements, row by row, from the l * ELEMENTS-th on.
    sum_lanes(acc[0]);
    if (!sum_parts(acc[0], at, tiles, part, parts)) return;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++) {
        int place = lane * ELEMENTS + e, r = row + place / BN, c = col + place % BN;
        if (r < M && c < N) store1(&C[(size_t)r * ldc + c], acc[0][e], alpha, beta);
    }
}
