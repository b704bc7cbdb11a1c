// Step 13, tensor cores: FP32 accuracy from pieces of 8 to 11 bits.
//
//   -DPRODUCTS=1, 3           TF32 by mma.sync, one launch (mma_sync.h)
//   -DFORMAT=0, 1             wgmma. 0: two FP16 pieces, three products; 1: three BF16 pieces, six
//   -DCLUSTER=1, 2            blocks per cluster, which share the copies of B
//   -DSTAGES=2, 3             stages of the ring
//   -DSAFE=1                  finds the rows and columns that the format cannot hold, and computes
//                             them in another format or in FP32
//   -DFEW_ROWS=1              FP16: the multiply kernel splits B itself (raw.h)
//   -DFEW_COLS=1              FP16: the multiply kernel splits A itself (raw.h)
//
// A wgmma variant has four launches, which pass their results on in scratch memory (layout.h).
// `survey` and `split`, the pre-pass, split A and B into planes, one per piece (split.h).
// `sgemm_tensor_cores` multiplies them (multiply.h). `mend` computes the rest in FP32 (mend.h).
#ifdef PRODUCTS
#include "mma_sync.h"
#else

#include "layout.h"
#include "mend.h"
#include "multiply.h"
#include "split.h"

#if FEW_ROWS || FEW_COLS
#include "raw.h"
#endif

#define PARAMETERS \
    int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, \
        float beta, float *C, int ldc, char *scratch
#define PIECES (SAFE || FORMAT == 1 ? 3 : 2) // pieces that the scratch memory has room for

// Returns the format of the multiply kernel's operands. With SAFE it is FP32_WHOLE if K is at most
// SHORT_SUM, BF16 if more than a 64th of the rows or columns do not fit FP16, FP16 otherwise.
static __device__ __forceinline__ int format_taken(const struct head *head, int M, int N, int K) {
    if (!SAFE) return FORMAT;
    if (K <= SHORT_SUM) return FP32_WHOLE;
    bool many = head->left_rows[FP16_TWO] * 64ull > M || head->left_cols[FP16_TWO] * 64ull > N;
    return many ? BF16_THREE : FP16_TWO;
}

// Returns the row of A that this thread of block `block` helps to split.
static __device__ __forceinline__ int row_of_thread(int block, const struct layout *l) {
    return block * (PRE_THREADS >> l->row_log2) + (threadIdx.x >> l->row_log2);
}

// Splits each row of A in FORMAT or, with SAFE, in FP16 if it can hold the row, otherwise in BF16.
// FEW_COLS splits no row in FP16. Finds the largest and smallest magnitude in each column of B.
extern "C" __global__ void __launch_bounds__(PRE_THREADS) survey(PARAMETERS) {
    struct layout l = make_layout(M, N, K, PIECES);
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int strips = (int)l.strips, block = blockIdx.x - strips * (int)l.parts;
    if (SAFE && K <= SHORT_SUM) return;
    if (block < 0) {
        survey_columns(N, K, B, ldb, blockIdx.x % strips, blockIdx.x / strips, planes, head, &l,
                       SAFE);
        return;
    }
    int number = row_of_thread(block, &l);
    struct row row = read_row(M, K, A, lda, number, 1 << l.row_log2);
    struct span span = span_of_row(&row);
    bool fp16 = SAFE ? exponent_of(span, FP16_TWO, true) != LEFT_OUT : FORMAT == FP16_TWO;
    if (fp16 && !FEW_COLS)
        put_row<FP16_TWO, HELD>(&row, exponent_of(span, FP16_TWO, SAFE), number, planes, &l);
    if (!fp16)
        put_row<BF16_THREE, HELD>(&row, exponent_of(span, BF16_THREE, SAFE), number, planes, &l);
    if (row.first == 0)
        enter(number, span, exponents_a(planes, l, 0), list_a(planes, l, 0), head->left_rows,
              l.rows_a, SAFE);
}

// Splits B in the chosen format; with FEW_ROWS, the multiply kernel does so for FP16 (raw.h).
extern "C" __global__ void __launch_bounds__(PRE_THREADS) split(PARAMETERS) {
    __shared__ struct turn turn;
    struct layout l = make_layout(M, N, K, PIECES);
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int slices = (int)split_slices(l), strip = blockIdx.x / slices, slice = blockIdx.x % slices;
    int format = format_taken(head, M, N, K);
#if !FEW_ROWS && (SAFE || FORMAT == 0)
    if (format == FP16_TWO) split_columns<FP16_TWO>(N, K, B, ldb, strip, slice, planes, &l, &turn);
#endif
#if SAFE || FORMAT == 1
    if (format == BF16_THREE)
        split_columns<BF16_THREE>(N, K, B, ldb, strip, slice, planes, &l, &turn);
#endif
#if SAFE
    if (format != BF16_THREE) return; // otherwise splits in BF16 the rows of A that fit FP16
    for (int block = blockIdx.x, at; (at = row_of_thread(block, &l)) < l.rows_a;
         block += gridDim.x) {
        if (exponents_a(planes, l, FP16_TWO)[at] == LEFT_OUT) continue;
        struct row row = read_row(M, K, A, lda, at, 1 << l.row_log2);
        put_row<BF16_THREE, 0>(&row, exponents_a(planes, l, BF16_THREE)[at], at, planes, &l);
    }
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CLUSTER, 1, 1)
    sgemm_tensor_cores(PARAMETERS) {
    __shared__ struct output out;
    __shared__ struct layout l;
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int format = format_taken(head, M, N, K);
    if (threadIdx.x == 0) {
        l = make_layout(M, N, K, PIECES);
        out = {C,
               exponents_a(planes, l, format),
               exponents_b(planes, l, format),
               ldc,
               M,
               N,
               alpha,
               beta,
               (size_t)C % 8 == 0 && ldc % 2 == 0};
        head->format = format;
        head->rows_to_mend = format == FP32_WHOLE ? M : head->left_rows[format];
        head->cols_to_mend = format == FP32_WHOLE ? 0 : head->left_cols[format];
    }
    __syncthreads();
#if FEW_ROWS || FEW_COLS
    if (format == FP16_TWO) {
        const struct raw raw = {FEW_ROWS ? B : A, FEW_ROWS ? ldb : lda, FEW_ROWS ? K : M,
                                FEW_ROWS ? N : K};
        multiply_raw<STAGES>(&raw, planes, &l, &out);
    }
#elif SAFE || FORMAT == 0
    if (format == FP16_TWO) multiply_planes<FP16_TWO, 2, STAGES>(planes, &l, &out, Plain());
#endif
#if SAFE || FORMAT == 1
    if (format == BF16_THREE) multiply_planes<BF16_THREE, 3, 2>(planes, &l, &out, Plain());
#endif
}

// Computes in FP32 the listed rows and columns, or all for FP32_WHOLE. Resets their counts to zero.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE) mend(PARAMETERS) {
    struct layout l = make_layout(M, N, K, PIECES);
    struct head *head = (struct head *)scratch;
    char *planes = scratch + HEAD_BYTES;
    int format = head->format;
    if (blockIdx.x == 0 && threadIdx.x < 2)
        head->left_rows[threadIdx.x] = head->left_cols[threadIdx.x] = 0;
    struct chosen rows = {format == FP32_WHOLE ? NULL : list_a(planes, l, format),
                          (int)head->rows_to_mend},
                  all_rows = {NULL, M};
    struct chosen cols = {list_b(planes, l, format), (int)head->cols_to_mend}, all_cols = {NULL, N};
    struct product product = {A, B, lda, ldb, K, {C, NULL, NULL, ldc, M, N, alpha, beta, false}};
    mend_tiles(&product, rows, all_cols, NULL);
    mend_tiles(&product, all_rows, cols, exponents_a(planes, l, format));
}

#endif
