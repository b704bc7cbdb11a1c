// Step 13, tensor cores: FP32 accuracy from pieces of 10 to 11 bits.
//
//   -DPRODUCTS ...            TF32 by mma.sync, one launch (mma_sync.h)
//   -DFORMAT=0, 1             wgmma: two FP16 pieces and three products, or three BF16 pieces and six
//   -DCLUSTER=1, 2            blocks of a cluster, which share the copies of B
//   -DSTAGES=2, 3             stages of the ring
//   -DSAFE=1                  counts what the format does not hold, and takes another way for it
//
// The wgmma forms are several launches with scratch memory between them (layout.h): survey and split, the pre-pass, write the
// planes (split.h); the product multiplies them (multiply.h); mend computes in FP32 what was left out (mend.h).
#ifdef PRODUCTS
#include "mma_sync.h"
#else

#include "layout.h"
#include "split.h"

#include "multiply.h"

#include "mend.h"

#define PARAMETERS                                                                                                     \
    int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta, float *C, int ldc, \
        char *scratch
#define PIECES      (FORMAT == FP16_TWO ? 2 : 3)
#define MOST_PIECES (SAFE ? 3 : PIECES)

// The format in which the product is taken: BF16 where the rows and columns that FP16 does not hold are too many for the FP32
// kernel, and for the shortest sums, which leave no room for the bits that two pieces lose.
static __device__ __forceinline__ int format_taken(const struct head *head, int M, int N, int K) {
    if (!SAFE) return FORMAT;
    bool many = head->left_rows[FP16_TWO] * 64ull > M || head->left_cols[FP16_TWO] * 64ull > N;
    return many || K <= SHORT_SUM ? BF16_THREE : FP16_TWO;
}

// Splits A; finds the maxima of B's columns.
extern "C" __global__ void __launch_bounds__(PRE_THREADS) survey(PARAMETERS) {
    struct layout l = make_layout(M, N, K, MOST_PIECES);
    struct head *head = (struct head *)scratch;
    int strips = (N + PART_COLS - 1) / PART_COLS, columns = strips * (int)l.parts, at = blockIdx.x;
    if (at < columns)
        column_maxima(N, K, B, ldb, at % strips, at / strips, scratch + HEAD_BYTES, l);
    else
        split_row(M, K, A, lda, at - columns, scratch + HEAD_BYTES, head, l, PIECES, FORMAT, SAFE);
}

// Splits B.
extern "C" __global__ void __launch_bounds__(PRE_THREADS) split(PARAMETERS) {
    struct layout l = make_layout(M, N, K, MOST_PIECES);
    int slices = (int)split_slices(l);
    split_columns(N, K, B, ldb, blockIdx.x / slices, blockIdx.x % slices, scratch + HEAD_BYTES, (struct head *)scratch,
                  l, PIECES, FORMAT, SAFE);
}

#if SAFE
// Splits both again, in three pieces, where two do not hold them.
extern "C" __global__ void __launch_bounds__(PRE_THREADS) split_again(PARAMETERS) {
    struct layout l = make_layout(M, N, K, MOST_PIECES);
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int slices = (int)split_slices(l), rows = (int)l.rows_a, work = rows + (int)split_blocks(l);
    if (format_taken(head, M, N, K) == FP16_TWO) return;
    for (int at = blockIdx.x; at < work; at += gridDim.x) {
        if (at < rows)
            split_row(M, K, A, lda, at, planes, head, l, 3, BF16_THREE, true);
        else
            split_columns(N, K, B, ldb, (at - rows) / slices, (at - rows) % slices, planes, head, l, 3, BF16_THREE,
                          true);
        __syncthreads();
    }
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CLUSTER, 1, 1)
    sgemm_tensor_cores(PARAMETERS) {
    __shared__ struct output out;
    __shared__ struct layout l;
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int format = format_taken(head, M, N, K);
    if (threadIdx.x == 0) {
        l = make_layout(M, N, K, MOST_PIECES);
        out = {C,    exponents_a(planes, l, format),    exponents_b(planes, l, format), ldc, M, N, alpha,
               beta, (size_t)C % 8 == 0 && ldc % 2 == 0};
        head->format = format;
        head->rows_to_mend = head->left_rows[format];
        head->cols_to_mend = head->left_cols[format];
    }
    __syncthreads();
#if SAFE || FORMAT == 0
    if (format == FP16_TWO) multiply_planes<FP16_TWO, 2, STAGES>(planes, &l, &out);
#endif
#if SAFE || FORMAT == 1
    if (format == BF16_THREE) multiply_planes<BF16_THREE, 3, 2>(planes, &l, &out);
#endif
}

// FP32, for the rows and columns that were left out. Clears the counts for the next launch.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE) mend(PARAMETERS) {
    struct layout l = make_layout(M, N, K, MOST_PIECES);
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int format = head->format;
    if (blockIdx.x == 0 && threadIdx.x < 2) head->left_rows[threadIdx.x] = head->left_cols[threadIdx.x] = 0;
    struct chosen rows = {list_a(planes, l, format), (int)head->rows_to_mend}, all_rows = {NULL, M};
    struct chosen cols = {list_b(planes, l, format), (int)head->cols_to_mend}, all_cols = {NULL, N};
    struct product product = {A, B, lda, ldb, K, {C, NULL, NULL, ldc, M, N, alpha, beta, false}};
    mend_tiles(&product, rows, all_cols, NULL);
    mend_tiles(&product, all_rows, cols, exponents_a(planes, l, format));
}

#endif
