// The problems on which every kernel is checked first.
#include "trials.h"
#include "interrupt.h"
#include "outcome.h"
#include "say.h"

struct trial {
    int tiles_m, tiles_n; // C has so many whole tiles
    int over_m, over_n;   // and so many rows and columns more
    int k;
    struct layout layout;
    double alpha, beta;
    enum inputs inputs;
    enum { FOR_ALL, FOR_ROWS, FOR_PARTS, FOR_FEW_BLOCKS, FOR_PHASES } who;
    int parts;  // FOR_PARTS: blocks that share a tile
    int blocks; // FOR_FEW_BLOCKS: as if the device ran so many at once
    enum {
        NEAR,
        BEYOND_2_31,
        BELOW_2_25,
        BELOW_2_26
    } distance; // of rows: matrices pass 2^31 elements, or ld nearly is 2^25
};

enum { ANY_TILE = 128 }; // of a variant that only chooses others

#define MORE(a, b, c)  .layout.ld = {{STRIDE_MORE, a}, {STRIDE_MORE, b}, {STRIDE_MORE, c}}
#define BY4            .layout.ld = {{STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}}
#define SHIFT(a, b, c) .layout.shift = {a, b, c}
#define TILES(m, n)    .tiles_m = m, .tiles_n = n
#define OVER(m, n)     .over_m = m, .over_n = n
#define FACTORS(a, b)  .alpha = a, .beta = b
#define EXACT          .inputs = INPUTS_EXACT
#define SPECIAL        .inputs = INPUTS_SPECIAL

static const struct trial trials[] = {
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

// Whether the trial is for the kernels of such a variant. FOR_ROWS: those launched as one row of blocks; FOR_PARTS: whose blocks
// may share a tile; FOR_FEW_BLOCKS: persistent ones; FOR_PHASES: of several launches.
static bool trial_is_for(const struct trial *t, const struct variant *v) {
    const struct more *more = more_of(v);
    if (t->who == FOR_ROWS) return more->grid.row || more->grid.persistent;
    if (t->who == FOR_PARTS) return more->grid.slots > 0;
    if (t->who == FOR_PHASES) return more->phased.phases != NULL;
    if (t->who == FOR_FEW_BLOCKS) return more->grid.persistent;
    return true;
}

// The leading dimension with which `rows` rows pass 2^31 elements, a multiple of 4; where memory is lazy, 2^30.
static struct stride far_stride(int rows, const struct device_info *info) {
    const int64_t least = (INT64_C(1) << 31) / (rows > 1 ? rows - 1 : 1);
    return (struct stride){STRIDE_EXACT, info->lazy_memory ? 1 << 30 : (int)(least / 4 * 4 + 4)};
}

// The trial's problem for a variant's tile: shape, layout, inputs.
static void trial_plan(const struct trial *t, const struct variant *v, const struct device_info *info,
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

// Whether the device has the memory for it, twice over.
static bool trial_fits(const struct problem_plan *plan, const struct device_info *info) {
    const int64_t rows[] = {plan->shape.m, plan->shape.k, 2 * (int64_t)plan->shape.m};
    const int64_t cols[] = {plan->shape.k, plan->shape.n, plan->shape.n};
    int64_t bytes = 0;
    for (int i = 0; i < 3; i++)
        bytes += rows[i] * stride_of(plan->layout.ld[i], cols[i]) * element_bytes(plan->element);
    return info->lazy_memory || bytes <= info->memory_bytes / 2;
}

static bool same_trials(const struct variant *a, const struct variant *b) {
    const struct grid *one = &more_of(a)->grid, *other = &more_of(b)->grid;
    return a->block_m == b->block_m && a->block_n == b->block_n && variant_chooses(a) == variant_chooses(b) &&
           one->row == other->row && one->persistent == other->persistent && !one->slots == !other->slots &&
           (more_of(a)->accuracy.loses > 0) == (more_of(b)->accuracy.loses > 0);
}

// Checks a contender on a trial's problem, with as many blocks as the trial wants.
static bool try_one(struct session *s, struct problem *p, struct contender *c, const struct trial *t) {
    const struct blocks blocks = c->blocks;
    struct outcome outcome;
    if (t->parts) c->blocks.parts = t->parts;
    if (t->blocks) c->blocks.at_once = t->blocks;
    const bool done = check_one(s, p, c, &outcome);
    c->blocks = blocks;
    if (done && !outcome.passed) c->failed_a_trial = true;
    return done;
}

// A trial, on one problem, of all contenders that have the first one's tile.
static bool run_trial(struct session *s, const struct trial *t, struct contender *first) {
    struct problem_plan plan = {
        .element = s->element, .check = true, .textures = s->textures, .seed = s->options->seed};
    struct problem p;
    trial_plan(t, first->variant, s->info, &plan);
    if (!trial_is_for(t, first->variant) || !trial_fits(&plan, s->info)) return true;
    bool done = problem_open(&p, s->backend, &s->staging, s->info, &plan) && problem_set(&p, t->alpha, t->beta);
    for (struct contender *c = first; done && c < s->contenders + s->count; c++) {
        if (same_trials(c->variant, first->variant) && !c->failed_a_trial)
            done = !interrupted() && try_one(s, &p, c, t);
    }
    done = done && (problem_inputs_intact(&p) || complain("%s", backend_error()));
    problem_close(&p);
    return done;
}

bool trials_run(struct session *s) {
    const bool wanted = s->options->check != CHECK_OFF && !s->options->digests;
    for (int i = 0; wanted && i < s->count; i++) {
        struct contender *c = &s->contenders[i];
        bool first = c->step != NULL;
        for (int j = 0; first && j < i; j++) {
            first = !s->contenders[j].step || !same_trials(s->contenders[j].variant, c->variant);
        }
        for (int t = 0; first && t < (int)(sizeof trials / sizeof *trials); t++) {
            if (!run_trial(s, &trials[t], c)) return false;
        }
    }
    for (int i = 0; i < s->count; i++) forget_counters(s, &s->contenders[i]);
    return true;
}
