// Step 14's schedules, for 1 to 7 ranks and awkward shapes: what they compute, what travels, and in which order.
#include "../steps/14_several_gpus/step.c" // the lesson itself: its table of schemes
#include "gpus/predict.h"
#include "gpus/schedule.h"
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int64_t m, n, k, pad, panel;
} cases[] = {
    {16, 16, 16, 0, 8},  {37, 53, 29, 1, 8},  {5, 70, 64, 0, 12},   {1, 1, 1, 0, 4},      {0, 9, 9, 0, 8},
    {9, 0, 9, 0, 8},     {9, 9, 0, 2, 8},     {100, 3, 257, 3, 16}, {64, 128, 1, 0, 8},   {24, 24, 96, 0, 1000},
    {33, 65, 97, 1, 32}, {128, 96, 64, 0, 4}, {7, 7, 300, 0, 28},   {300, 11, 40, 5, 16},
};
enum { CASES = sizeof cases / sizeof *cases, MOST = 7 };

// The schedules of all ranks for a case; free_all() them.
struct all {
    struct schedule schedules[MOST], *pointers[MOST];
    int ranks;
};

static void write_all(struct all *all, const struct scheme *scheme, int ranks, int number, bool beta_is_zero) {
    all->ranks = ranks;
    for (int r = 0; r < ranks; r++) {
        all->pointers[r] = &all->schedules[r];
        all->schedules[r] = (struct schedule){
            .ranks = ranks,
            .rank = r,
            .m = cases[number].m,
            .n = cases[number].n,
            .k = cases[number].k,
            .pads = {cases[number].pad, cases[number].pad, cases[number].pad},
            .panel = cases[number].panel,
            .beta_is_zero = beta_is_zero,
        };
        assert_true(schedule_write(&all->schedules[r], scheme));
    }
}

static void free_all(struct all *all) {
    for (int r = 0; r < all->ranks; r++) schedule_free(&all->schedules[r]);
}

// Calls `look` with the schedules of each scheme, number of ranks and case.
static void for_each(void (*look)(struct all *all, const struct scheme *scheme)) {
    for (const struct scheme *s = schemes; s->name; s++) {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            for (int c = 0; c < 2 * CASES; c++) {
                struct all all;
                write_all(&all, s, ranks, c / 2, c % 2);
                look(&all, s);
                free_all(&all);
            }
        }
    }
}

// --- the pieces are the matrices, each element once -------------------------------------------------------------------------

static void each_element_once(struct all *all, const struct scheme *scheme) {
    for (int matrix = PIECE_A; matrix <= PIECE_C; matrix++) {
        const struct schedule *s = &all->schedules[0];
        const int64_t rows = matrix == PIECE_B ? s->k : s->m, cols = matrix == PIECE_A ? s->k : s->n;
        char *owners = calloc((size_t)(rows * cols) + 1, 1);
        for (int r = 0; r < all->ranks; r++) {
            const struct piece *p = &all->schedules[r].pieces[matrix];
            for (int64_t i = 0; i < p->rows * p->cols; i++) {
                owners[(p->row + i / p->cols) * cols + p->col + i % p->cols]++;
            }
        }
        for (int64_t i = 0; i < rows * cols; i++) {
            if (owners[i] != 1)
                fail_msg("%s, %d ranks: element %d of matrix %d has %d owners", scheme->name, all->ranks, (int)i,
                         matrix, owners[i]);
        }
        free(owners);
    }
}

static void test_pieces(void **state) {
    (void)state;
    for_each(each_element_once);
}

// --- tiles stay in their buffers --------------------------------------------------------------------------------------------

static void tile_is_inside(const struct schedule *s, struct tile t, const char *name) {
    const struct piece *p = t.buffer < FIRST_WORK ? &s->pieces[t.buffer] : NULL;
    const int64_t room = p ? (p->rows > 0 && p->cols > 0 ? (p->rows - 1) * (p->cols + s->pads[t.buffer]) + p->cols : 0)
                           : s->work[t.buffer];
    if (tile_elements(t) == 0) return;
    assert_true(t.at >= 0 && t.cols <= t.ld);
    if (t.at + (t.rows - 1) * t.ld + t.cols > room) fail_msg("%s: a tile leaves buffer %d", name, t.buffer);
}

static void tiles_are_inside(struct all *all, const struct scheme *scheme) {
    for (int r = 0; r < all->ranks; r++) {
        const struct schedule *s = &all->schedules[r];
        for (int i = 0; i < s->count; i++) {
            const struct operation *o = &s->operations[i];
            tile_is_inside(s, o->a, scheme->name);
            tile_is_inside(s, o->b, scheme->name);
            tile_is_inside(s, o->c, scheme->name);
            tile_is_inside(s, o->to, scheme->name);
            tile_is_inside(&all->schedules[o->kind == PULL ? o->source : r], o->from, scheme->name);
            if (o->kind >= EXCHANGE) assert_true(has_no_gaps(o->to) && has_no_gaps(o->from)); // NCCL knows no rows
        }
    }
}

static void test_tiles(void **state) {
    (void)state;
    for_each(tiles_are_inside);
}

// --- what travels is what the formula says ----------------------------------------------------------------------------------

static void traffic_is_the_formula(struct all *all, const struct scheme *scheme) {
    double most = 0;
    for (int r = 0; r < all->ranks; r++) most = fmax(most, schedule_received(&all->schedules[r]));
    const double formula = scheme->received(&all->schedules[0]);
    if (most != formula) {
        fail_msg("%s, %d ranks, %dx%dx%d: %.0f bytes by the schedule, %.0f by the formula", scheme->name, all->ranks,
                 (int)all->schedules[0].m, (int)all->schedules[0].n, (int)all->schedules[0].k, most, formula);
    }
}

static void test_traffic(void **state) {
    (void)state;
    for_each(traffic_is_the_formula);
}

// --- what touches the same memory has an order ------------------------------------------------------------------------------

struct touch {
    struct tile tile;
    bool writes;
};

static int touches_of(const struct operation *o, struct touch touches[4]) {
    int count = 0;
    if (o->kind == MULTIPLY) {
        touches[count++] = (struct touch){o->a, false};
        touches[count++] = (struct touch){o->b, false};
        touches[count++] = (struct touch){o->c, true};
        return count;
    }
    touches[count++] = (struct touch){o->to, true};
    if (o->kind != PULL && o->kind != GATHER) touches[count++] = (struct touch){o->from, false};
    return count;
}

static bool overlap(struct tile a, struct tile b) {
    const int64_t a_end = a.at + (a.rows - 1) * a.ld + a.cols, b_end = b.at + (b.rows - 1) * b.ld + b.cols;
    return tile_elements(a) > 0 && tile_elements(b) > 0 && a.buffer == b.buffer && a.at < b_end && b.at < a_end;
}

static bool conflict(const struct operation *a, const struct operation *b) {
    struct touch x[4], y[4];
    const int xs = touches_of(a, x), ys = touches_of(b, y);
    for (int i = 0; i < xs; i++) {
        for (int j = 0; j < ys; j++) {
            if ((x[i].writes || y[j].writes) && overlap(x[i].tile, y[j].tile)) return true;
        }
    }
    return false;
}

// Whether operation `late` cannot begin before `early` has ended: by its stream, by what it waits for, and so on from there.
static bool comes_after(const struct schedule *s, int late, int early) {
    bool *reached = calloc((size_t)s->count, sizeof *reached);
    reached[late] = true;
    for (int i = late; i > early; i--) {
        const struct operation *o = &s->operations[i];
        if (!reached[i]) continue;
        for (int w = 0; w < MOST_WAITS; w++) {
            if (o->waits[w] >= 0) reached[o->waits[w]] = true;
        }
        for (int j = i - 1; j >= 0; j--) {
            if (s->operations[j].stream != o->stream) continue;
            reached[j] = true;
            break;
        }
    }
    const bool after = reached[early];
    free(reached);
    return after;
}

static void order_is_safe(struct all *all, const struct scheme *scheme) {
    for (int r = 0; r < all->ranks; r++) {
        const struct schedule *s = &all->schedules[r];
        for (int i = 0; i < s->count; i++) {
            for (int w = 0; w < MOST_WAITS; w++) assert_true(s->operations[i].waits[w] < i);
            for (int j = 0; j < i; j++) {
                if (conflict(&s->operations[i], &s->operations[j]) && !comes_after(s, i, j))
                    fail_msg("%s, %d ranks: operation %d of rank %d may overtake %d", scheme->name, all->ranks, i, r,
                             j);
            }
        }
    }
}

static void test_order(void **state) {
    (void)state;
    for_each(order_is_safe);
}

// The test above sees a missing wait.
static void test_order_is_seen(void **state) {
    struct all all;
    const struct scheme *panels = schemes;
    (void)state;
    while (strcmp(panels->name, "panels") != 0) panels++;
    write_all(&all, panels, 3, 10, true);
    struct schedule *s = &all.schedules[1];
    int unsafe = 0;
    for (int i = 0; i < s->count; i++) {
        for (int w = 0; w < MOST_WAITS; w++) s->operations[i].waits[w] = -1;
    }
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < i; j++) unsafe += conflict(&s->operations[i], &s->operations[j]) && !comes_after(s, i, j);
    }
    assert_true(unsafe > 0);
    free_all(&all);
}

// --- predictions ------------------------------------------------------------------------------------------------------------

static const struct figures figures = {.tflops = 59, .bandwidth = 200, .sms = 132, .left = 4};

static void prediction_is_sane(struct all *all, const struct scheme *scheme) {
    struct prediction p;
    assert_true(predict_schedules(all->pointers, all->ranks, &figures, &p, NULL));
    const struct schedule *s = &all->schedules[0];
    const double least = 2.0 * (double)s->m * (double)s->n * (double)s->k / figures.tflops * 1e-9 / all->ranks;
    if (p.ms < least * 0.999999 || p.ms < p.compute_ms || p.ms < p.travel_ms)
        fail_msg("%s, %d ranks: predicted %g ms, at least %g", scheme->name, all->ranks, p.ms, least);
}

static void test_predictions(void **state) {
    (void)state;
    for_each(prediction_is_sane);
}

// By hand, two ranks, 8192: the half of B is 134 MB, 0.67 ms at 200 GB/s; the products 9.32 ms.
static void test_prediction_by_hand(void **state) {
    static const struct {
        const char *name;
        double ms;
    } expected[] = {
        {"gather", 9.3178 + 0.6711 + 0.0671}, // what travels, its own part copied before, then what is computed
        {"split_k", 9.3178 + 0.6711 + 0.0671},
        {"copies", 9.3178},
        {"panels", 9.3178 / 2 + 9.3178 / 2 * 132 / 128}, // half of it on 128 of 132 SMs
    };
    (void)state;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        struct all all = {.ranks = 2};
        struct prediction p;
        const struct scheme *scheme = schemes;
        while (strcmp(scheme->name, expected[e].name) != 0) scheme++;
        for (int r = 0; r < 2; r++) {
            all.pointers[r] = &all.schedules[r];
            all.schedules[r] = (struct schedule){
                .ranks = 2, .rank = r, .m = 8192, .n = 8192, .k = 8192, .panel = 8192, .beta_is_zero = true};
            assert_true(schedule_write(&all.schedules[r], scheme));
        }
        assert_true(predict_schedules(all.pointers, 2, &figures, &p, NULL));
        if (fabs(p.ms - expected[e].ms) > 0.001) fail_msg("%s: %g ms, expected %g", scheme->name, p.ms, expected[e].ms);
        assert_true(p.received == 4.0 * 4096 * 8192);
        free_all(&all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_order_is_seen),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_prediction_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
