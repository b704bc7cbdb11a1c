// Step 13: its variants, the error limit of each, and how many blocks their launches have.
#include "base/arith.h"
#include "extras.h"
#include "layout.h"
#include "safe.h"

#include <math.h>

// Accuracy that the variants lose beyond FP32's error bound, in units of 2^-24 |A||B|.
enum {
    TF32_LOSES = 32768, // each operand is truncated to 11 bits: an error below 2^-10
    CUT_LOSES = 256,    // the accumulator truncates sums; this is enough up to K = 16384
    PIECES_LOSE = 8,    // two pieces keep 22 bits; the product of the two low pieces is left out
    // Three pieces have nine products. To leave out the three smallest costs a quarter of a unit;
    // the other three quarters are for the accumulator, which truncates sums.
    BF16_PIECES_LOSE = 1,
    TF32_PIECES_LOSE = 16
};

enum { TILE = 128, MMA_THREADS = 256, WGMMA_THREADS = 384 };

// Bytes of shared memory for the mbarriers, the alignment, and three stages with tiles of A and B
// in two FP16 pieces. Two stages with three BF16 pieces need as much.
#define WGMMA_SHARED (2048 + 3 * 4 * TILE * ROW_BYTES)
// Bytes of shared memory of the variants few_rows and few_cols, which copy one operand as floats
// (raw.h). few_cols pads each row of A by eight floats; few_rows needs less.
#define RAW_SHARED (WGMMA_SHARED + 3 * TILE * 8 * (int)sizeof(float))
#define MMA_SHARED ((int)(3 * (128 * (32 + 4) + 32 * (128 + 8)) * sizeof(float)))

static struct layout layout_of(const struct situation *s, int pieces) {
    return make_layout(s->m, s->n, s->k, pieces);
}

static int64_t bytes_of_two(const struct situation *s) {
    return layout_of(s, 2).bytes;
}

static int64_t bytes_of_three(const struct situation *s) {
    return layout_of(s, 3).bytes;
}

static int64_t blocks_to_survey(const struct situation *s) {
    return survey_blocks(layout_of(s, 2));
}

static int64_t blocks_to_split(const struct situation *s) {
    return split_blocks(layout_of(s, 2));
}

// Returns the number of blocks: one per SM, rounded down to an even number for clusters of two, but
// at most one per tile.
static int64_t blocks_to_multiply(const struct situation *s) {
    const struct layout l = layout_of(s, 2);
    const int64_t tiles = l.rows_a / TILE * (l.rows_b / TILE), most = s->multiprocessors / 2 * 2;
    return tiles < most ? tiles : most;
}

static int64_t two_per_sm(const struct situation *s) {
    return 2 * s->multiprocessors;
}

// --- the error limits of the variants ------------------------------------------------------------

// Returns the error limit of an FP32 kernel for sums of k products, in units of 2^-24 |A||B|.
static double fp32_limit(int k) {
    return 1.01 * (k + 2);
}

// Returns the number of rows (or columns) with an element that is not finite, or that lies more
// than `range` powers of two below the largest element of its row (column).
static int beyond(const struct extent *e, int count, int range) {
    int found = 0;
    for (int i = 0; i < count; i++)
        found += e[i].not_finite ||
                 (e[i].largest >= e[i].smallest && e[i].largest - e[i].smallest > range);
    return found;
}

static bool all_above(const struct extent *e, int count, int exponent) {
    for (int i = 0; i < count; i++)
        if (e[i].smallest < exponent) return false;
    return true;
}

// Returns the error limit of a kernel whose tensor cores add up `promoted` products at a time, and
// which adds these partial sums in FP32. The pieces lose up to 8 units, the accumulator cuts off up
// to 24 units, and each addition in FP32 loses one unit.
static double promoted_limit(int k, int promoted) {
    return 32 + (double)k / promoted;
}

// The TF32 variants do not scale their operands: an operand below 2^TF32_LEAST loses bits, and then
// the error has no limit.
enum { TF32_LEAST = -100 };
static double tf32_limit(const struct operands *o, double loses) {
    const struct situation *s = &o->situation;
    const bool held = all_above(o->rows, s->m, TF32_LEAST) && all_above(o->cols, s->n, TF32_LEAST);
    return held ? fp32_limit(s->k) + loses : INFINITY;
}
static double one_product(const struct operands *o, const char **wrong) {
    return tf32_limit(o, TF32_LOSES);
}
static double cut_at_every_step(const struct operands *o, const char **wrong) {
    return tf32_limit(o, CUT_LOSES);
}
static double promoted_tf32(const struct operands *o, const char **wrong) {
    const double limit = tf32_limit(o, TF32_PIECES_LOSE);
    return isinf(limit) ? limit : smaller(limit, promoted_limit(o->situation.k, 16));
}

// Per format: how many powers of two an element may lie below the largest one of its row or column.
static const int range_of[] = {28, 140};
static double scaled(const struct operands *o, enum format format, double loses) {
    const struct situation *s = &o->situation;
    if (beyond(o->rows, s->m, range_of[format]) || beyond(o->cols, s->n, range_of[format]))
        return INFINITY;
    return smaller(fp32_limit(s->k) + loses, promoted_limit(s->k, 48));
}
static double scaled_fp16(const struct operands *o, const char **wrong) {
    return scaled(o, FP16_TWO, PIECES_LOSE);
}
static double scaled_bf16(const struct operands *o, const char **wrong) {
    return scaled(o, BF16_THREE, BF16_PIECES_LOSE);
}

// Returns the error limit of the variants that mend, which is finite for all operands. Sets *wrong
// if the kernel chose another format than these operands require, or if it mended more or fewer
// rows or columns than the format cannot hold.
static double mended(const struct operands *o, const char **wrong) {
    const struct situation *s = &o->situation;
    const struct head *head = o->scratch;
    int rows = beyond(o->rows, s->m, range_of[FP16_TWO]),
        cols = beyond(o->cols, s->n, range_of[FP16_TWO]);
    const bool bf16 = 64 * (int64_t)rows > s->m || 64 * (int64_t)cols > s->n,
               whole = s->k <= SHORT_SUM;
    const enum format format = whole ? FP32_WHOLE : bf16 ? BF16_THREE : FP16_TWO;
    if (bf16)
        rows = beyond(o->rows, s->m, range_of[BF16_THREE]),
        cols = beyond(o->cols, s->n, range_of[BF16_THREE]);
    if (whole) rows = s->m, cols = 0;
    if (head->format != format)
        *wrong = "the kernel chose another format (FP16, BF16 or FP32) than these operands require";
    else if (head->rows_to_mend != (unsigned)rows || head->cols_to_mend != (unsigned)cols)
        *wrong = "more or fewer rows or columns were computed in FP32 than the format cannot hold";
    return rows || cols ? fp32_limit(s->k) : smaller(fp32_limit(s->k), promoted_limit(s->k, 48));
}

// The kernels among which `safe` chooses.
static const char *const any[] = {"13_tensor_cores/mended", "13_tensor_cores/few_rows",
                                  "13_tensor_cores/few_cols", "shapes/dispatch", NULL};

static const struct pass split_and_multiply[] = {
    {"survey", PRE_THREADS, 0, blocks_to_survey},
    {"split", PRE_THREADS, 0, blocks_to_split},
    {"sgemm_tensor_cores", WGMMA_THREADS, WGMMA_SHARED, blocks_to_multiply},
    {"mend", PRE_THREADS, 0, two_per_sm},
    {0},
};

static const struct pass split_in_product[] = {
    {"survey", PRE_THREADS, 0, blocks_to_survey},
    {"split", PRE_THREADS, 0, blocks_to_split},
    {"sgemm_tensor_cores", WGMMA_THREADS, RAW_SHARED, two_a_tile},
    {"mend", PRE_THREADS, 0, two_per_sm},
    {0},
};

static const struct extras two_pieces = {.build.sm_90a = true,
                                         .passes = {split_and_multiply, bytes_of_two},
                                         .accuracy.loss = PIECES_LOSE,
                                         .accuracy.limit = scaled_fp16};

static const struct variant variants[] = {
    {"tf32", "-DPRODUCTS=1 -DPROMOTE=0", "mma.sync, one TF32 product: fast and wrong", TILE, TILE,
     MMA_THREADS, 169, MMA_SHARED,
     &(const struct extras){
         .build.capability = 80, .accuracy.loss = TF32_LOSES, .accuracy.limit = one_product}},
    {"tf32x3", "-DPRODUCTS=3 -DPROMOTE=0",
     "mma.sync, three TF32 products: of two pieces of each operand", TILE, TILE, MMA_THREADS, 155,
     MMA_SHARED,
     &(const struct extras){
         .build.capability = 80, .accuracy.loss = CUT_LOSES, .accuracy.limit = cut_at_every_step}},
    {"promoted", "-DPRODUCTS=3 -DPROMOTE=32",
     "tf32x3, sums by FADD: it takes the accumulators' every 32 k's", TILE, TILE, MMA_THREADS, 222,
     MMA_SHARED,
     &(const struct extras){.build.capability = 80,
                            .accuracy.loss = TF32_PIECES_LOSE,
                            .accuracy.limit = promoted_tf32}},
    {"ring", "-DFORMAT=0 -DSAFE=0 -DCLUSTER=1 -DSTAGES=2",
     "wgmma, three FP16 products: of two pieces; the copy engine fills a ring of two stages", TILE,
     TILE, WGMMA_THREADS, 168, WGMMA_SHARED, &two_pieces},
    {"deeper", "-DFORMAT=0 -DSAFE=0 -DCLUSTER=1 -DSTAGES=3", "ring with three stages", TILE, TILE,
     WGMMA_THREADS, 168, WGMMA_SHARED, &two_pieces},
    {"cluster", "-DFORMAT=0 -DSAFE=0 -DCLUSTER=2 -DSTAGES=3",
     "deeper, blocks in pairs: they share their copies of B", TILE, TILE, WGMMA_THREADS, 168,
     WGMMA_SHARED, &two_pieces},
    {"bf16x6", "-DFORMAT=1 -DSAFE=0 -DCLUSTER=2 -DSTAGES=2",
     "cluster, six BF16 products: of three pieces, which keep all bits of the operands", TILE, TILE,
     WGMMA_THREADS, 168, WGMMA_SHARED,
     &(const struct extras){.build.sm_90a = true,
                            .passes = {split_and_multiply, bytes_of_three},
                            .accuracy.limit = scaled_bf16}},
    {"mended", "-DFORMAT=0 -DSAFE=1 -DCLUSTER=2 -DSTAGES=3",
     "FP16, BF16 or FP32: the first that can hold the operands", TILE, TILE, WGMMA_THREADS, 168,
     WGMMA_SHARED,
     &(const struct extras){.build.sm_90a = true,
                            .passes = {split_and_multiply, bytes_of_three},
                            .accuracy.limit = mended,
                            .choice.expects = mended_time,
                            .not_predicted = true}},
    {"few_rows", "-DFORMAT=0 -DSAFE=1 -DCLUSTER=2 -DSTAGES=3 -DFEW_ROWS=1",
     "mended for few rows: the FP16 kernel splits B in registers", TILE, TILE, WGMMA_THREADS, 168,
     RAW_SHARED,
     &(const struct extras){.build.sm_90a = true,
                            .passes = {split_in_product, bytes_of_three},
                            .accuracy.limit = mended,
                            .choice.expects = few_rows_time,
                            .not_predicted = true}},
    {"few_cols", "-DFORMAT=0 -DSAFE=1 -DCLUSTER=2 -DSTAGES=3 -DFEW_COLS=1",
     "mended for few columns: the FP16 kernel splits A in registers", TILE, TILE, WGMMA_THREADS,
     168, RAW_SHARED,
     &(const struct extras){.build.sm_90a = true,
                            .passes = {split_in_product, bytes_of_three},
                            .accuracy.limit = mended,
                            .choice.expects = few_cols_time,
                            .not_predicted = true}},
    {"safe", NULL, "the fastest expected: mended, few_rows, few_cols or shapes' dispatch",
     .block_m = TILE,
     .extras = &(const struct extras){.choice.among = any,
                                      .choice.costs_from = tensor_costs_from,
                                      .not_predicted = true}},
    {0},
};

static const struct step tensor_cores = {
    "13_tensor_cores",
    "sgemm_tensor_cores",
    "Tensor cores",
    "FP32 accuracy from pieces of 11 bits, whose products are added up in FP32 registers",
    .variants = variants,
    .extras = &(const struct step_extras){.needs = "shapes", .not_benched = true}};

REGISTER_STEP(tensor_cores);
