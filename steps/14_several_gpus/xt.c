// Checks and times cublasXtSgemm.
#include "xt.h"
#include "cublasxt.h"
#include "harness/check.h"
#include "harness/interrupt.h"
#include "harness/say.h"
#include "harness/statistics.h"

#include <stdlib.h>

enum { CHECKED_ROWS = 64, MOST_ROUNDS = 32, USUAL_ROUNDS = 3 };

struct host {
    struct matrix a, b, c;
    float *images[3];
};

static struct matrix matrix_of(enum matrix_kind kind, int rows, int cols, uint64_t seed) {
    return (struct matrix){.kind = kind,
                           .element = FP32,
                           .rows = rows,
                           .cols = cols,
                           .ld = cols > 0 ? cols : 1,
                           .seed = seed,
                           .unwritten = kind == MATRIX_C};
}

static struct window whole(const struct matrix *m) {
    return (struct window){0, matrix_elements(m), 0, m->rows};
}

// Makes the matrices in pinned host memory, from which copies are fast.
static bool fill(struct host *h) {
    const struct matrix *matrices[] = {&h->a, &h->b, &h->c};
    for (int i = 0; i < 3; i++) {
        const struct window all = whole(matrices[i]);
        h->images[i] = backend_gpu.allocate_host((size_t)matrix_bytes(matrices[i]) + 1);
        if (!h->images[i]) return say_error("cublasXt: %s", backend_error());
        matrix_fill_window(matrices[i], &all, h->images[i]);
    }
    return true;
}

static bool check(const struct host *h, uint64_t seed, struct xt_found *found) {
    const int tile = CHECKED_ROWS;
    const struct row_choice choice = {.rows = h->c.rows,
                                      .wanted = CHECKED_ROWS,
                                      .tile_rows = &tile,
                                      .tile_count = 1,
                                      .seed = seed};
    struct reference reference = {0};
    struct expectation expectation = {0};
    struct verdict verdict = {0};
    const struct window all = whole(&h->c);
    int64_t count;
    int64_t *rows = choose_rows(&choice, &count);
    const bool done =
        rows && reference_make(&reference, &h->a, &h->b, rows, count, reference_gemm_best()) &&
        expectation_make(&expectation, &reference);
    if (done) {
        expectation_set(&expectation, &reference, &h->c, h->a.cols, (struct factors){1, 0, false});
        check_window(&h->c, &all, h->images[2], &expectation, &verdict);
        check_errors(&expectation, &verdict);
        found->passed = verdict.fault_count == 0;
        found->error_ratio = verdict.error_ratio;
    }
    expectation_free(&expectation);
    reference_free(&reference);
    free(rows);
    return done || say_error("not enough host memory");
}

static bool measure(const struct host *h, int rounds, struct xt_found *found) {
    double ms[MOST_ROUNDS];
    const struct xt_problem problem = {.m = h->c.rows,
                                       .n = h->c.cols,
                                       .k = h->a.cols,
                                       .alpha = 1,
                                       .beta = 0,
                                       .a = h->images[0],
                                       .b = h->images[1],
                                       .c = h->images[2]};
    found->rounds = rounds == 0 ? USUAL_ROUNDS : rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    if (!xt_multiply(&problem)) return say_error("%s", backend_error()); // this call warms up
    for (int i = 0; i < found->rounds; i++) {
        const double start = seconds_now();
        if (interrupt_seen() || !xt_multiply(&problem))
            return !interrupt_seen() && say_error("%s", backend_error());
        ms[i] = (seconds_now() - start) * 1e3;
    }
    found->ms_median = median_of(ms, found->rounds);
    found->ms_min = minimum_of(ms, found->rounds);
    found->ms_max = maximum_of(ms, found->rounds);
    return true;
}

bool xt_run(int gpus, int tile, struct shape shape, uint64_t seed, int rounds,
            struct xt_found *found) {
    struct host h = {.a = matrix_of(MATRIX_A, shape.m, shape.k, seed),
                     .b = matrix_of(MATRIX_B, shape.k, shape.n, seed),
                     .c = matrix_of(MATRIX_C, shape.m, shape.n, seed)};
    *found = (struct xt_found){0};
    const bool opened = xt_open(gpus, tile) || say_error("%s", backend_error());
    const bool done = opened && fill(&h) && measure(&h, rounds, found) && check(&h, seed, found);
    for (int i = 0; i < 3; i++) {
        if (h.images[i]) backend_gpu.release_host(h.images[i]);
    }
    xt_close();
    return done;
}
