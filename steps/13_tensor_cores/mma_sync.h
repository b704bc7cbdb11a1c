// Multiplies in TF32 by mma.sync (sm_80 and later). Warps load fragments from shared memory to
// registers, and split them there.
//
//   -DPRODUCTS=1      the tensor cores take the FP32 words as they are, and ignore 13 bits of each
//   -DPRODUCTS=3      x = hi + lo, two TF32 numbers of 11 bits: hi hi + hi lo + lo hi
//   -DPROMOTE=n       after every n k's, FADD adds the tensor cores' accumulators to FP32 sums, and
//                     the accumulators restart from zero; 0: never
//
// Eight warps, 2 x 4, compute 64 x 32 elements each. In shared memory the rows of A's tile are 36
// words apart and those of B's 136. So the 32 lanes that load a fragment (8 rows of 4 k's of A, or
// 4 k's of 8 columns of B) use 32 different banks.
#ifndef TENSOR_CORES_MMA_SYNC_H
#define TENSOR_CORES_MMA_SYNC_H

#define BM       128
#define BN       128
#define BK       32
#define STAGES   3
#define THREADS  256
#define WM       64
#define WN       32
#define TILES_M  (WM / 16) // m16n8k8 tiles per warp tile
#define TILES_N  (WN / 8)
#define A_STRIDE (BK + 4)
#define B_STRIDE (BN + 8)
#define STAGE    (BM * A_STRIDE + BK * B_STRIDE) // in floats

// Starts an asynchronous copy of `floats` floats, 1 or 4, from global to shared memory. Reads only
// the first `valid` of them and writes zeros for the others.
static __device__ __forceinline__ void copy_async(float *to, const float *from, int floats,
                                                  int valid) {
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    int bytes = 4 * max(0, min(floats, valid));
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
}

// Copies a tile of `rows` x `cols` floats, `width` at a time. Writes zeros outside of the matrix,
// which ends after `valid_rows` rows and `valid_cols` columns of the tile.
template <int rows, int cols, int stride, int width>
static __device__ __forceinline__ void copy_tile(float *to, const float *from, int ld,
                                                 int valid_rows, int valid_cols) {
#pragma unroll 4
    for (int i = threadIdx.x; i < rows * cols / width; i += THREADS) {
        int row = i / (cols / width), col = i % (cols / width) * width;
        int valid = row < valid_rows ? valid_cols - col : 0;
        // Outside of the matrix any valid address will do: no byte is read.
        const float *at = valid > 0 ? &from[(size_t)row * ld + col] : from;
        copy_async(&to[row * stride + col], at, width, valid);
    }
}

struct operands {
    const float *a, *b;       // the block's first row of A and first column of B
    int lda, ldb, rows, cols; // rows and columns of C from the block's first ones to the edges
    int K;
    bool a_wide, b_wide; // true if rows begin at 16-byte boundaries
};

// Starts the copies of A's and B's tile `tile` along K as one cp.async group, which may be empty.
static __device__ __forceinline__ void copy_stage(const struct operands *o, int tile,
                                                  float *stage) {
    int k = tile * BK;
    if (k < o->K) {
        const float *a = &o->a[k], *b = &o->b[(size_t)k * o->ldb];
        if (o->a_wide)
            copy_tile<BM, BK, A_STRIDE, 4>(stage, a, o->lda, o->rows, o->K - k);
        else
            copy_tile<BM, BK, A_STRIDE, 1>(stage, a, o->lda, o->rows, o->K - k);
        if (o->b_wide)
            copy_tile<BK, BN, B_STRIDE, 4>(stage + BM * A_STRIDE, b, o->ldb, o->K - k, o->cols);
        else
            copy_tile<BK, BN, B_STRIDE, 1>(stage + BM * A_STRIDE, b, o->ldb, o->K - k, o->cols);
    }
    asm volatile("cp.async.commit_group;");
}

// acc (16, 8) += A (16, 8) B (8, 8)
static __device__ __forceinline__ void mma(float acc[4], const unsigned a[4], const unsigned b[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Sets hi to x rounded to TF32 (to x if PRODUCTS == 1) and lo to x - hi, of which the tensor cores
// read 11 bits. lo is a NaN if x is not finite, and the other infinity if finite x rounds to one.
static __device__ __forceinline__ void split(const float *x, unsigned *hi, unsigned *lo,
                                             int count) {
#pragma unroll
    for (int i = 0; i < count; i++) {
        hi[i] =
            PRODUCTS == 1 ? __float_as_uint(x[i]) : (__float_as_uint(x[i]) + 0x1000) & 0xffffe000;
        lo[i] = __float_as_uint(x[i] - __uint_as_float(hi[i]));
    }
}

// acc += A B over 8 k's of a stage, for a warp tile.
static __device__ __forceinline__ void multiply_step(float acc[TILES_M][TILES_N][4],
                                                     const float *as, const float *bs) {
    unsigned b_hi[TILES_N][2], b_lo[TILES_N][2];
#pragma unroll
    for (int j = 0; j < TILES_N; j++) {
        float b[2] = {bs[j * 8], bs[4 * B_STRIDE + j * 8]};
        split(b, b_hi[j], b_lo[j], 2);
    }
#pragma unroll
    for (int i = 0; i < TILES_M; i++) {
        const float *row = as + i * 16 * A_STRIDE;
        float a[4] = {row[0], row[8 * A_STRIDE], row[4], row[8 * A_STRIDE + 4]};
        unsigned a_hi[4], a_lo[4];
        split(a, a_hi, a_lo, 4);
#if PRODUCTS == 3
#pragma unroll
        for (int j = 0; j < TILES_N; j++) mma(acc[i][j], a_lo, b_hi[j]);
#pragma unroll
        for (int j = 0; j < TILES_N; j++) mma(acc[i][j], a_hi, b_lo[j]);
#endif
#pragma unroll
        for (int j = 0; j < TILES_N; j++) mma(acc[i][j], a_hi, b_hi[j]);
    }
}

// Returns one element of A B, computed in FP32. It replaces a sum that is not finite. If an operand
// is not finite, or overflows when it is rounded to TF32, the sum of the pieces' products differs
// from BLAS's result.
static __device__ float sum_in_fp32(const float *A, int lda, const float *B, int ldb, int K,
                                    int row, int col) {
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; k++) sum += A[(size_t)row * lda + k] * B[(size_t)k * ldb + col];
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    sgemm_tensor_cores(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
                       int ldb, float beta, float *C, int ldc) {
    extern __shared__ __align__(16) float shared[]; // STAGES stages
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp / (BN / WN) * WM, warp_col = warp % (BN / WN) * WN;
    struct operands o = {&A[(size_t)block_row * lda],
                         &B[block_col],
                         lda,
                         ldb,
                         M - block_row,
                         N - block_col,
                         K,
                         (size_t)A % 16 == 0 && lda % 4 == 0,
                         (size_t)B % 16 == 0 && ldb % 4 == 0};

    float acc[TILES_M][TILES_N][4] = {}, sum[TILES_M][TILES_N][4] = {};
    int tiles = (K + BK - 1) / BK;
    for (int stage = 0; stage < STAGES - 1; stage++) copy_stage(&o, stage, shared + stage * STAGE);
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // this tile has arrived, and all warps have finished the previous one
        copy_stage(&o, tile + STAGES - 1, shared + (tile + STAGES - 1) % STAGES * STAGE);
        const float *as =
            shared + tile % STAGES * STAGE + (warp_row + lane / 4) * A_STRIDE + lane % 4;
        const float *bs = shared + tile % STAGES * STAGE + BM * A_STRIDE + lane % 4 * B_STRIDE +
                          warp_col + lane / 4;
#pragma unroll
        for (int k = 0; k < BK; k += 8) multiply_step(acc, as + k, bs + k * B_STRIDE);
#if PROMOTE
        if ((tile + 1) % (PROMOTE / BK) != 0) continue;
#pragma unroll
        for (int i = 0; i < TILES_M * TILES_N * 4; i++) {
            (&sum[0][0][0])[i] += (&acc[0][0][0])[i];
            (&acc[0][0][0])[i] = 0.0f;
        }
#endif
    }

#pragma unroll
    for (int i = 0; i < TILES_M * TILES_N * 4; i++) {
        int tile = i / 4;
        int row = block_row + warp_row + tile / TILES_N * 16 + i % 4 / 2 * 8 + lane / 4;
        int col = block_col + warp_col + tile % TILES_N * 8 + lane % 4 * 2 + i % 2;
        if (row >= M || col >= N) continue;
        float value = (&acc[0][0][0])[i] + (&sum[0][0][0])[i], *c = &C[(size_t)row * ldc + col];
        if (!isfinite(value)) value = sum_in_fp32(A, lda, B, ldb, K, row, col);
        *c = beta == 0.0f ? alpha * value : alpha * value + beta * *c;
    }
}

#endif
