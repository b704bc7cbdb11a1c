// Finds cublasLt's fastest algorithm for a problem.
#include "tune.h"
#include "timing.h"

#include <stdlib.h>

enum { FIRST_ROUNDS = 3, FINALISTS = 6, FINAL_ROUNDS = 11 };

// The algorithms that are timed; the context of the callbacks of struct race (timing.h).
struct heat {
    struct contender *contender;
    struct problem *problem;
    int count, *algorithms; // `count` algorithms
};

static bool prepare(void *context, int runner) {
    const struct heat *heat = context;
    return heat->problem->beta == 0 || problem_restore(heat->problem);
}

static bool launch(void *context, int runner) {
    const struct heat *heat = context;
    heat->contender->algorithm = heat->algorithms[runner];
    return contender_launch(heat->contender, heat->problem);
}

// Lists the algorithms that the backend offers, without those that fail when launched.
static void leave_out_refused(struct heat *heat) {
    const int offered = heat->count;
    heat->count = 0;
    for (int i = 0; i < offered; i++) {
        heat->algorithms[heat->count] = i + 1;
        if (prepare(heat, heat->count) && launch(heat, heat->count) &&
            heat->problem->backend->synchronize())
            heat->count++;
    }
}

// Times all algorithms and moves the fastest `wanted` to the front.
static bool run_heat(struct heat *heat, int rounds, int wanted) {
    struct measurement measurements[heat->count];
    const struct race race = {
        .backend = heat->problem->backend,
        .count = heat->count,
        .baseline = -1,
        .rounds = rounds,
        .prepare = prepare,
        .launch = launch,
        .context = heat,
    };
    if (!race_burst(&race, measurements)) return false;
    for (int to = 0; to < wanted && to < heat->count; to++) {
        int best = to;
        for (int i = to + 1; i < heat->count; i++)
            if (measurements[i].ms_median < measurements[best].ms_median) best = i;
        const struct measurement m = measurements[to];
        const int algorithm = heat->algorithms[to];
        measurements[to] = measurements[best], measurements[best] = m;
        heat->algorithms[to] = heat->algorithms[best], heat->algorithms[best] = algorithm;
    }
    return true;
}

static bool find_fastest(struct heat *heat) {
    leave_out_refused(heat);
    if (heat->count == 0) return false;
    if (!run_heat(heat, FIRST_ROUNDS, FINALISTS)) return false;
    if (heat->count > FINALISTS) heat->count = FINALISTS;
    return heat->count == 1 || run_heat(heat, FINAL_ROUNDS, 1);
}

enum tuned tune_baseline(struct contender *c, struct problem *p) {
    const struct gemm gemm = rows_of(p, 0, p->c.rows);
    const int offered = p->backend->algorithms ? p->backend->algorithms(&gemm) : 0;
    struct heat heat = {c, p, offered,
                        calloc((size_t)(offered > 0 ? offered : 1), sizeof *heat.algorithms)};
    if (!heat.algorithms) backend_fail("not enough host memory");
    const bool found = heat.algorithms && offered > 0 && find_fastest(&heat);
    c->algorithm = found ? heat.algorithms[0] : 0;
    free(heat.algorithms);
    return found ? TUNED : offered < 0 ? TUNED_NOWHERE : TUNED_NONE;
}
