// The functions of sgemm.h: they check arguments, lock the handle and keep a cache of recipes.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Most elements that an operand may span in memory: 512 TiB, more than any system has.
static const int64_t MOST_ELEMENTS = INT64_C(1) << 47;

static sgemm_status status_of(bool good) {
    return good ? SGEMM_OK : failure;
}

// --- handles -------------------------------------------------------------------------------------
static bool open_device(struct sgemm_context *h) {
    static bool warned; // the warning is printed once per process
    if (!h->device->open(&h->info, &h->context))
        return refuse(SGEMM_NO_DEVICE, "%s", backend_error());
    h->has_images =
        has_image(h, block_order_entry->name, "64x64") && has_image(h, "library", "copy");
    h->has_tensor = h->has_images && has_image(h, "library", "tensor");
    if (h->options.most_bytes == 0) h->options.most_bytes = (size_t)h->info.memory_bytes / 4;
    if (h->has_images || __atomic_exchange_n(&warned, true, __ATOMIC_RELAXED)) return true;
    fprintf(stderr,
            "libsgemm: this build has no kernels for %s (sm_%d), so cuBLAS computes every call: "
            "build it with "
            "ARCH=sm_%d\n",
            h->info.name, h->info.compute_capability, h->info.compute_capability);
    return true;
}

sgemm_status create_on(const struct device *device, sgemm_handle *handle,
                       const sgemm_options *options) {
    if (!handle) return status_of(refuse(SGEMM_BAD_ARGUMENT, "sgemm_create: handle is NULL"));
    *handle = NULL;
    struct sgemm_context *h = calloc(1, sizeof *h);
    if (!h) return status_of(refuse(SGEMM_NO_MEMORY, "sgemm_create: not enough host memory"));
    h->device = device;
    if (options) h->options = *options;
    if (pthread_mutex_init(&h->lock, NULL) != 0 || !open_device(h)) {
        free(h);
        return failure;
    }
    *handle = h;
    return SGEMM_OK;
}

// Locks the handle and enters its context and stream. On failure the handle is not locked.
static bool enter(struct sgemm_context *h, const char *function) {
    if (!h) return refuse(SGEMM_BAD_ARGUMENT, "%s: the handle is NULL", function);
    pthread_mutex_lock(&h->lock);
    if (h->device->enter(h->context, h->stream)) return true;
    pthread_mutex_unlock(&h->lock);
    return refuse(SGEMM_FAILED, "%s: %s", function, backend_error());
}

static sgemm_status leave(struct sgemm_context *h, bool good) {
    h->device->leave();
    pthread_mutex_unlock(&h->lock);
    return status_of(good);
}

static void forget(struct sgemm_context *h, struct recipe *r) {
    if (r->series) h->device->forget(r->series);
    r->series = NULL;
    r->made = false;
}

sgemm_status sgemm_destroy(sgemm_handle h) {
    if (!h) return SGEMM_OK;
    if (!enter(h, "sgemm_destroy")) return failure;
    close_passing(h);
    for (int i = 0; i < RECIPES; i++) forget(h, &h->recipes[i]);
    give_memory(h, h->memory);
    unload_all(h);
    leave(h, true);
    pthread_mutex_destroy(&h->lock);
    free(h);
    return SGEMM_OK;
}

sgemm_status sgemm_set_stream(sgemm_handle h, void *stream) {
    if (!enter(h, "sgemm_set_stream")) return failure;
    const bool good = stream == h->stream || h->device->follow(h->stream, stream) ||
                      refuse(SGEMM_FAILED, "sgemm_set_stream: %s", backend_error());
    if (good) h->stream = stream;
    return leave(h, good);
}

// --- problems ------------------------------------------------------------------------------------
// Checks the leading dimension of a matrix stored as (rows, cols) in the problem's order.
static bool check_ld(const char *name, sgemm_order order, int64_t rows, int64_t cols, int64_t ld) {
    const int64_t need = order == SGEMM_COLUMN_MAJOR ? rows : cols;
    return ld >= (need > 1 ? need : 1) ||
           refuse(SGEMM_BAD_ARGUMENT,
                  "%s is %lld, expected at least %lld: %s of its matrix has %lld elements", name,
                  (long long)ld, (long long)(need > 1 ? need : 1),
                  order == SGEMM_COLUMN_MAJOR ? "a column" : "a row", (long long)need);
}

static bool check_enums(const sgemm_problem *p) {
    if ((unsigned)p->order > SGEMM_COLUMN_MAJOR)
        return refuse(SGEMM_BAD_ARGUMENT,
                      "order is %d, expected SGEMM_ROW_MAJOR or SGEMM_COLUMN_MAJOR", (int)p->order);
    if ((unsigned)p->a > SGEMM_C || (unsigned)p->b > SGEMM_C)
        return refuse(
            SGEMM_BAD_ARGUMENT, "the transpose of %s is %d, expected SGEMM_N, SGEMM_T or SGEMM_C",
            (unsigned)p->a > SGEMM_C ? "A" : "B", (int)((unsigned)p->a > SGEMM_C ? p->a : p->b));
    if ((unsigned)p->method > SGEMM_CUBLAS)
        return refuse(
            SGEMM_BAD_ARGUMENT,
            "method is %d, expected SGEMM_AUTO, SGEMM_DISPATCH, SGEMM_SAFE or SGEMM_CUBLAS",
            (int)p->method);
    return true;
}

static bool check_problem(const sgemm_problem *p) {
    if (!p) return refuse(SGEMM_BAD_ARGUMENT, "the problem is NULL");
    const struct {
        const char *name;
        int64_t value;
    } sizes[] = {{"m", p->m}, {"n", p->n}, {"k", p->k}, {"batch", p->batch}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].value < 0)
            return refuse(SGEMM_BAD_ARGUMENT, "%s is %lld, expected 0 or more", sizes[i].name,
                          (long long)sizes[i].value);
    const bool ta = p->a != SGEMM_N, tb = p->b != SGEMM_N;
    return check_enums(p) &&
           check_ld("lda", p->order, ta ? p->k : p->m, ta ? p->m : p->k, p->lda) &&
           check_ld("ldb", p->order, tb ? p->n : p->k, tb ? p->k : p->n, p->ldb) &&
           check_ld("ldc", p->order, p->m, p->n, p->ldc);
}

// --- extents in memory ---------------------------------------------------------------------------
__extension__ typedef __int128 wide; // holds the product of any two sizes

// A matrix in memory: `lines` lines, each of `length` contiguous elements. The lines begin `ld`
// elements apart, the matrices of a batch `stride` elements apart. A line is a row if the matrix is
// row-major, a column if it is column-major.
struct stored {
    const char *name;
    int64_t lines, length, ld, stride;
};

static struct stored stored_of(const char *name, const sgemm_problem *p, bool transposed,
                               int64_t rows, int64_t cols, int64_t ld, int64_t stride) {
    const bool by_columns = transposed != (p->order == SGEMM_COLUMN_MAJOR);
    return (struct stored){name, by_columns ? cols : rows, by_columns ? rows : cols, ld, stride};
}

// Returns the number of elements between the first and the last element of a batch, inclusive.
static wide extent_of(const struct stored *s, int64_t batch) {
    const wide stride = s->stride < 0 ? -(wide)s->stride : s->stride;
    if (s->lines == 0 || s->length == 0) return 0;
    return (wide)(s->lines - 1) * s->ld + s->length + (batch > 1 ? (batch - 1) * stride : 0);
}

// Refuses matrices that span more than any memory, so that later sums of bytes cannot overflow.
static bool check_extents(const sgemm_problem *p) {
    const struct stored all[] = {
        stored_of("A", p, p->a != SGEMM_N, p->m, p->k, p->lda, p->stride_a),
        stored_of("B", p, p->b != SGEMM_N, p->k, p->n, p->ldb, p->stride_b),
        stored_of("C", p, false, p->m, p->n, p->ldc, p->stride_c)};
    for (int i = 0; i < 3; i++) {
        const wide elements = extent_of(&all[i], p->pointers ? 1 : p->batch);
        if (elements > MOST_ELEMENTS)
            return refuse(SGEMM_BAD_ARGUMENT,
                          "%s spans %.3g bytes in memory, and the limit is %.3g: check m, n, k, "
                          "the leading dimensions, the strides and the batch",
                          all[i].name, 4 * (double)elements, 4 * (double)MOST_ELEMENTS);
    }
    return true;
}

// Returns the least x >= 0 for which (step * x) % modulus lies in [low, high]; -1 if there is none.
// Requires: step, low and high are less than `modulus`, and low <= high.
static wide first_within(wide step, wide modulus, wide low, wide high) {
    if (low == 0) return 0;
    if (step == 0) return -1;
    const wide x = (low + step - 1) / step;
    if (x * step <= high) return x;
    const wide laps =
        first_within(modulus % step, step, (step - high % step) % step, (step - low % step) % step);
    return laps < 0 ? -1 : (low + modulus * laps + step - 1) / step;
}

// Returns true if two matrices of a batch share an element. Matrices whose lines interleave need
// not share one. Matrices i and i + d share an element if d * stride differs by less than `length`
// from a multiple x * ld, and x < lines. The function checks only the least d that is so near to a
// multiple, because a larger d has a larger x.
static bool overlap(const struct stored *s, int64_t batch) {
    const wide stride = s->stride < 0 ? -(wide)s->stride : s->stride, ld = s->ld,
               near = s->length - 1;
    if (batch < 2 || extent_of(s, 1) == 0 || stride >= extent_of(s, 1)) return false;
    wide d = 1;
    if (2 * near < ld - 1) {
        const wide low = (2 * ld - (stride + near) % ld) % ld;
        const wide more =
            low + 2 * near >= ld ? 0 : first_within(stride % ld, ld, low, low + 2 * near);
        if (more < 0) return false;
        d += more;
    }
    const wide line = d * stride / ld + (d * stride % ld > near);
    return d < batch && line < s->lines;
}

static bool check_overlap(const sgemm_problem *p) {
    const struct stored c = stored_of("C", p, false, p->m, p->n, p->ldc, p->stride_c);
    return p->pointers || !overlap(&c, p->batch) ||
           refuse(SGEMM_BAD_ARGUMENT,
                  "stride_c is %lld: two matrices C of the batch overlap, expected disjoint "
                  "ones; each has %lld %s of %lld elements, ldc is %lld",
                  (long long)p->stride_c, (long long)c.lines,
                  p->order == SGEMM_COLUMN_MAJOR ? "columns" : "rows", (long long)c.length,
                  (long long)c.ld);
}

static bool same(const sgemm_problem *a, const sgemm_problem *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

// Returns the problem with its padding bytes set to zero, so that equal problems have equal bytes.
static sgemm_problem tidy(const sgemm_problem *p) {
    sgemm_problem q;
    memset(&q, 0, sizeof q);
    q.order = p->order, q.a = p->a, q.b = p->b, q.method = p->method;
    q.m = p->m, q.n = p->n, q.k = p->k, q.lda = p->lda, q.ldb = p->ldb, q.ldc = p->ldc;
    q.batch = p->batch, q.stride_a = p->stride_a, q.stride_b = p->stride_b,
    q.stride_c = p->stride_c;
    q.device_scalars = p->device_scalars != 0, q.pointers = p->pointers != 0;
    return q;
}

static uint64_t hash_of(const sgemm_problem *p) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < sizeof *p; i += 4) {
        uint32_t word;
        memcpy(&word, (const char *)p + i, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash ^ hash >> 29;
}

// Returns the recipe for a problem; NULL on failure. Recipes are cached, because choosing a recipe
// takes longer than launching it.
static struct recipe *recipe_of(struct sgemm_context *h, const sgemm_problem *asked,
                                bool captured) {
    const sgemm_problem p = tidy(asked);
    struct recipe *r = &h->recipes[(hash_of(&p) + captured) % RECIPES];
    if (r->made && r->captured == captured && same(&r->problem, &p)) return r;
    if (!check_extents(&p) || !check_overlap(&p)) return NULL;
    forget(h, r);
    return make_recipe(h, &p, captured, (int64_t)h->options.most_bytes, r) ? r : NULL;
}

sgemm_status sgemm_plan(sgemm_handle h, const sgemm_problem *problem, sgemm_plan_info *info) {
    static _Thread_local char name[64];
    if (!enter(h, "sgemm_plan")) return failure;
    bool good =
        check_problem(problem) && (info || refuse(SGEMM_BAD_ARGUMENT, "sgemm_plan: info is NULL"));
    const struct recipe *r = good ? recipe_of(h, problem, false) : NULL;
    if (r)
        *info = (sgemm_plan_info){r->way == BY_CUBLAS ? SGEMM_CUBLAS
                                  : r->way == BY_FP32 ? SGEMM_DISPATCH
                                                      : SGEMM_SAFE,
                                  recipe_kernel(r, name, sizeof name), (size_t)r->bytes,
                                  r->microseconds, r->most_microseconds};
    return leave(h, r != NULL);
}

// --- products ------------------------------------------------------------------------------------
static bool check_pointers(const sgemm_problem *p, const float *alpha, const void *a, const void *b,
                           const float *beta, const void *c) {
    if (!alpha || !beta) return refuse(SGEMM_BAD_ARGUMENT, "%s is NULL", alpha ? "beta" : "alpha");
    if (p->m == 0 || p->n == 0) return true;
    const bool read = p->k > 0 && (p->device_scalars || *alpha != 0);
    if (!c) return refuse(SGEMM_BAD_ARGUMENT, "c is NULL");
    return !read || (a && b) || refuse(SGEMM_BAD_ARGUMENT, "%s is NULL", a ? "b" : "a");
}

// Returns the row-major product with the addresses of its matrices. If the problem is column-major,
// A and B are exchanged.
static struct product product_at(const sgemm_problem *p, const void *a, const void *b, void *c) {
    struct product w = product_of(p);
    const bool by_columns = p->order == SGEMM_COLUMN_MAJOR;
    const uint64_t at_a = (uint64_t)(uintptr_t)(by_columns ? b : a),
                   at_b = (uint64_t)(uintptr_t)(by_columns ? a : b);
    *(p->pointers ? &w.a.list : &w.a.at) = at_a;
    *(p->pointers ? &w.b.list : &w.b.at) = at_b;
    *(p->pointers ? &w.c.list : &w.c.at) = (uint64_t)(uintptr_t)c;
    return w;
}

static bool run(struct sgemm_context *h, const sgemm_problem *p, const float *alpha, const void *a,
                const void *b, const float *beta, void *c, const sgemm_extra *extra) {
    bool captured;
    if (!check_problem(p) || !check_pointers(p, alpha, a, b, beta, c)) return false;
    if (p->m == 0 || p->n == 0) return true;
    if (!h->device->capturing(&captured)) return refuse(SGEMM_FAILED, "%s", backend_error());
    sgemm_extra added = {0};
    if (extra) added = *extra;
    if (!p->device_scalars && *beta == 0) added.source = NULL; // if beta is 0, no source is read
    extra = added.bias || added.source ? &added : NULL;
    struct recipe *r = recipe_of(h, p, captured);
    if (!r) return false;
    if (r->way == BY_CUBLAS && extra)
        return refuse(SGEMM_UNSUPPORTED,
                      "cuBLAS computes this call and adds no bias and no separate source: use "
                      "another method than SGEMM_CUBLAS, and a build with kernels for sm_%d",
                      h->info.compute_capability);
    if (r->way == BY_CUBLAS) return pass_on(h, p, alpha, a, b, beta, c);
    const struct product product = product_at(p, a, b, c);
    const struct scalars scalars = p->device_scalars ? (struct scalars){1, 1, alpha, beta}
                                                     : (struct scalars){*alpha, *beta, NULL, NULL};
    return run_recipe(h, r, scalars, &product, extra);
}

sgemm_status sgemm_run(sgemm_handle h, const sgemm_problem *problem, const float *alpha,
                       const void *a, const void *b, const float *beta, void *c,
                       const sgemm_extra *extra) {
    if (!enter(h, "sgemm_run")) return failure;
    return leave(h, run(h, problem, alpha, a, b, beta, c, extra));
}

sgemm_status sgemm(sgemm_handle h, sgemm_order order, sgemm_transpose trans_a,
                   sgemm_transpose trans_b, int64_t m, int64_t n, int64_t k, const float *alpha,
                   const float *a, int64_t lda, const float *b, int64_t ldb, const float *beta,
                   float *c, int64_t ldc) {
    const sgemm_problem problem = {
        .order = order,
        .a = trans_a,
        .b = trans_b,
        .m = m,
        .n = n,
        .k = k,
        .lda = lda,
        .ldb = ldb,
        .ldc = ldc,
    };
    return sgemm_run(h, &problem, alpha, a, b, beta, c, NULL);
}
