#include "step.h"
#include "layout.h"

enum { TILE = 128, PRE_THREADS = 256, MMA_THREADS = 256, WGMMA_THREADS = 384 };

// Three stages of tiles of A and B in two FP16 pieces, or two stages in three BF16 ones, and what aligns them.
#define WGMMA_SHARED (2048 + 3 * 4 * TILE * ROW_BYTES)
#define MMA_SHARED   ((int)(3 * (128 * (32 + 4) + 32 * (128 + 8)) * sizeof(float)))

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
    return survey_blocks(layout_of(s, 2), s->n);
}

static int64_t blocks_to_split(const struct situation *s) {
    return split_blocks(layout_of(s, 2));
}

// One an SM, in pairs, no more than there are tiles.
static int64_t blocks_to_multiply(const struct situation *s) {
    const struct layout l = layout_of(s, 2);
    const int64_t tiles = l.rows_a / TILE * (l.rows_b / TILE), most = s->multiprocessors / 2 * 2;
    return tiles < most ? tiles : most;
}

static int64_t two_an_sm(const struct situation *s) {
    return 2 * s->multiprocessors;
}

static const struct phase split_and_multiply[] = {
    {"survey", PRE_THREADS, 0, blocks_to_survey},
    {"split", PRE_THREADS, 0, blocks_to_split},
    {"sgemm_tensor_cores", WGMMA_THREADS, WGMMA_SHARED, blocks_to_multiply},
    {"mend", PRE_THREADS, 0, two_an_sm},
    {0},
};

static const struct phase split_as_needed[] = {
    {"survey", PRE_THREADS, 0, blocks_to_survey},
    {"split", PRE_THREADS, 0, blocks_to_split},
    {"split_again", PRE_THREADS, 0, two_an_sm},
    {"sgemm_tensor_cores", WGMMA_THREADS, WGMMA_SHARED, blocks_to_multiply},
    {"mend", PRE_THREADS, 0, two_an_sm},
    {0},
};

static const struct step tensor_cores = {
    .name = "13_tensor_cores",
    .kernel = "sgemm_tensor_cores",
    .title = "Tensor cores",
    .idea = "FP32 accuracy from pieces of 11 bits, added up where the accumulator does not cut",
    .variants =
        {
            {
                .name = "tf32",
                .idea = "mma.sync, one TF32 product: fast and wrong",
                .flags = "-DPRODUCTS=1 -DPROMOTE=0",
                .block_m = TILE,
                .block_n = TILE,
                .threads = MMA_THREADS,
                .shared_bytes = MMA_SHARED,
                .registers = 169,
                .capability = 80,
                .not_predicted = true,
                .loses = 32768, // 10 bits are left of either operand
            },
            {
                .name = "tf32x3",
                .idea = "mma.sync, two TF32 pieces, three products",
                .flags = "-DPRODUCTS=3 -DPROMOTE=0",
                .block_m = TILE,
                .block_n = TILE,
                .threads = MMA_THREADS,
                .shared_bytes = MMA_SHARED,
                .registers = 155,
                .capability = 80,
                .not_predicted = true,
                .loses = 256, // what the accumulator cuts off, at K = 16384,
            },
            {
                .name = "promoted",
                .idea = "the same; partial sums leave the accumulator every 32 k's",
                .flags = "-DPRODUCTS=3 -DPROMOTE=32",
                .block_m = TILE,
                .block_n = TILE,
                .threads = MMA_THREADS,
                .shared_bytes = MMA_SHARED,
                .registers = 222,
                .capability = 80,
                .not_predicted = true,
                .loses = 16,
            },
            {
                .name = "ring",
                .idea = "wgmma, two FP16 pieces, three products; the copy engine fills a ring of two stages",
                .flags = "-DFORMAT=0 -DSAFE=0 -DCLUSTER=1 -DSTAGES=2",
                .block_m = TILE,
                .block_n = TILE,
                .threads = WGMMA_THREADS,
                .shared_bytes = WGMMA_SHARED,
                .phases = split_and_multiply,
                .scratch_bytes = bytes_of_two,
                .registers = 168,
                .sm_90a = true,
                .not_predicted = true,
                .loses = 8,
            },
            {
                .name = "deeper",
                .idea = "the same with three stages",
                .flags = "-DFORMAT=0 -DSAFE=0 -DCLUSTER=1 -DSTAGES=3",
                .block_m = TILE,
                .block_n = TILE,
                .threads = WGMMA_THREADS,
                .shared_bytes = WGMMA_SHARED,
                .phases = split_and_multiply,
                .scratch_bytes = bytes_of_two,
                .registers = 168,
                .sm_90a = true,
                .not_predicted = true,
                .loses = 8,
            },
            {
                .name = "cluster",
                .idea = "the same; blocks in pairs share their copies of B",
                .flags = "-DFORMAT=0 -DSAFE=0 -DCLUSTER=2 -DSTAGES=3",
                .block_m = TILE,
                .block_n = TILE,
                .threads = WGMMA_THREADS,
                .shared_bytes = WGMMA_SHARED,
                .phases = split_and_multiply,
                .scratch_bytes = bytes_of_two,
                .registers = 168,
                .sm_90a = true,
                .not_predicted = true,
                .loses = 8,
            },
            {
                .name = "bf16x6",
                .idea = "three BF16 pieces, six products: nothing is lost of the operands",
                .flags = "-DFORMAT=1 -DSAFE=0 -DCLUSTER=2 -DSTAGES=2",
                .block_m = TILE,
                .block_n = TILE,
                .threads = WGMMA_THREADS,
                .shared_bytes = WGMMA_SHARED,
                .phases = split_and_multiply,
                .scratch_bytes = bytes_of_three,
                .registers = 168,
                .sm_90a = true,
                .not_predicted = true,
            },
            {
                .name = "safe",
                .idea = "FP16, BF16 or FP32: whatever holds the operands, decided on the device",
                .flags = "-DFORMAT=0 -DSAFE=1 -DCLUSTER=2 -DSTAGES=3",
                .block_m = TILE,
                .block_n = TILE,
                .threads = WGMMA_THREADS,
                .shared_bytes = WGMMA_SHARED,
                .phases = split_as_needed,
                .scratch_bytes = bytes_of_three,
                .registers = 168,
                .sm_90a = true,
                .not_predicted = true,
            },
        },
};

REGISTER_STEP(tensor_cores);
