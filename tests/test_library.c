// libsgemm on the simulator: random shapes, layouts, batches and inputs compared with float64; the
// library's choices; its memory; refused arguments.
#include "../library/internal.h"
#include "helpers.h"
#include "sim_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sgemm_handle handle;

#define assert_well(call) assert_true_or((call) == SGEMM_OK, #call, __FILE__, __LINE__)
static void assert_true_or(bool good, const char *what, const char *file, int line) {
    if (good) return;
    print_error("%s: %s\n", what, sgemm_error());
    _fail(file, line);
}

// --- a problem with its matrices
static uint64_t seed;
static uint64_t draw(uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

enum inputs { UNIFORM, SPOTS, WIDE };
static float number(enum inputs inputs) {
    const float u = (float)((double)draw(1u << 24) / (1 << 23) - 1);
    if (inputs == WIDE) return ldexpf(u, (int)draw(80) - 40);
    return inputs == SPOTS && draw(300) == 0 ? ldexpf(u, -60) : u;
}

struct matrix {
    int64_t rows, cols, ld, stride, floats; // as stored: rows of ld floats
    float *host;
    device_pointer device, list;
};

static struct matrix make(int64_t rows, int64_t cols, int64_t more, int64_t batch,
                          enum inputs inputs) {
    struct matrix m = {rows, cols, cols + more + (cols == 0), 0, 0, NULL, 0, 0};
    m.stride = rows * m.ld + (int64_t)draw(5);
    m.floats = m.stride * batch + 1;
    m.host = malloc((size_t)m.floats * 4);
    for (int64_t i = 0; i < m.floats; i++) m.host[i] = number(inputs);
    assert_true(backend_sim.allocate(4 * m.floats, 4 * (int)draw(2), &m.device));
    assert_true(backend_sim.to_device(m.device, m.host, 4 * m.floats));
    return m;
}

static void list(struct matrix *m, int64_t batch) {
    assert_true(backend_sim.allocate(8 * batch, 0, &m->list));
    for (int64_t i = 0; i < batch; i++) {
        const uint64_t at = m->device + (uint64_t)(4 * i * m->stride);
        assert_true(backend_sim.to_device(m->list + (uint64_t)(8 * i), &at, 8));
    }
}

static void drop(struct matrix *m) {
    backend_sim.release(m->device);
    backend_sim.release(m->list);
    free(m->host);
}

static float *of_device(device_pointer at) {
    return (float *)(uintptr_t)at;
}

struct trial {
    sgemm_problem p;
    float alpha, beta;
    struct matrix a, b, c, source;
    device_pointer scalars, bias;
    float *bias_host;
    bool bias_of_columns, has_source;
};

static float at(const sgemm_problem *p, const struct matrix *m, int64_t product, bool transposed,
                int64_t row, int64_t col) {
    const bool turned = transposed != (p->order == SGEMM_COLUMN_MAJOR);
    return m->host[product * m->stride + (turned ? col * m->ld + row : row * m->ld + col)];
}

static struct matrix matrix_for(const sgemm_problem *p, bool transposed, int64_t rows, int64_t cols,
                                enum inputs inputs) {
    const bool turned = transposed != (p->order == SGEMM_COLUMN_MAJOR);
    return make(turned ? cols : rows, turned ? rows : cols, (int64_t)draw(3) * (int64_t)draw(5),
                p->batch ? p->batch : 1, inputs);
}

static struct trial make_trial(sgemm_problem p, float alpha, float beta, enum inputs inputs) {
    struct trial t = {.p = p, .alpha = alpha, .beta = beta};
    t.a = matrix_for(&p, p.a != SGEMM_N, p.m, p.k, inputs);
    t.b = matrix_for(&p, p.b != SGEMM_N, p.k, p.n, inputs);
    t.c = matrix_for(&p, false, p.m, p.n, UNIFORM);
    for (int64_t i = 0; beta == 0 && i < t.c.floats; i++) t.c.host[i] = NAN; // must not be read
    assert_true(backend_sim.to_device(t.c.device, t.c.host, 4 * t.c.floats));
    t.p.lda = t.a.ld, t.p.ldb = t.b.ld, t.p.ldc = t.c.ld;
    t.p.stride_a = t.a.stride, t.p.stride_b = t.b.stride, t.p.stride_c = t.c.stride;
    if (p.pointers) list(&t.a, p.batch), list(&t.b, p.batch), list(&t.c, p.batch);
    return t;
}

static void add_extra(struct trial *t) {
    const int64_t count = t->p.m > t->p.n ? t->p.m : t->p.n;
    t->bias_of_columns = draw(2) != 0;
    t->has_source = draw(2) != 0;
    if (t->has_source) t->source = matrix_for(&t->p, false, t->p.m, t->p.n, UNIFORM);
    t->bias_host = malloc((size_t)count * 4 + 4);
    for (int64_t i = 0; i < count; i++) t->bias_host[i] = number(UNIFORM);
    assert_true(backend_sim.allocate(4 * count + 4, 0, &t->bias));
    assert_true(backend_sim.to_device(t->bias, t->bias_host, 4 * count));
}

static sgemm_status run_trial(struct trial *t) {
    const sgemm_extra extra = {of_device(t->bias), t->bias_of_columns,
                               t->has_source ? of_device(t->source.device) : NULL, t->source.ld,
                               t->source.stride};
    const float *alpha = &t->alpha, *beta = &t->beta;
    const float both[] = {t->alpha, t->beta};
    if (t->p.device_scalars) {
        assert_true(backend_sim.allocate(8, 0, &t->scalars) &&
                    backend_sim.to_device(t->scalars, both, 8));
        alpha = of_device(t->scalars), beta = of_device(t->scalars + 4);
    }
    return sgemm_run(handle, &t->p, alpha, of_device(t->p.pointers ? t->a.list : t->a.device),
                     of_device(t->p.pointers ? t->b.list : t->b.device), beta,
                     of_device(t->p.pointers ? t->c.list : t->c.device),
                     t->bias || t->has_source ? &extra : NULL);
}

// Requires two things: every element of C is within FP32's error bound for its sum of products,
// source and bias; the memory between rows is unchanged. Returns the largest error as a share of
// its bound.
static double check_trial(const struct trial *t) {
    const sgemm_problem *p = &t->p;
    float *got = malloc((size_t)t->c.floats * 4);
    double worst = 0;
    int64_t touched = 0;
    assert_true(backend_sim.to_host(got, t->c.device, 4 * t->c.floats));
    for (int64_t q = 0; q < (p->batch ? p->batch : 1); q++)
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++) {
                double sum = 0, size = 0;
                for (int64_t k = 0; k < p->k && t->alpha != 0; k++) {
                    const double product = (double)at(p, &t->a, q, p->a != SGEMM_N, i, k) *
                                           at(p, &t->b, q, p->b != SGEMM_N, k, j);
                    sum += product, size += fabs(product);
                }
                double expected = t->alpha * sum, bound = fabs(t->alpha) * size * (p->k + 2);
                const double before =
                    t->beta == 0 ? 0
                                 : t->beta * (double)at(p, t->has_source ? &t->source : &t->c, q,
                                                        false, i, j);
                const double bias = t->bias ? t->bias_host[t->bias_of_columns ? j : i] : 0;
                expected += before + bias,
                    bound += 4 * (fabs(before) + fabs(bias) + fabs(expected));
                const int64_t line =
                    p->order == SGEMM_COLUMN_MAJOR ? j * t->c.ld + i : i * t->c.ld + j;
                const double error = fabs((double)got[q * t->c.stride + line] - expected);
                const double used = error == 0 ? 0 : error / (1.01 * bound * 0x1p-24 + 0x1p-149);
                if (!(used <= worst)) worst = isnan(used) ? INFINITY : used;
                got[q * t->c.stride + line] = t->c.host[q * t->c.stride + line];
            }
    for (int64_t i = 0; i < t->c.floats; i++) touched += memcmp(&got[i], &t->c.host[i], 4) != 0;
    assert_int_equal(touched, 0);
    free(got);
    return worst;
}

static void drop_trial(struct trial *t) {
    drop(&t->a), drop(&t->b), drop(&t->c);
    if (t->has_source) drop(&t->source);
    backend_sim.release(t->scalars);
    backend_sim.release(t->bias);
    free(t->bias_host);
}

static const char *problem_text(const sgemm_problem *p) {
    static char text[256];
    snprintf(text, sizeof text,
             "order %d, %d%d, method %d, %lld x %lld x %lld, batch %lld, scalars %d, pointers %d",
             (int)p->order, (int)p->a, (int)p->b, (int)p->method, (long long)p->m, (long long)p->n,
             (long long)p->k, (long long)p->batch, p->device_scalars, p->pointers);
    return text;
}

static void try(struct trial *t) {
    if (run_trial(t) != SGEMM_OK) fail_msg("%s: %s", problem_text(&t->p), sgemm_error());
    const double worst = check_trial(t);
    if (!(worst <= 1)) fail_msg("%s: %g times the bound", problem_text(&t->p), worst);
    drop_trial(t);
}

// --- the tests
// Draws a side: often small, sometimes 0 or 1.
static int64_t side(void) {
    const int64_t most[] = {2, 20, 140, 140};
    return (int64_t)draw((uint64_t)most[draw(4)] + 1);
}

// True in make test-all (EXHAUSTIVE in the environment), which takes every case.
static bool all_of_them(void) {
    const char *all = getenv("EXHAUSTIVE");
    return all && *all;
}

static void random_calls_are_right(void **state) {
    const float scalars[] = {1, 0, -1.5f, 0.25f};
    const char *wish = getenv("SEED"), *calls = getenv("CALLS");
    seed = wish ? strtoull(wish, NULL, 10) : 41;
    for (int i = 0; i < (calls ? atoi(calls) : all_of_them() ? 100 : 60); i++) {
        const sgemm_problem p = {
            .order = (sgemm_order)draw(2),
            .a = (sgemm_transpose)draw(3),
            .b = (sgemm_transpose)draw(3),
            .method = (sgemm_method)draw(3),
            .m = side(),
            .n = side(),
            // Some sums are too long for one block of a kernel
            .k = side() * (draw(5) ? 1 : 5),
            .batch = draw(3) ? 0 : (int64_t)draw(4) + 1,
            .device_scalars = draw(4) == 0,
        };
        sgemm_problem q = p;
        q.pointers = q.batch > 0 && draw(2);
        struct trial t = make_trial(q, scalars[draw(4)], scalars[draw(4)], (enum inputs)draw(3));
        if (draw(4) == 0) add_extra(&t);
        sim_captured = draw(5) == 0;
        try(&t);
        sim_captured = false;
    }
}

static const sgemm_problem plain = {
    .order = SGEMM_ROW_MAJOR, .m = 70, .n = 90, .k = 50, .lda = 50, .ldb = 90, .ldc = 90};

// Columns so long that eight blocks share each of them, not two. The largest element is in the last
// block's part.
static void long_columns(void **state) {
    for (int i = 0; i < 2; i++) {
        sgemm_problem p = plain;
        p.method = SGEMM_SAFE, p.k = 1100, p.batch = 2, p.a = i ? SGEMM_N : SGEMM_T,
        p.b = i ? SGEMM_N : SGEMM_T;
        struct trial t = make_trial(p, 1, 0.5f, UNIFORM);
        struct matrix *down = i ? &t.b : &t.a;
        down->host[(p.k - 1) * down->ld + 13] = 1 << 20;
        assert_true(backend_sim.to_device(down->device, down->host, 4 * down->floats));
        try(&t);
    }
}

static void same_bits_again(void **state) {
    for (sgemm_method method = SGEMM_DISPATCH; method <= SGEMM_SAFE; method++) {
        sgemm_problem p = plain;
        p.method = method, p.k = 600, p.a = SGEMM_T;
        struct trial t = make_trial(p, 1, 0, SPOTS);
        float *first = malloc((size_t)t.c.floats * 4), *again = malloc((size_t)t.c.floats * 4);
        for (int i = 0; i < 2; i++) {
            assert_well(run_trial(&t));
            assert_true(backend_sim.to_host(i ? again : first, t.c.device, 4 * t.c.floats));
            assert_true(backend_sim.to_device(t.c.device, t.c.host, 4 * t.c.floats));
            if (i) assert_memory_equal(first, again, (size_t)t.c.floats * 4);
        }
        free(first), free(again);
        drop_trial(&t);
    }
}

// As in BLAS, alpha = 0 ignores A and B. Otherwise infinities and NaN spread as in any sum of
// products.
static void what_is_not_finite(void **state) {
    const float odd[] = {NAN, INFINITY};
    for (int i = 0; i < 8; i++) {
        sgemm_problem p = plain;
        p.method = i % 2 ? SGEMM_SAFE : SGEMM_DISPATCH, p.a = i / 2 % 2 ? SGEMM_T : SGEMM_N;
        struct trial t = make_trial(p, 1, 0, UNIFORM);
        const int64_t row = 13;
        t.a.host[p.a ? 7 * t.a.ld + row : row * t.a.ld + 7] = odd[i / 4];
        assert_true(backend_sim.to_device(t.a.device, t.a.host, 4 * t.a.floats));
        assert_well(run_trial(&t));
        float *got = malloc((size_t)t.c.floats * 4);
        assert_true(backend_sim.to_host(got, t.c.device, 4 * t.c.floats));
        for (int64_t at = 0; at < p.m * p.n; at++) {
            const float c = got[at / p.n * t.c.ld + at % p.n];
            assert_true(at / p.n == row ? (i / 4 ? isinf(c) : isnan(c)) : isfinite(c));
        }
        t.alpha = 0;
        assert_well(run_trial(&t));
        assert_true(backend_sim.to_host(got, t.c.device, 4 * t.c.floats));
        for (int64_t at = 0; at < p.m * p.n; at++)
            assert_true(got[at / p.n * t.c.ld + at % p.n] == 0);
        free(got);
        drop_trial(&t);
    }
}

static void wrong_arguments_are_reported(void **state) {
    static const struct {
        sgemm_problem p;
        const char *argument, *value; // parts of the message
    } wrong[] = {
        {{.order = (sgemm_order)2}, "order", "2"},
        {{.a = (sgemm_transpose)7}, "A", "7"},
        {{.b = (sgemm_transpose)8}, "B", "8"},
        {{.method = (sgemm_method)9}, "method", "9"},
        {{.m = -1}, "m", "-1"},
        {{.batch = -3}, "batch", "-3"},
        {{.m = 2, .n = 3, .k = 4, .lda = 3, .ldb = 3, .ldc = 3}, "lda", "4"},
        {{.m = 2, .n = 3, .k = 4, .lda = 4, .ldb = 3, .ldc = 0}, "ldc", "3"},
        {{.order = SGEMM_COLUMN_MAJOR,
          .b = SGEMM_T,
          .m = 2,
          .n = 3,
          .k = 4,
          .lda = 2,
          .ldb = 2,
          .ldc = 2},
         "ldb",
         "3"},
        {{.m = 2, .n = 3, .k = 4, .lda = 4, .ldb = 3, .ldc = 3, .batch = 2, .stride_c = 2},
         "stride_c",
         "2"},
        {{.m = 8, .n = 8, .k = 8, .lda = 8, .ldb = 8, .ldc = 8, .batch = 2, .stride_c = 32},
         "stride_c",
         "32"},
        {{.m = 8, .n = 8, .k = 8, .lda = 8, .ldb = 8, .ldc = 8, .batch = 2, .stride_c = -63},
         "stride_c",
         "-63"},
        {{.m = 1ll << 31, .n = 1ll << 31, .k = 8, .lda = 8, .ldb = 1ll << 31, .ldc = 1ll << 31},
         "C",
         "1.84e+19"},
        {{.m = 8, .n = 8, .k = 8, .lda = INT64_MAX, .ldb = 8, .ldc = 8}, "A", "2.58e+20"},
        {{.m = 8,
          .n = 8,
          .k = 8,
          .lda = 8,
          .ldb = 8,
          .ldc = 8,
          .batch = INT64_MAX,
          .stride_b = INT64_MIN},
         "B",
         "3.4e+38"},
    };
    const float one = 1;
    float memory[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sgemm_run(handle, &wrong[i].p, &one, memory, memory, &one, memory, NULL),
                         SGEMM_BAD_ARGUMENT);
        assert_says(sgemm_error(), wrong[i].argument);
        assert_says(sgemm_error(), wrong[i].value);
    }
    assert_int_equal(sgemm_run(handle, &plain, &one, NULL, memory, &one, memory, NULL),
                     SGEMM_BAD_ARGUMENT);
    assert_says(sgemm_error(), "NULL");
    assert_int_equal(sgemm_run(NULL, &plain, &one, memory, memory, &one, memory, NULL),
                     SGEMM_BAD_ARGUMENT);
    assert_says(sgemm_error(), "handle");
}

// A small batch is accepted if and only if no element of C belongs to two matrices of the batch.
// The test marks elements to find out.
static void overlaps_are_refused(void **state) {
    enum { MOST = 400 };
    int accepted = 0, refused = 0;
    seed = 7;
    for (int i = 0; i < 4000; i++) {
        sgemm_problem p = {.order = (sgemm_order)draw(2),
                           .m = 1 + (int64_t)draw(5),
                           .n = 1 + (int64_t)draw(5),
                           .batch = 1 + (int64_t)draw(6),
                           .stride_c = (int64_t)draw(61) - 30};
        const int64_t line = p.order == SGEMM_COLUMN_MAJOR ? p.m : p.n, lines = p.m * p.n / line;
        p.lda = p.ldb = 8, p.ldc = line + (int64_t)draw(21);
        char marks[2 * MOST] = {0};
        bool shared = false;
        for (int64_t q = 0; q < p.batch; q++)
            for (int64_t e = 0; e < lines * line; e++) {
                char *mark = &marks[MOST + q * p.stride_c + e / line * p.ldc + e % line];
                shared |= *mark;
                *mark = 1;
            }
        sgemm_plan_info info;
        const sgemm_status status = sgemm_plan(handle, &p, &info);
        if (status != (shared ? SGEMM_BAD_ARGUMENT : SGEMM_OK))
            fail_msg("%s, ldc %lld, stride_c %lld: status %d, but %s", problem_text(&p),
                     (long long)p.ldc, (long long)p.stride_c, (int)status,
                     shared ? "they overlap" : "they do not overlap");
        shared ? refused++ : accepted++;
    }
    assert_true(accepted > 500 && refused > 500);
    // Interleaved matrices without a common element are accepted quickly, however many there are.
    const sgemm_problem columns = {
        .m = 1000,
        .n = 1,
        .k = 1,
        .lda = 1,
        .ldb = 1,
        .ldc = 1ll << 33,
        .batch = 1ll << 33,
        .stride_c = 1,
    };
    sgemm_plan_info info;
    assert_well(sgemm_plan(handle, &columns, &info));
    // A batch that is cut into pieces: their number does not overflow.
    const sgemm_problem many = {
        .m = 1 << 22,
        .n = 1 << 8,
        .k = 1 << 24,
        .lda = 1 << 24,
        .ldb = 1 << 8,
        .ldc = 1 << 8,
        .batch = 1 << 15,
        .stride_c = 1 << 30,
        .method = SGEMM_SAFE,
    };
    assert_well(sgemm_plan(handle, &many, &info));
    assert_true(info.workspace > 0 && info.workspace <= handle->options.most_bytes);
    // Lists of pointers are in device memory, so the library does not check them for overlaps.
    const sgemm_problem listed = {
        .m = 1, .n = 1, .lda = 1, .ldb = 1, .ldc = 1, .batch = 2, .pointers = 1};
    assert_int_equal(sgemm_plan(handle, &listed, &info), SGEMM_OK);
}

// The library chooses by the costs of an H200, because the simulator reports that chip.
static void choices(void **state) {
    static const struct {
        int64_t m, n, k, batch;
        sgemm_transpose a;
        sgemm_method asked, chosen;
        const char *kernel;
    } rows[] = {
        {4096, 4096, 4096, 1, SGEMM_N, SGEMM_AUTO, SGEMM_SAFE, "library/tensor"},
        {4096, 4096, 4096, 1, SGEMM_T, SGEMM_AUTO, SGEMM_SAFE, "library/tensor"},
        {4096, 4096, 4096, 1, SGEMM_N, SGEMM_DISPATCH, SGEMM_DISPATCH, "10_block_order/whole_16x8"},
        {128, 8192, 8192, 1, SGEMM_N, SGEMM_AUTO, SGEMM_SAFE, "13_tensor_cores/few_rows"},
        {8192, 128, 8192, 1, SGEMM_N, SGEMM_AUTO, SGEMM_SAFE, "13_tensor_cores/few_cols"},
        {1, 8192, 8192, 1, SGEMM_N, SGEMM_AUTO, SGEMM_DISPATCH, "shapes/thin_deep"},
        {256, 256, 256, 1, SGEMM_N, SGEMM_AUTO, SGEMM_DISPATCH, "shapes/narrow"},
        {1024, 1024, 64, 96, SGEMM_N, SGEMM_AUTO, SGEMM_SAFE, "library/tensor"},
        // In short sums FP32 is chosen even for SGEMM_SAFE: its error bound is smaller
        {4096, 4096, 8, 1, SGEMM_N, SGEMM_SAFE, SGEMM_DISPATCH, "shapes/panel"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sgemm_problem p = {
            .m = rows[i].m,
            .n = rows[i].n,
            .k = rows[i].k,
            .a = rows[i].a,
            .method = rows[i].asked,
            .lda = rows[i].a ? rows[i].m : rows[i].k,
            .ldb = rows[i].n,
            .ldc = rows[i].n,
            .batch = rows[i].batch,
            .stride_c = rows[i].m * rows[i].n,
        };
        sgemm_plan_info info;
        assert_well(sgemm_plan(handle, &p, &info));
        assert_string_equal(info.kernel, rows[i].kernel);
        assert_int_equal(info.method, rows[i].chosen);
        assert_true(info.microseconds > 0 && info.workspace <= 2ull << 30);
        assert_true(info.method == SGEMM_SAFE ? info.most_microseconds > info.microseconds
                                              : info.most_microseconds == info.microseconds);
    }
}

// --- plans of several launches
static const struct variant *order_variant(const char *name) {
    const struct step *const steps[] = {block_order_entry, shapes_entry};
    for (int s = 0; s < 2; s++)
        for (const struct variant *v = steps[s]->variants; v->name; v++)
            if (strcmp(v->name, name) == 0) return v;
    return NULL;
}

static struct product product_on_device(const struct trial *t) {
    const bool by_columns = t->p.order == SGEMM_COLUMN_MAJOR;
    struct product w = product_of(&t->p);
    w.a.at = by_columns ? t->b.device : t->a.device;
    w.b.at = by_columns ? t->a.device : t->b.device;
    w.c.at = t->c.device;
    return w;
}

// C is cut at random into three parts, each with a random kernel: a rectangle, the columns to its
// right, the rows below. Every element is computed once for any leading dimension, alignment, alpha
// and beta, also if the problem is smaller than the planned piece.
static void parts_of_c_by_different_kernels(void **state) {
    static const char *const names[] = {"64x64",       "128x64",    "whole_16x8",
                                        "stream_16x8", "thin_deep", "narrow",
                                        "row",         "column",    "slim_24"};
    const float scalars[] = {1, 0, -1.5f, 0.25f};
    const char *wish = getenv("SEED");
    seed = wish ? strtoull(wish, NULL, 10) : 66;
    for (int i = 0; i < (all_of_them() ? 60 : 16); i++) {
        const sgemm_problem p = {.order = (sgemm_order)draw(2),
                                 .method = SGEMM_DISPATCH,
                                 .m = 1 + (int64_t)draw(300),
                                 .n = 1 + (int64_t)draw(300),
                                 .k = 1 + (int64_t)draw(60)};
        struct trial t = make_trial(p, scalars[draw(4)], scalars[draw(4)], UNIFORM);
        const struct product w = product_on_device(&t);
        struct recipe r;
        assert_true(make_recipe(handle, &t.p, false, 1 << 30, &r));
        assert_true(r.way == BY_FP32 && r.bytes == 0);
        // The planned piece is up to 2 rows and 2 columns larger than C
        const int m = (int)w.m + (int)draw(3), n = (int)w.n + (int)draw(3);
        const int row = 1 + (int)draw((uint64_t)m), col = 1 + (int)draw((uint64_t)n);
        const int parts[][4] = {{0, 0, row, col}, {0, col, row, n - col}, {row, 0, m - row, n}};
        for (r.shares = 0; r.shares < MOST_PLANNED; r.shares++) {
            const int *part = parts[r.shares];
            r.share[r.shares].variant = order_variant(names[draw(sizeof names / sizeof *names)]);
            r.share[r.shares].parts = 1;
            r.share[r.shares].row = part[0], r.share[r.shares].col = part[1];
            r.share[r.shares].rows = part[2], r.share[r.shares].cols = part[3];
        }
        r.m = m, r.n = n;
        assert_true(
            run_recipe(handle, &r, (struct scalars){t.alpha, t.beta, NULL, NULL}, &w, NULL));
        const double worst = check_trial(&t);
        if (!(worst <= 1))
            fail_msg("%s cut at %d, %d: %s, %s, %s: %g times the bound", problem_text(&t.p), row,
                     col, r.share[0].variant->name, r.share[1].variant->name,
                     r.share[2].variant->name, worst);
        drop_trial(&t);
    }
}

// One row and one column beyond whole tiles make three shares: whole tiles, the column, the row.
static void a_fringe_is_planned(void **state) {
    const sgemm_problem p = {
        .method = SGEMM_DISPATCH,
        .m = 4097,
        .n = 4097,
        .k = 4097,
        .lda = 4097,
        .ldb = 4097,
        .ldc = 4097,
    };
    struct recipe r;
    assert_true(make_recipe(handle, &p, false, 1 << 30, &r));
    assert_int_equal(r.shares, 3);
    assert_true(r.share[0].rows == 4096 && r.share[0].cols == 4096);
    assert_true(r.share[1].col == 4096 && r.share[1].cols == 1 && r.share[1].rows == 4096);
    assert_true(r.share[2].row == 4096 && r.share[2].rows == 1 && r.share[2].cols == 4097);
    assert_true(
        // In a graph no kernel may use memory that two launches would share.
        make_recipe(handle, &p, true, 1 << 30, &r));
    for (int i = 0; i < r.shares; i++)
        assert_true(!extras_of(r.share[i].variant)->grid.persistent && r.share[i].parts == 1);
}

// --- memory
static size_t taken, most_taken;
static void *take(size_t bytes, void *stream, void *user) {
    device_pointer at = 0;
    assert_ptr_equal(user, &taken);
    if (!backend_sim.allocate((int64_t)bytes, 0, &at)) return NULL;
    taken += bytes;
    if (taken > most_taken) most_taken = taken;
    return (void *)(uintptr_t)at;
}
static void give(void *memory, size_t bytes, void *stream, void *user) {
    taken -= bytes;
    backend_sim.release((device_pointer)(uintptr_t)memory);
}

// With less memory than a problem needs, the problem is cut into pieces and stays right.
static void memory_is_capped(void **state) {
    const sgemm_handle before = handle;
    const size_t caps[] = {600 << 10, 900 << 10, 0};
    for (int i = 0; i < 3; i++) {
        const sgemm_options options = {take, give, &taken, caps[i]};
        assert_well(create_on(&device_sim, &handle, &options));
        sgemm_problem p = {
            .method = SGEMM_SAFE,
            .a = SGEMM_T,
            .m = 300,
            .n = 600,
            .k = 40,
            .lda = 300,
            .ldb = 600,
            .ldc = 600,
            .batch = i == 1 ? 2 : 0,
            .stride_c = 180000,
        };
        struct trial t = make_trial(p, 1, 1, UNIFORM);
        sgemm_plan_info info;
        assert_well(sgemm_plan(handle, &t.p, &info));
        most_taken = 0;
        try(&t);
        assert_true(most_taken > 0 && (caps[i] == 0 || most_taken <= caps[i]));
        assert_int_equal(most_taken, info.workspace);
        assert_well(sgemm_destroy(handle));
        assert_int_equal(taken, 0);
    }
    const sgemm_options little = {take, give, &taken, 1000};
    assert_well(create_on(&device_sim, &handle, &little));
    sgemm_problem p = plain;
    sgemm_plan_info info;
    p.method = SGEMM_SAFE;
    assert_int_equal(sgemm_plan(handle, &p, &info), SGEMM_NO_MEMORY);
    assert_says(sgemm_error(), "1000");
    assert_says(sgemm_error(), "most_bytes");
    sgemm_destroy(handle);
    handle = before;
}

// K is cut into parts, each a product of its own; and rows have values that FP16 cannot represent.
// `make test` draws one of three problems.
static void long_sums(void **state) {
    const int drawn = (int)draw(3);
    for (int i = 0; i < 3; i++) {
        if (i != drawn && !all_of_them()) continue;
        const sgemm_problem p = {
            .order = (sgemm_order)(i % 2),
            .a = SGEMM_T,
            .b = i == 2 ? SGEMM_N : SGEMM_T,
            .method = SGEMM_SAFE,
            .m = 90,
            .n = 70,
            .k = 1500,
            .lda = 1500,
            .ldb = 1500,
            .ldc = 90,
        };
        struct recipe recipe;
        assert_true(make_recipe(handle, &p, false, 1 << 30, &recipe));
        assert_true(recipe.way == BY_TENSOR && recipe.part_k > 0 && recipe.part_k < p.k);
        struct trial t = make_trial(p, 1.5f, 0.5f, i ? SPOTS : UNIFORM);
        add_extra(&t);
        try(&t);
    }
}

// --- a device that captures launches to run them as one graph
static bool capturing;
static int begun, forgotten;

static void begin(void **series) {
    capturing = true;
    begun += *series == NULL;
    *series = &begun;
}
// Ends the capture. A false result tells the library that it failed and its launches are lost.
static bool end(bool good) {
    assert_true(good && capturing);
    return capturing = false;
}
static void forget(void *series) {
    assert_ptr_equal(series, &begun);
    forgotten++;
}
static bool launch_or_capture(struct kernel *kernel, const struct launch *launch) {
    return capturing || backend_sim.launch(kernel, launch);
}

static void a_lost_capture_is_launched_again(void **state) {
    struct backend backend = backend_sim;
    struct device device = device_sim;
    backend.launch = launch_or_capture;
    device.backend = &backend, device.begin = begin, device.end = end, device.forget = forget;
    const sgemm_handle usual = handle;
    assert_well(create_on(&device, &handle, NULL));
    for (int i = 0; i < 6; i++) {
        const sgemm_problem p = {
            .method = (sgemm_method)(i % 3), .m = 40 + i % 3, .n = 30, .k = 50};
        struct trial t = make_trial(p, 1.5f, 0.5f, SPOTS);
        try(&t);
    }
    sgemm_destroy(handle);
    handle = usual;
    assert_true(begun > 0 && begun == forgotten);
}

static int loads;
static bool load_all_but_second(const void *image, size_t bytes, const char *name,
                                const char *symbol, int shared_bytes, struct kernel **kernel,
                                struct kernel_info *info) {
    return ++loads != 2 &&
           backend_sim.load_image(image, bytes, name, symbol, shared_bytes, kernel, info);
}

static void kernels_are_loaded_again_after_a_failure(void **state) {
    struct backend backend = backend_sim;
    struct device device = device_sim;
    backend.load_image = load_all_but_second;
    device.backend = &backend;
    const sgemm_handle usual = handle;
    assert_well(create_on(&device, &handle, NULL));
    struct trial t = make_trial((sgemm_problem){.method = SGEMM_SAFE, .m = 40, .n = 30, .k = 300},
                                1, 0, UNIFORM);
    assert_int_equal(run_trial(&t), SGEMM_FAILED);
    try(&t);
    sgemm_destroy(handle);
    handle = usual;
}

// A chip with 2 SMs: a block splits several groups of columns into pieces, or computes more tiles.
static void few_multiprocessors(void **state) {
    const int usual = handle->info.multiprocessors;
    handle->info.multiprocessors = 2;
    for (int i = 0; i < 2; i++) {
        const sgemm_problem p = {.a = (sgemm_transpose)i,
                                 .b = (sgemm_transpose)i,
                                 .method = SGEMM_SAFE,
                                 .m = 300,
                                 .n = 290,
                                 .k = 70};
        struct trial t = make_trial(p, 1, 0, WIDE);
        try(&t);
    }
    handle->info.multiprocessors = usual;
}

static void streams_follow(void **state) {
    sim_followed = 0;
    assert_well(sgemm_set_stream(handle, (void *)8));
    assert_well(sgemm_set_stream(handle, (void *)8));
    assert_int_equal(sim_followed, 1);
    assert_well(sgemm_set_stream(handle, NULL));
    assert_int_equal(sim_followed, 2);
}

int main(void) {
    if (create_on(&device_sim, &handle, NULL) != SGEMM_OK)
        return fprintf(stderr, "%s\n", sgemm_error()), 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls_are_right),
        cmocka_unit_test(long_columns),
        cmocka_unit_test(same_bits_again),
        cmocka_unit_test(what_is_not_finite),
        cmocka_unit_test(wrong_arguments_are_reported),
        cmocka_unit_test(overlaps_are_refused),
        cmocka_unit_test(choices),
        cmocka_unit_test(parts_of_c_by_different_kernels),
        cmocka_unit_test(a_fringe_is_planned),
        cmocka_unit_test(memory_is_capped),
        cmocka_unit_test(long_sums),
        cmocka_unit_test(a_lost_capture_is_launched_again),
        cmocka_unit_test(kernels_are_loaded_again_after_a_failure),
        cmocka_unit_test(few_multiprocessors),
        cmocka_unit_test(streams_follow),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sgemm_destroy(handle);
    return failed;
}
