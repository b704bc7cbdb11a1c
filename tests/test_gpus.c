// Step 14's schedules for 1 to 7 ranks and awkward shapes: they are safe, send the bytes that the
// formulas state, and take the predicted time.
#include "../steps/14_several_gpus/predict.h"
#include "../steps/14_several_gpus/schedule.h"
#include "../steps/14_several_gpus/schemes.c" // the lesson's table of schemes
#include "../steps/14_several_gpus/speed.h"
#include "../steps/14_several_gpus/verify.h"
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int64_t m, n, k, pad, panel;
} cases[] = {
    {16, 16, 16, 0, 8}, {37, 53, 29, 1, 8},    {5, 70, 64, 0, 12},  {1, 1, 1, 0, 4},
    {0, 9, 9, 0, 8},    {9, 0, 9, 0, 8},       {9, 9, 0, 2, 8},     {100, 3, 257, 3, 16},
    {64, 128, 1, 0, 8}, {24, 24, 96, 0, 1000}, {33, 65, 97, 1, 32}, {128, 96, 64, 0, 4},
    {7, 7, 300, 0, 28}, {300, 11, 40, 5, 16},
};
enum { CASES = sizeof cases / sizeof *cases, MOST = 7 };

// The schedules of all ranks for a case; write_all() makes them, free_all() frees them.
struct all {
    struct schedule schedules[MOST], *pointers[MOST];
    int ranks;
};

static void write_all(struct all *all, const struct scheme *scheme, int ranks, int number,
                      bool beta_is_zero) {
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

// Calls `look` with the schedules of every scheme, number of ranks and case, with and without beta.
static void for_each(void (*look)(struct all *all, const struct scheme *scheme)) {
    for (const struct scheme *s = lesson_schemes; s->name; s++) {
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

// --- safe: each element has one owner, tiles are inside their buffers, accesses to one memory are
// ordered

static void schedules_are_safe(struct all *all, const struct scheme *scheme) {
    char fault[256];
    if (schedules_verify(all->pointers, all->ranks, fault, sizeof fault) != SCHEDULE_IS_SAFE)
        fail_msg("%s, %d ranks, %dx%dx%d: %s", scheme->name, all->ranks, (int)all->schedules[0].m,
                 (int)all->schedules[0].n, (int)all->schedules[0].k, fault);
}

static void test_safe(void **state) {
    for_each(schedules_are_safe);
}

static const struct scheme *scheme_named(const char *name) {
    const struct scheme *scheme = lesson_schemes;
    while (strcmp(scheme->name, name) != 0) scheme++;
    return scheme;
}

// Each of these functions puts a fault into the schedule of one of three ranks.
static void forget_waits(struct schedule *s) {
    for (int i = 0; i < s->count; i++) s->operations[i].waits[0] = s->operations[i].waits[1] = -1;
}
static void wait_for_oneself(struct schedule *s) {
    s->operations[0].waits[1] = 0;
}
static void take_a_row_more(struct schedule *s) {
    s->pieces[PIECE_C].rows++;
}
static void take_a_row_less(struct schedule *s) {
    s->pieces[PIECE_B].rows--;
}
static void take_beyond(struct schedule *s) {
    s->pieces[PIECE_A].cols++;
}
static void shrink_slots(struct schedule *s) {
    s->work[FIRST_WORK]--;
}
static void multiply_a_row_less(struct schedule *s) {
    for (int i = 0; i < s->count; i++) s->operations[i].a.rows--;
}
static void send_with_gaps(struct schedule *s) {
    for (int i = 0; i < s->count; i++) {
        if (s->operations[i].kind == EXCHANGE) s->operations[i].from.ld++;
    }
}

static void test_faults_are_seen(void **state) {
    static const struct {
        void (*spoil)(struct schedule *s);
        enum schedule_fault fault;
        const char *place;
    } faults[] = {
        {forget_waits, FAULT_ORDER, "rank 1"},  {wait_for_oneself, FAULT_WAIT, "rank 1"},
        {take_a_row_more, FAULT_OWNER, "C"},    {take_a_row_less, FAULT_OWNER, "B"},
        {take_beyond, FAULT_RANGE, "rank 1"},   {shrink_slots, FAULT_BUFFER, "rank 1"},
        {send_with_gaps, FAULT_GAPS, "rank 1"}, {multiply_a_row_less, FAULT_SIZES, "rank 1"},
    };
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct all all;
        char fault[256] = "nothing";
        write_all(&all, scheme_named("panels"), 3, 7, true);
        faults[f].spoil(&all.schedules[1]);
        const enum schedule_fault found = schedules_verify(all.pointers, 3, fault, sizeof fault);
        if (found != faults[f].fault || !strstr(fault, faults[f].place))
            fail_msg("expected fault %d at %s, found %d: %s", faults[f].fault, faults[f].place,
                     found, fault);
        free_all(&all);
    }
}

// --- the bytes received are those of the formula

static void traffic_is_the_formula(struct all *all, const struct scheme *scheme) {
    double most = 0;
    for (int r = 0; r < all->ranks; r++) most = fmax(most, schedule_received(&all->schedules[r]));
    const double formula = scheme->received(&all->schedules[0]);
    if (most != formula) {
        fail_msg("%s, %d ranks, %dx%dx%d: %.0f bytes by the schedule, %.0f by the formula",
                 scheme->name, all->ranks, (int)all->schedules[0].m, (int)all->schedules[0].n,
                 (int)all->schedules[0].k, most, formula);
    }
}

static void test_traffic(void **state) {
    for_each(traffic_is_the_formula);
}

// --- predictions

static const struct figures figures = {.tflops = 59, .bandwidth = 200, .sms = 132, .left = 4};

static void prediction_is_sane(struct all *all, const struct scheme *scheme) {
    struct prediction p;
    assert_true(predict_schedules(all->pointers, all->ranks, &figures, &p, NULL));
    const struct schedule *s = &all->schedules[0];
    const double least =
        2.0 * (double)s->m * (double)s->n * (double)s->k / figures.tflops * 1e-9 / all->ranks;
    if (p.ms < least * 0.999999 || p.ms < p.compute_ms || p.ms < p.travel_ms)
        fail_msg("%s, %d ranks: predicted %g ms, at least %g", scheme->name, all->ranks, p.ms,
                 least);
}

static void test_predictions(void **state) {
    for_each(prediction_is_sane);
}

// Expected times, computed by hand for two ranks and N = 8192: half of B is 134 MB, which take 0.67
// ms at 200 GB/s; the GEMMs take 9.32 ms.
static void test_prediction_by_hand(void **state) {
    static const struct {
        const char *name;
        double ms;
    } expected[] = {
        {"gather", 9.3178 + 0.6711 + 0.0671}, // GEMMs, transfer, copy of its own part
        {"split_k", 9.3178 + 0.6711 + 0.0671},
        {"copies", 9.3178},
        {"panels", 9.3178 / 2 + 9.3178 / 2 * 132 / 128}, // half on 132 SMs, half on 128
    };
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        struct all all = {.ranks = 2};
        struct prediction p;
        const struct scheme *scheme = scheme_named(expected[e].name);
        for (int r = 0; r < 2; r++) {
            all.pointers[r] = &all.schedules[r];
            all.schedules[r] = (struct schedule){.ranks = 2,
                                                 .rank = r,
                                                 .m = 8192,
                                                 .n = 8192,
                                                 .k = 8192,
                                                 .panel = 8192,
                                                 .beta_is_zero = true};
            assert_true(schedule_write(&all.schedules[r], scheme));
        }
        assert_true(predict_schedules(all.pointers, 2, &figures, &p, NULL));
        if (fabs(p.ms - expected[e].ms) > 0.001)
            fail_msg("%s: %g ms, expected %g", scheme->name, p.ms, expected[e].ms);
        assert_true(p.received == 4.0 * 4096 * 8192);
        free_all(&all);
    }
}

// A kernel of unknown speed has no predicted time; the time of the transfers is known.
static void test_unknown_speed(void **state) {
    const struct figures unknown = {.tflops = NAN, .bandwidth = 200, .sms = 132, .left = 4};
    for (const struct scheme *scheme = lesson_schemes; scheme->name; scheme++) {
        struct all all = {.ranks = 2};
        struct prediction p;
        for (int r = 0; r < 2; r++) {
            all.pointers[r] = &all.schedules[r];
            all.schedules[r] = (struct schedule){.ranks = 2,
                                                 .rank = r,
                                                 .m = 8192,
                                                 .n = 8192,
                                                 .k = 8192,
                                                 .panel = 8192,
                                                 .beta_is_zero = true};
            assert_true(schedule_write(&all.schedules[r], scheme));
        }
        assert_true(predict_schedules(all.pointers, 2, &unknown, &p, NULL));
        if (!isnan(p.ms) || !isnan(p.compute_ms) || !(p.travel_ms >= 0.67)) // 134 MB at 200 GB/s
            fail_msg("%s: %g ms, %g ms of products, %g ms of travel", scheme->name, p.ms,
                     p.compute_ms, p.travel_ms);
        free_all(&all);
    }
}

// A kernel's speed is the option's, a recorded one, one from fitted costs, or unknown.
static void test_speeds(void **state) {
    static const struct step fast = {.name = "13_tensor_cores"}, slow = {.name = "shapes"};
    static const struct variant safe = {.name = "safe"}, dispatch = {.name = "dispatch"},
                                other = {.name = "ring"};
    const struct device_info h200 = {.name = "NVIDIA H200"},
                             h100 = {.name = "NVIDIA H100 80GB HBM3"};
    const struct choice safe_choice = {&fast, &safe}, dispatch_choice = {&slow, &dispatch};
    const struct choice other_choice = {&fast, &other};
    assert_int_equal(speed_known(3, &safe_choice, &h200, true).source, SPEED_GIVEN);
    assert_true(speed_known(3, &safe_choice, &h200, true).tflops == 3);
    const struct speed a = speed_known(0, &safe_choice, &h200, true);
    const struct speed b = speed_known(0, &dispatch_choice, &h200, true);
    assert_int_equal(a.source, SPEED_RECORDED);
    assert_int_equal(b.source, SPEED_RECORDED);
    assert_true(a.tflops > 2 * b.tflops);
    // Recorded speeds hold for their own device only
    assert_int_equal(speed_known(0, &safe_choice, &h100, true).source, SPEED_UNKNOWN);
    assert_int_equal(speed_known(0, &other_choice, &h200, true).source, SPEED_UNKNOWN);
    assert_true(isnan(speed_known(0, &other_choice, &h200, true).tflops));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_safe),
        cmocka_unit_test(test_faults_are_seen),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_prediction_by_hand),
        cmocka_unit_test(test_unknown_speed),
        cmocka_unit_test(test_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
