// The rules by which `dispatch` chooses kernels: every shape gets a launch that its kernel can run,
// and the fit recovers known costs.
#include "../library/rules/fit.c"
#include "../library/shapes/step.c"
#include "contender.h"
#include "helpers.h"
#include "launch_gemm.h"
#include "steps.h"

#include <limits.h>

extern const struct step *const block_order_entry; // lesson 10

static const struct variant *variant_named(const char *name) {
    const struct step *const steps[] = {block_order_entry, &shapes};
    for (int s = 0; s < 2; s++) {
        for (const struct variant *v = steps[s]->variants; v->name; v++)
            if (strcmp(v->name, name) == 0) return v;
    }
    return NULL;
}

static void costs_describe_the_variants(void **state) {
    for (int i = 0; i < KERNELS * MACHINES; i++) {
        const struct kernel_cost *c = &machines[i / KERNELS].kernels[i % KERNELS];
        const struct variant *v = variant_named(c->variant);
        assert_non_null(v);
        assert_int_equal(v->block_m, c->block_m);
        assert_int_equal(v->block_n, c->block_n);
        assert_int_equal(v->threads, 32 * c->warps);
        assert_int_equal(extras_of(v)->grid.max_blocks, c->max_blocks);
        assert_int_equal(extras_of(v)->grid.persistent, c->stream);
        assert_string_equal(c->variant, machines[0].kernels[i % KERNELS].variant);
        assert_true(c->start > 0 && c->ends > 0 && c->alone > 0 && c->busy > 0 && c->odd >= 1 &&
                    c->doubt >= 1);
    }
}

// Requires that the kernel can run one launch of a plan.
static void check_launch(const struct situation *asked, const struct planned *l) {
    const struct situation part = part_of_c(asked, l->rows, l->cols), *s = &part;
    const struct variant *v = variant_named(l->variant);
    const int kernel = kernel_named(l->variant);
    assert_non_null(v);
    assert_true(kernel >= 0);
    assert_null(extras_of(v)->choice.choose);
    assert_true(l->parts >= 0);
    assert_true(s->machine_code || !variant_is_machine_code(v));
    const int64_t tiles = tiles_of(&machines[0].kernels[kernel], s);
    const struct blocks blocks = {.at_once = (int64_t)machines[0].kernels[kernel].per_sm *
                                             s->multiprocessors,
                                  .parts = l->parts};
    const int64_t row = row_of_blocks(v, blocks, tiles);
    assert_true(row >= 1 && row <= INT_MAX);
    if (extras_of(v)->grid.persistent) {
        assert_true(row <= blocks.at_once);
    } else {
        assert_true(row == tiles * l->parts); // every part, nothing beyond
        assert_true(l->parts == 1 || l->parts <= tiles_along_k(s));
    }
    assert_true(isfinite(predicted_time(&machines[0], &machines[0].kernels[kernel], s, l->parts)));
}

static bool share_elements(const struct planned *a, const struct planned *b) {
    return a->row < b->row + b->rows && b->row < a->row + a->rows && a->col < b->col + b->cols &&
           b->col < a->col + a->cols;
}

// Requires that the launches of the plan compute every element of C once. Returns their number.
static int check_plan(const struct situation *s) {
    const struct plan plan = choose_plan(s);
    int64_t elements = 0;
    assert_true(plan.count >= 1 && plan.count <= MOST_PLANNED);
    for (int i = 0; i < plan.count; i++) {
        const struct planned *l = &plan.launches[i];
        assert_true(l->row >= 0 && l->col >= 0 && l->rows > 0 && l->cols > 0);
        assert_true(l->row + l->rows <= s->m && l->col + l->cols <= s->n);
        elements += (int64_t)l->rows * l->cols;
        for (int j = 0; j < i; j++) assert_false(share_elements(l, &plan.launches[j]));
        check_launch(s, l);
    }
    assert_true(elements == (int64_t)s->m * s->n);
    return plan.count;
}

// Tries every combination of sizes. `make test` draws one in seven; `make test-all` takes all.
static void every_shape_gets_a_launch(void **state) {
    static const int sizes[] = {1,   2,    5,    8,    63,   64,    65,    127,
                                513, 1000, 2049, 4096, 8193, 65536, 200000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    static const int devices[] = {1, 46, 132, 400};
    const char *seed = getenv("SEED"), *all = getenv("EXHAUSTIVE");
    const int apart = all && *all ? 1 : 7;
    for (int i = seed ? atoi(seed) % apart : 0; i < SIZES * SIZES * SIZES; i += apart) {
        for (int d = 0; d < 8; d++) {
            struct situation s = {.m = sizes[i % SIZES],
                                  .n = sizes[i / SIZES % SIZES],
                                  .k = i % 17 ? sizes[i / SIZES / SIZES] : 0,
                                  .multiprocessors = devices[d / 2],
                                  .machine_code = d % 2};
            check_plan(&s);
            s.capability = 75;
            for (int l = 0, count = check_plan(&s); l < count; l++)
                assert_string_not_equal(choose_plan(&s).launches[l].variant, "whole_16x12");
            s.capability = 90;
            s.ldb = s.n + i % 5, s.ldc = s.n + i % 3;
            check_plan(&s);
        }
    }
}

static struct plan plan_for(int m, int n, int k) {
    const struct situation s = {m, n, k, .multiprocessors = 132, .machine_code = true};
    return choose_plan(&s);
}

// One row and one column beyond whole tiles get a launch each (tests/order_test.sh runs them). A
// shape of whole tiles gets one launch.
static void a_fringe_is_peeled_off(void **state) {
    static const int shapes[][3] = {{2049, 2049, 2049}, {4097, 4097, 4097}, {8193, 8193, 8193}};
    for (int i = 0; i < 3; i++) {
        const int *shape = shapes[i];
        const struct plan plan = plan_for(shape[0], shape[1], shape[2]);
        assert_int_equal(plan.count, 3);
        assert_true(plan.launches[0].rows == shape[0] - 1 && plan.launches[0].cols == shape[1] - 1);
        assert_int_equal(plan_for(shape[0] - 1, shape[1] - 1, shape[2]).count, 1);
    }
    const struct plan rows = plan_for(769, 4076, 304), cols = plan_for(4096, 2049, 1000);
    assert_true(rows.count == 2 && rows.launches[0].rows == 768 && rows.launches[0].cols == 4076);
    assert_true(cols.count == 2 && cols.launches[0].rows == 4096 && cols.launches[0].cols == 2048);
}

static unsigned lot;
static int draw_below(int most) {
    lot = lot * 1664525 + 1013904223;
    return (int)(lot >> 8) % most;
}

// Separate launches for the fringe are chosen only if that is expected to be faster than the best
// single launch. This happens often.
static void peeling_pays(void **state) {
    int peeled = 0;
    for (int i = 0; i < 2000; i++) {
        struct situation s = {.multiprocessors = 132, .machine_code = true};
        s.m = 1 + draw_below(5000), s.n = 1 + draw_below(5000), s.k = 1 + draw_below(3000);
        double whole, least;
        best_launch(&s, INFINITY, &whole);
        const struct plan plan = best_launches(&s, &least);
        assert_true(plan.count > 1 ? least < whole : least == whole);
        peeled += plan.count > 1;
    }
    assert_true(peeled > 100 && peeled < 1500);
}

// A shape whose fastest kernel was measured gets this kernel, never one whose costs are predicted.
static void measured_shapes_keep_their_kernels(void **state) {
    static const int shapes[][3] = {
        {128, 128, 128},    {127, 127, 127},    {255, 255, 255},  {256, 256, 256},
        {384, 384, 384},    {511, 511, 511},    {512, 512, 512},  {1024, 1024, 1024},
        {2560, 2560, 2560}, {4096, 4096, 4096}, {8192, 8192, 64}, {8192, 64, 8192},
        {64, 8192, 8192},   {128, 128, 65536},  {1, 8192, 8192},  {16384, 1024, 1024}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int *shape = shapes[i];
        const struct situation s = {shape[0], shape[1], shape[2], .multiprocessors = 132,
                                    .machine_code = true};
        assert_true(machines[0].kernels[kernel_named(choose_plan(&s).launches[0].variant)].doubt ==
                    1);
    }
}

// Shapes with few columns, few rows or a small K have kernels of their own.
static void shapes_at_the_edge_get_their_kernels(void **state) {
    static const struct {
        int m, n, k;
        const char *variant;
    } expected[] = {{4096, 1, 4096, "column"},  {3000, 3, 3000, "narrow"},
                    {1, 3000, 1000, "row"},     {6144, 6144, 1, "sectors"},
                    {8191, 4097, 4, "sectors"}, {4096, 4096, 16, "panel"},
                    {40000, 16, 16, "long"},    {1000, 1000, 2, "flat"},
                    {8192, 20, 8192, "slim"},   {20, 8192, 8192, "thin_2"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct situation s = {expected[i].m, expected[i].n, expected[i].k,
                                    .multiprocessors = 132, .machine_code = true};
        const char *family = expected[i].variant; // or a longer name, such as column_deep
        assert_memory_equal(choose_plan(&s).launches[0].variant, family, strlen(family));
    }
}

// With beta other than 0 the kernel reads C, which takes longer. No kernel is faster than memory
// allows.
static void memory_counts_both_ways(void **state) {
    struct situation s = {
        .m = 8192, .n = 8192, .k = 2, .multiprocessors = 132, .machine_code = true};
    const double bytes = 4.0 * s.m * s.n, write_only = memory_time(&machines[0], &s);
    assert_true(write_only > bytes / machines[0].write &&
                write_only < 1.01 * bytes / machines[0].write);
    s.reads_c = true;
    const double both = memory_time(&machines[0], &s);
    assert_true(fabs(both - write_only - bytes / machines[0].read) < 1e-6);
    double least;
    best_launch(&s, INFINITY, &least);
    assert_true(least > both);
}

// A device uses its own costs if it has any, otherwise the first machine's. The simulator uses an
// H200's.
static void machines_are_found_by_name(void **state) {
    assert_ptr_equal(machine_of(NULL), &machines[0]);
    assert_ptr_equal(machine_of("Abacus 3000"), &machines[0]);
    assert_string_equal(costs_from("Abacus 3000"), machines[0].device);
    assert_string_equal(costs_from("simulator"), "simulator");
    for (int m = 0; m < MACHINES; m++)
        assert_ptr_equal(machine_of(machines[m].device), &machines[m]);
}

static void rows_of_blocks(void **state) {
    const struct variant split = {.extras = &(const struct extras){.grid = {.linear = true,
                                                                            .max_blocks = 100}}},
                         plain = {.extras = &(const struct extras){.grid.linear = true}};
    const struct variant persistent = {.extras = &(const struct extras){.grid.persistent = true}},
                         stream = {.extras = &(const struct extras){
                                       .grid = {.persistent = true, .max_blocks = 4096}}};
    assert_int_equal(row_of_blocks(&plain, (struct blocks){132, 0}, 7), 7);
    assert_int_equal(row_of_blocks(&plain, (struct blocks){132, 5}, 7), 7);
    assert_int_equal(row_of_blocks(&split, (struct blocks){132, 0}, 7), 7);
    assert_int_equal(row_of_blocks(&split, (struct blocks){132, 5}, 7), 35);
    // 50 parts are asked for; at most 14 fit
    assert_int_equal(row_of_blocks(&split, (struct blocks){132, 50}, 7), 98);
    assert_int_equal(row_of_blocks(&split, (struct blocks){132, 50}, 101), 101);
    assert_int_equal(row_of_blocks(&persistent, (struct blocks){132, 5}, 7), 7);
    assert_int_equal(row_of_blocks(&persistent, (struct blocks){132, 0}, 700), 132);
    assert_int_equal(row_of_blocks(&stream, (struct blocks){132, 0}, 7), 132);
    assert_int_equal(row_of_blocks(&stream, (struct blocks){132, 3}, 7), 21);
    assert_int_equal(row_of_blocks(&stream, (struct blocks){132, 30}, 7), 132);
}

static void deeper_takes_longer(void **state) {
    for (int k = 0; k < KERNELS; k++) {
        double before = 0;
        for (int depth = 64; depth <= 1 << 16; depth *= 2) {
            const struct situation s = {
                .m = 1000, .n = 1000, .k = depth, .multiprocessors = 132, .machine_code = true};
            const double time = predicted_time(&machines[0], &machines[0].kernels[k], &s, 1);
            assert_true(time > before);
            before = time;
        }
    }
}

// Samples have times computed from changed costs. The fit starts from the known costs and must find
// the changed ones.
static void the_fit_finds_costs_again(void **state) {
    static struct samples samples;
    static const int parts[] = {1, 2, 4, 8};
    for (int k = 0; k < KERNELS; k++) {
        const struct machine *m = &machines[0];
        struct kernel_cost truth = m->kernels[k], found = m->kernels[k];
        truth.start *= 1.6, truth.ends *= 0.7, truth.alone *= 1.4, truth.busy *= 1.1,
            truth.join *= 2, truth.part *= 0.5;
        samples.count = 0;
        for (int size = 128; size <= 8192; size += size / 2) {
            for (int p = 0; p < 4; p++) {
                struct sample *x = &samples.list[samples.count++];
                *x = (struct sample){.kernel = k, .parts = parts[p], .weight = 1};
                x->shape = (struct situation){.m = size,
                                              .n = size + p % 2,
                                              .k = size,
                                              .multiprocessors = 132,
                                              .machine_code = true};
                x->us = predicted_time(m, &truth, &x->shape, parts[p]);
            }
        }
        arrange(&samples);
        const double before = misfit(&samples, k, m, &found) / samples.count;
        fit(&samples, misfit, k, m, &found);
        const double after = misfit(&samples, k, m, &found) / samples.count;
        assert_true(after < before / 10);
        assert_true(sqrt(after) < 0.03);
    }
}

// Two kernels, of which the second takes 20 % longer. Nothing is lost if the first is expected to
// be faster, 20 % if the second is, and half of that if both are expected to be equal.
static void a_wrong_choice_loses(void **state) {
    static struct samples samples;
    const struct situation shape = {.m = 100, .n = 100, .k = 100, .multiprocessors = 132};
    samples.count = 2;
    for (int k = 0; k < 2; k++)
        samples.list[k] = (struct sample){
            .kernel = k, .parts = 1, .shape = shape, .us = k ? 12 : 10, .weight = 1};
    arrange(&samples);
    assert_true(samples.list[1].fastest == 10 && samples.list[1].first == 0 &&
                samples.list[0].next == 1);
    samples.list[0].expected = log(10), samples.list[1].expected = log(15);
    assert_true(loss(&samples, 0) < 1e-4);
    samples.list[1].expected = log(5);
    assert_true(fabs(loss(&samples, 0) - log(1.2)) < 1e-4);
    samples.list[1].expected = samples.list[0].expected;
    assert_true(fabs(loss(&samples, 0) - log(1.2) / 2) < 1e-9);
    samples.list[1].expected = INFINITY; // the rules never choose it
    assert_true(loss(&samples, 0) == 0);
}

// The kernel `slow` takes 10 % longer than expected, `fast` only 4 % longer than that expectation,
// at 16 sizes. The second fit, which weighs wrong choices, makes the rules prefer `fast`.
static void the_second_fit_mends_choices(void **state) {
    static struct samples samples;
    struct machine m = machines[0];
    const int slow = kernel_named("64x64"), fast = kernel_named("64x128");
    samples.count = 0;
    for (int size = 200; size < 1000; size += 50) {
        const struct situation shape = {
            .m = size, .n = size, .k = size, .multiprocessors = 132, .machine_code = true};
        const double time = predicted_time(&m, &m.kernels[slow], &shape, 1);
        for (int k = 0; k < 2; k++) {
            samples.list[samples.count++] = (struct sample){.kernel = k ? fast : slow,
                                                            .parts = 1,
                                                            .shape = shape,
                                                            .weight = 1,
                                                            .us = time * (k ? 1.04 : 1.1)};
        }
    }
    arrange(&samples);
    fit_kernels(&samples, misfit, &m);
    for (int round = 0; round < CHOICE_FITS; round++) fit_kernels(&samples, loss_and_misfit, &m);
    double lost = 0;
    for (int i = samples.begin[slow]; i < samples.begin[slow + 1]; i++)
        lost += loss(&samples, samples.list[i].first);
    assert_true(lost / 16 < 0.03); // a wrong choice loses log(1.1 / 1.04) = 0.056
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_describe_the_variants),
        cmocka_unit_test(every_shape_gets_a_launch),
        cmocka_unit_test(a_fringe_is_peeled_off),
        cmocka_unit_test(peeling_pays),
        cmocka_unit_test(measured_shapes_keep_their_kernels),
        cmocka_unit_test(shapes_at_the_edge_get_their_kernels),
        cmocka_unit_test(memory_counts_both_ways),
        cmocka_unit_test(machines_are_found_by_name),
        cmocka_unit_test(rows_of_blocks),
        cmocka_unit_test(deeper_takes_longer),
        cmocka_unit_test(the_fit_finds_costs_again),
        cmocka_unit_test(a_wrong_choice_loses),
        cmocka_unit_test(the_second_fit_mends_choices),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
