// Trials: small problems on which every kernel is checked first.
#include "trials.h"
#include "interrupt.h"
#include "outcome.h"
#include "report.h"
#include "say.h"

struct tile_trial {
    int tiles_m, tiles_n; // number of whole tiles in C
    int over_m, over_n;   // rows and columns of C beyond these tiles; negative: missing from them
    int k;
    struct layout layout;
    double alpha, beta;
    enum inputs inputs;
    enum {
        FOR_ALL,
        FOR_ROWS,       // kernels whose grid is linear or persistent
        FOR_PARTS,      // kernels whose blocks may share a tile
        FOR_FEW_BLOCKS, // persistent kernels
        FOR_PASSES      // variants with passes
    } group;
    int parts;  // FOR_PARTS: number of blocks that share a tile
    int blocks; // FOR_FEW_BLOCKS: the number of blocks that the device is said to run at once
    enum {
        NEAR,
        BEYOND_2_31, // the matrices have more than 2^31 elements, gaps included
        BELOW_2_25,  // ld is a little less than 2^25
        BELOW_2_26   // ld is a little less than 2^26
    } distance;      // distance between rows
};

enum { ANY_TILE = 128 }; // the tile size that is assumed for a variant without a kernel of its own

#define MORE(a, b, c)  .layout.ld = {{STRIDE_MORE, a}, {STRIDE_MORE, b}, {STRIDE_MORE, c}}
#define BY4            .layout.ld = {{STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}, {STRIDE_MULTIPLE, 4}}
#define SHIFT(a, b, c) .layout.shift = {a, b, c}
#define TILES(m, n)    .tiles_m = m, .tiles_n = n
#define OVER(m, n)     .over_m = m, .over_n = n
#define FACTORS(a, b)  .alpha = a, .beta = b
#define EXACT          .inputs = INPUTS_EXACT
#define SPECIAL        .inputs = INPUTS_SPECIAL

static const struct tile_trial trials[] = {
    // C ends inside a tile; rows begin at multiples of 16 bytes and end between them.
    {TILES(1, 1), OVER(1, 3), .k = 77, BY4, FACTORS(-1.5, 0.75), EXACT},
    {TILES(1, 1), OVER(5, 1), .k = 33, BY4, FACTORS(1, 0), EXACT},
    {TILES(0, 1), OVER(6, 2), .k = 30, BY4, FACTORS(0.5, 1), EXACT},
    // Rows are whole vectors of 4 elements, first without gaps, then with gaps of whole vectors.
    {TILES(1, 1), OVER(2, 4), .k = 40, MORE(0, 0, 0), FACTORS(2, 0), EXACT},
    {TILES(1, 0), OVER(3, 20), .k = 60, MORE(4, 8, 12), FACTORS(1, -1), EXACT},
    // One matrix is misaligned by its leading dimension, another by its first element; the third is
    // aligned.
    {TILES(0, 1), OVER(7, 4), .k = 20, MORE(1, 0, 0), SHIFT(0, 1, 0), FACTORS(1, 0.5), EXACT},
    {TILES(0, 1), OVER(9, 8), .k = 36, MORE(0, 1, 0), SHIFT(0, 0, 3), FACTORS(1, 0.5), EXACT},
    {TILES(1, 0), OVER(1, 12), .k = 24, MORE(0, 0, 1), SHIFT(1, 0, 0), FACTORS(1, 0.5), EXACT},
    // Whole tiles; whole tiles without the last row or column.
    {TILES(1, 1), OVER(0, 0), .k = 16, MORE(0, 0, 0), FACTORS(1, 0.5), EXACT},
    {TILES(1, 1), OVER(-1, 0), .k = 24, MORE(0, 0, 0), FACTORS(1, 0), EXACT},
    {TILES(1, 1), OVER(0, -1), .k = 17, BY4, FACTORS(1, 0), EXACT},
    // K is longer than any kernel's stages together.
    {TILES(0, 0), OVER(9, 6), .k = 300, MORE(1, 0, 0), FACTORS(1, 0), EXACT},
    // C and K are smaller than a tile.
    {TILES(1, 1), OVER(-1, -1), .k = 7, MORE(3, 1, 2), SHIFT(1, 2, 3), FACTORS(-1, 1), EXACT},
    {TILES(0, 0), OVER(3, 2), .k = 5, MORE(2, 3, 1), FACTORS(1, 0), EXACT},
    {TILES(0, 0), OVER(1, 1), .k = 1, MORE(0, 0, 0), FACTORS(1.5, -0.5), EXACT},
    // K = 0, and alpha = 0.
    {TILES(0, 0), OVER(5, 7), .k = 0, MORE(0, 0, 0), FACTORS(1, 0), EXACT},
    {TILES(0, 0), OVER(6, 5), .k = 0, MORE(1, 1, 1), FACTORS(1, 0.75), EXACT},
    {TILES(0, 0), OVER(9, 10), .k = 9, MORE(0, 1, 2), FACTORS(0, -1), EXACT},
    // NaN, infinities and zeros propagate to the elements that they must reach, and to no others.
    {TILES(0, 1), OVER(11, 1), .k = 35, MORE(3, 1, 2), FACTORS(-1, 0.5), SPECIAL},
    {TILES(1, 0), OVER(1, 9), .k = 19, BY4, FACTORS(1, 0), SPECIAL},
    // Rows are so far apart that offsets exceed 2^31 elements, or that 32 rows take a little less
    // than 2^32 bytes (BELOW_2_25) or 2^31 elements (BELOW_2_26).
    {TILES(0, 0), OVER(6, 9), .k = 40, FACTORS(1, 0.5), EXACT, .distance = BEYOND_2_31},
    {TILES(1, 0), OVER(37, 5), .k = 70, FACTORS(1, 0.5), EXACT, .distance = BELOW_2_25},
    {TILES(0, 0), OVER(70, 9), .k = 34, FACTORS(1, 0), EXACT, .distance = BELOW_2_26},
    // Many tiles, for kernels that order them.
    {TILES(9, 2), OVER(1, 1), .k = 9, MORE(0, 0, 0), FACTORS(1, 0.5), EXACT, .group = FOR_ROWS},
    {TILES(2, 5), OVER(-3, -3), .k = 8, MORE(0, 0, 0), FACTORS(1, 0), EXACT, .group = FOR_ROWS},
    // Several blocks share a tile. There are several such trials in a row, because a launch may
    // leave state behind that spoils the next one.
    {TILES(1, 1), OVER(1, 1), .k = 77, BY4, FACTORS(-1, 0.5), EXACT, .group = FOR_PARTS,
     .parts = 3},
    {TILES(1, 0), OVER(2, 5), .k = 90, BY4, FACTORS(1, 0), EXACT, .group = FOR_PARTS, .parts = 11},
    {TILES(0, 1), OVER(2, 5), .k = 21, BY4, FACTORS(1, 0), EXACT, .group = FOR_PARTS, .parts = 9},
    {TILES(2, 1), OVER(1, 3), .k = 77, BY4, FACTORS(-1, 0.5), EXACT, .group = FOR_FEW_BLOCKS,
     .blocks = 4},
    {TILES(2, 1), OVER(1, 3), .k = 77, BY4, FACTORS(1, 0), EXACT, .group = FOR_FEW_BLOCKS,
     .blocks = 4},
    {TILES(1, 2), OVER(5, -1), .k = 40, BY4, FACTORS(2, 1), EXACT, .group = FOR_FEW_BLOCKS,
     .blocks = 5},
    // K is longer than one pass handles at once.
    {TILES(0, 1), OVER(5, 3), .k = 530, BY4, FACTORS(1, 0.5), EXACT, .group = FOR_PASSES},
};

// Returns true if the variant belongs to the trial's group.
static bool trial_is_for(const struct tile_trial *t, const struct variant *v) {
    const struct extras *more = extras_of(v);
    if (t->group == FOR_ROWS) return more->grid.linear || more->grid.persistent;
    if (t->group == FOR_PARTS) return more->grid.max_blocks > 0;
    if (t->group == FOR_PASSES) return more->passes.pass != NULL;
    if (t->group == FOR_FEW_BLOCKS) return more->grid.persistent;
    return true;
}

// Returns a leading dimension with which `rows` rows exceed 2^31 elements: 2^30 if memory takes no
// room until it is written, otherwise the least multiple of 4.
static struct stride far_stride(int rows, const struct device_info *info) {
    const int64_t least = (INT64_C(1) << 31) / (rows > 1 ? rows - 1 : 1);
    return (struct stride){STRIDE_EXACT, info->lazy_memory ? 1 << 30 : (int)(least / 4 * 4 + 4)};
}

// Sets shape, layout and inputs of the trial's problem for a variant's tile.
static void trial_plan(const struct tile_trial *t, const struct variant *v,
                       const struct device_info *info, struct problem_plan *plan) {
    const int block_m = variant_chooses(v) ? ANY_TILE : v->block_m,
              block_n = variant_chooses(v) ? ANY_TILE : v->block_n;
    plan->shape =
        (struct shape){t->tiles_m * block_m + t->over_m, t->tiles_n * block_n + t->over_n, t->k};
    plan->layout = t->layout;
    plan->inputs = t->inputs;
    const int rows[] = {plan->shape.m, plan->shape.k, plan->shape.m};
    for (int i = 0; i < 3; i++) {
        if (t->distance == BEYOND_2_31) plan->layout.ld[i] = far_stride(rows[i], info);
        if (t->distance == BELOW_2_25)
            plan->layout.ld[i] = (struct stride){STRIDE_EXACT, (1 << 25) - 4};
        if (t->distance == BELOW_2_26)
            plan->layout.ld[i] = (struct stride){STRIDE_EXACT, (1 << 26) - 4};
    }
}

// Returns true if half of the device's memory suffices, or if unwritten memory takes no room.
static bool trial_fits(const struct problem_plan *plan, const struct device_info *info) {
    const int64_t rows[] = {plan->shape.m, plan->shape.k, 2 * (int64_t)plan->shape.m};
    const int64_t cols[] = {plan->shape.k, plan->shape.n, plan->shape.n};
    int64_t bytes = 0;
    for (int i = 0; i < 3; i++)
        bytes += rows[i] * stride_of(plan->layout.ld[i], cols[i]) * element_bytes(plan->element);
    return info->lazy_memory || bytes <= info->memory_bytes / 2;
}

static bool same_trials(const struct variant *a, const struct variant *b) {
    const struct grid *one = &extras_of(a)->grid, *other = &extras_of(b)->grid;
    return a->block_m == b->block_m && a->block_n == b->block_n &&
           variant_chooses(a) == variant_chooses(b) && one->linear == other->linear &&
           one->persistent == other->persistent && !one->max_blocks == !other->max_blocks &&
           !extras_of(a)->passes.pass == !extras_of(b)->passes.pass &&
           (extras_of(a)->accuracy.loss > 0) == (extras_of(b)->accuracy.loss > 0);
}

// Launches a contender as if its tiles had twice the rows (`rows`) or columns, so with half the
// blocks. If C is correct nevertheless, a block computes more than the tile in step.c, and others
// are idle: sets *complete to true. Requires: C has two tiles along each side, and was correct
// before.
static bool try_larger_tile(struct session *s, struct problem *p, struct contender *c, bool rows,
                            bool *complete) {
    const struct variant *own = c->variant;
    struct variant larger = *own;
    struct verdict verdict;
    *(rows ? &larger.block_m : &larger.block_n) *= 2;
    if (!problem_restore(p)) return say_error("%s", backend_error());
    c->variant = &larger;
    const bool launched = contender_launch(c, p);
    c->variant = own;
    // a fault that ends this launch says nothing about the tile; later trials report such faults
    if (!launched) return true;
    if (!problem_check(p, &verdict)) return say_error("%s", backend_error());
    *complete = verdict.fault_count == 0;
    return true;
}

// On the simulator, fails a variant with one tile per block if a block computes more than its tile.
static bool check_tile(struct session *s, struct problem *p, struct contender *c) {
    const struct extras *more = extras_of(c->variant);
    bool taller = false, wider = false;
    const bool simulated = s->backend->take_counters && !s->backend->timed;
    if (!simulated || !c->kernel || c->leaf || c->pad_kernel || more->passes.pass ||
        launches_whole(c->variant))
        return true;
    if (!try_larger_tile(s, p, c, true, &taller) || !try_larger_tile(s, p, c, false, &wider))
        return false;
    if (!taller && !wider) return true;
    report_small_tile(c, taller, wider);
    c->failed_a_trial = true;
    c->failures++;
    s->failures++;
    return true;
}

// Checks a contender on a trial's problem, with the trial's number of blocks.
static bool try_one(struct session *s, struct problem *p, struct contender *c,
                    const struct tile_trial *t) {
    const struct blocks blocks = c->blocks;
    struct outcome outcome;
    if (t->parts) c->blocks.parts = t->parts;
    if (t->blocks) c->blocks.at_once = t->blocks;
    const bool done = check_one(s, p, c, &outcome);
    c->blocks = blocks;
    if (done && !outcome.passed) c->failed_a_trial = true;
    const bool has_two_tiles = t == &trials[0]; // C has two tiles along each side
    return done && (!has_two_tiles || !outcome.passed || check_tile(s, p, c));
}

// Runs a trial, on one problem, for all contenders with the same trials as `first`.
static bool run_trial(struct session *s, const struct tile_trial *t, struct contender *first) {
    struct problem_plan plan = {
        .element = s->element, .check = true, .textures = s->textures, .seed = s->options->seed};
    struct problem p;
    trial_plan(t, first->variant, s->info, &plan);
    if (!trial_is_for(t, first->variant) || !trial_fits(&plan, s->info)) return true;
    bool done = problem_open(&p, s->backend, &s->staging, s->info, &plan) &&
                problem_set(&p, t->alpha, t->beta);
    for (struct contender *c = first; done && c < s->contenders + s->count; c++) {
        if (same_trials(c->variant, first->variant) && !c->failed_a_trial)
            done = !interrupt_seen() && try_one(s, &p, c, t);
    }
    done = done && (problem_inputs_intact(&p) || say_error("%s", backend_error()));
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
    for (int i = 0; i < s->count; i++) {
        forget_counters(s->backend, &s->contenders[i]);
        contender_free_workspaces(&s->contenders[i], s->backend);
    }
    return true;
}
