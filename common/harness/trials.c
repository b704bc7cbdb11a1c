// The problems on which every kernel is checked first.
#include "trials.h"

enum { ANY_TILE = 128 }; // of a variant that only chooses others

#define MORE(a, b, c)  .layout.ld = {{STRIDE_MORE, a}, {STRIDE_MORE, b}, {STRIDE_MORE, c}}
#define BY4            .layout.ld = {{STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}}
#define SHIFT(a, b, c) .layout.shift = {a, b, c}
#define TILES(m, n)    .tiles_m = m, .tiles_n = n
#define OVER(m, n)     .over_m = m, .over_n = n
#define FACTORS(a, b)  .alpha = a, .beta = b
#define EXACT          .inputs = INPUTS_EXACT
#define SPECIAL        .inputs = INPUTS_SPECIAL

const struct trial trials[] = {
    // Edges of C inside a tile, rows aligned to 16 bytes though their ends are not.
    {TILES(1, 1), OVER(1, 3), .k = 77, BY4, FACTORS(-1.5, 0.75), EXACT},
    {TILES(1, 1), OVER(5, 1), .k = 33, BY4, FACTORS(1, 0), EXACT},
    {TILES(0, 1), OVER(6, 2), .k = 30, BY4, FACTORS(0.5, 1), EXACT},
    // Whole vectors in every row, nothing between rows; then with gaps of whole vectors.
    {TILES(1, 1), OVER(2, 4), .k = 40, MORE(0, 0, 0), FACTORS(2, 0), EXACT},
    {TILES(1, 0), OVER(3, 20), .k = 60, MORE(4, 8, 12), FACTORS(1, -1), EXACT},
    // One matrix unaligned by its leading dimension, the next by its first element, the third not at all.
    {TILES(0, 1), OVER(7, 4), .k = 20, MORE(1, 0, 0), SHIFT(0, 1, 0), FACTORS(1, 0.5), EXACT},
    {TILES(0, 1), OVER(9, 8), .k = 36, MORE(0, 1, 0), SHIFT(0, 0, 3), FACTORS(1, 0.5), EXACT},
    {TILES(1, 0), OVER(1, 12), .k = 24, MORE(0, 0, 1), SHIFT(1, 0, 0), FACTORS(1, 0.5), EXACT},
    // Whole tiles, and all but one row or one column of them.
    {TILES(1, 1), OVER(0, 0), .k = 16, MORE(0, 0, 0), FACTORS(1, 0.5), EXACT},
    {TILES(1, 1), OVER(-1, 0), .k = 24, MORE(0, 0, 0), FACTORS(1, 0), EXACT},
    {TILES(1, 1), OVER(0, -1), .k = 17, BY4, FACTORS(1, 0), EXACT},
    // K longer than any kernel takes at a time, whatever it keeps in stages.
    {TILES(0, 0), OVER(9, 6), .k = 300, MORE(1, 0, 0), FACTORS(1, 0), EXACT},
    // Less than a tile in every direction.
    {TILES(1, 1), OVER(-1, -1), .k = 7, MORE(3, 1, 2), SHIFT(1, 2, 3), FACTORS(-1, 1), EXACT},
    {TILES(0, 0), OVER(3, 2), .k = 5, MORE(2, 3, 1), FACTORS(1, 0), EXACT},
    {TILES(0, 0), OVER(1, 1), .k = 1, MORE(0, 0, 0), FACTORS(1.5, -0.5), EXACT},
    // Sums of nothing, factors of zero.
    {TILES(0, 0), OVER(5, 7), .k = 0, MORE(0, 0, 0), FACTORS(1, 0), EXACT},
    {TILES(0, 0), OVER(6, 5), .k = 0, MORE(1, 1, 1), FACTORS(1, 0.75), EXACT},
    {TILES(0, 0), OVER(9, 10), .k = 9, MORE(0, 1, 2), FACTORS(0, -1), EXACT},
    // NaN, infinities and zeros spread as they must and no further.
    {TILES(0, 1), OVER(11, 1), .k = 35, MORE(3, 1, 2), FACTORS(-1, 0.5), SPECIAL},
    {TILES(1, 0), OVER(1, 9), .k = 19, BY4, FACTORS(1, 0), SPECIAL},
    // Rows so far apart that offsets pass 32 bits, or nearly so in 32 rows.
    {TILES(0, 0), OVER(6, 9), .k = 40, FACTORS(1, 0.5), EXACT, .distance = BEYOND_2_31},
    {TILES(1, 0), OVER(37, 5), .k = 70, FACTORS(1, 0.5), EXACT, .distance = BELOW_2_25},
    {TILES(0, 0), OVER(70, 9), .k = 34, FACTORS(1, 0), EXACT, .distance = BELOW_2_26},
    // Many tiles, in whatever order.
    {TILES(9, 2), OVER(1, 1), .k = 9, MORE(0, 0, 0), FACTORS(1, 0.5), EXACT, .who = FOR_ROWS},
    {TILES(2, 5), OVER(-3, -3), .k = 8, MORE(0, 0, 0), FACTORS(1, 0), EXACT, .who = FOR_ROWS},
    // Tiles that several blocks share; each again, for what a launch may leave behind.
    {TILES(1, 1), OVER(1, 1), .k = 77, BY4, FACTORS(-1, 0.5), EXACT, .who = FOR_PARTS, .parts = 3},
    {TILES(1, 0), OVER(2, 5), .k = 90, BY4, FACTORS(1, 0), EXACT, .who = FOR_PARTS, .parts = 11},
    {TILES(0, 1), OVER(2, 5), .k = 21, BY4, FACTORS(1, 0), EXACT, .who = FOR_PARTS, .parts = 9},
    {TILES(2, 1), OVER(1, 3), .k = 77, BY4, FACTORS(-1, 0.5), EXACT, .who = FOR_FEW_BLOCKS, .blocks = 4},
    {TILES(2, 1), OVER(1, 3), .k = 77, BY4, FACTORS(1, 0), EXACT, .who = FOR_FEW_BLOCKS, .blocks = 4},
    {TILES(1, 2), OVER(5, -1), .k = 40, BY4, FACTORS(2, 1), EXACT, .who = FOR_FEW_BLOCKS, .blocks = 5},
    // More of K than one launch of several takes at once.
    {TILES(0, 1), OVER(5, 3), .k = 530, BY4, FACTORS(1, 0.5), EXACT, .who = FOR_PHASES},
};
const int trial_count = sizeof trials / sizeof *trials;

bool trial_is_for(const struct trial *t, const struct variant *v) {
    if (t->who == FOR_ROWS) return v->row || v->persistent;
    if (t->who == FOR_PARTS) return v->slots > 0;
    if (t->who == FOR_PHASES) return v->phased.phases != NULL;
    if (t->who == FOR_FEW_BLOCKS) return v->persistent;
    return true;
}

// The leading dimension with which `rows` rows pass 2^31 elements, a multiple of 4; where memory is lazy, 2^30.
static struct stride far_stride(int rows, const struct device_info *info) {
    const int64_t least = (INT64_C(1) << 31) / (rows > 1 ? rows - 1 : 1);
    return (struct stride){STRIDE_EXACT, info->lazy_memory ? 1 << 30 : (int)(least / 4 * 4 + 4)};
}

void trial_plan(const struct trial *t, const struct variant *v, const struct device_info *info,
                struct problem_plan *plan) {
    const int block_m = variant_chooses(v) ? ANY_TILE : v->block_m,
              block_n = variant_chooses(v) ? ANY_TILE : v->block_n;
    plan->shape = (struct shape){t->tiles_m * block_m + t->over_m, t->tiles_n * block_n + t->over_n, t->k};
    plan->layout = t->layout;
    plan->inputs = t->inputs;
    const int rows[] = {plan->shape.m, plan->shape.k, plan->shape.m};
    for (int i = 0; i < 3; i++) {
        if (t->distance == BEYOND_2_31) plan->layout.ld[i] = far_stride(rows[i], info);
        if (t->distance == BELOW_2_25) plan->layout.ld[i] = (struct stride){STRIDE_EXACT, (1 << 25) - 4};
        if (t->distance == BELOW_2_26) plan->layout.ld[i] = (struct stride){STRIDE_EXACT, (1 << 26) - 4};
    }
}

bool trial_fits(const struct problem_plan *plan, const struct device_info *info) {
    const int64_t rows[] = {plan->shape.m, plan->shape.k, 2 * (int64_t)plan->shape.m};
    const int64_t cols[] = {plan->shape.k, plan->shape.n, plan->shape.n};
    int64_t bytes = 0;
    for (int i = 0; i < 3; i++)
        bytes += rows[i] * stride_of(plan->layout.ld[i], cols[i]) * element_bytes(plan->element);
    return info->lazy_memory || bytes <= info->memory_bytes / 2;
}
