// Makes one problem on the device.
#include "problem.h"
#include "pattern.h"
#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Problems of up to WHOLE_WORK multiply-adds (645 cubed) are compared with the reference in every
// row; K counts as at least 16. Larger ones are compared with it in at least LARGE_ROWS rows, or in
// at least ROWS_ALONE (unless plan.rows is set) if the baseline does not check the remaining rows.
#define WHOLE_WORK (INT64_C(1) << 28)
enum {
    LARGE_ROWS = 64,
    ROWS_ALONE = 256,
    STAGING_FIRST = 1 << 20,
    STAGING_BYTES = 1 << 25,
    TEXTURE_ROWS_BEYOND = 256,
    ALIGNMENT = 256
};

void staging_free(struct staging *s) {
    for (int i = 0; i < 3; i++) {
        if (s->buffers[i]) s->backend->release_host(s->buffers[i]);
        s->buffers[i] = NULL;
    }
    s->bytes = 0;
}

// Returns how many elements a window should have.
static int64_t at_once(const struct matrix *matrix) {
    return STAGING_BYTES / element_bytes(matrix->element);
}

// Ensures that each buffer holds any window of the matrix.
static bool staging_fit(struct staging *s, const struct matrix *matrix) {
    int64_t bytes =
        matrix_window_elements(matrix, at_once(matrix)) * element_bytes(matrix->element);
    if (bytes <= s->bytes) return true;
    // doubling makes later growth rare
    const int64_t least = s->bytes ? 2 * s->bytes : STAGING_FIRST;
    if (bytes < least) bytes = least;
    staging_free(s);
    for (int i = 0; i < 3; i++) {
        s->buffers[i] = s->backend->allocate_host((size_t)bytes);
        if (!s->buffers[i]) return say_error("%s", backend_error());
    }
    s->bytes = bytes;
    return true;
}

static int rows_alone(const struct problem_plan *plan) {
    return plan->rows > 0 ? plan->rows : ROWS_ALONE;
}

static bool is_large(const struct shape *s) {
    const int64_t depth = s->k > 16 ? s->k : 16; // comparing a row takes time even if K is small
    return (int64_t)s->m * s->n > WHOLE_WORK / depth;
}

// Returns true if all of C is to be compared with the baseline, too.
static bool wants_baseline(const struct problem_plan *plan) {
    return plan->check && plan->baseline && is_large(&plan->shape);
}

static struct matrix make_matrix(const struct problem_plan *plan, const struct device_info *info,
                                 enum matrix_kind kind, struct place place) {
    return (struct matrix){
        .kind = kind,
        .element = plan->element,
        .rows = place.rows,
        .cols = place.cols,
        .first_row = place.row,
        .first_col = place.col,
        .ld = stride_of(plan->layout.ld[kind], place.cols),
        .guard = info->checks_addresses ? 0 : GUARD_ELEMENTS,
        .shift = plan->layout.shift[kind],
        .seed = plan->seed,
        .inputs = plan->inputs,
    };
}

static int64_t device_bytes(const struct problem *p, const struct device_info *info) {
    int64_t (*const bytes)(const struct matrix *) =
        info->lazy_memory ? matrix_written_bytes : matrix_bytes;
    const int64_t baseline =
        wants_baseline(&p->plan) ? 2 * p->c.rows * p->c.cols * element_bytes(p->c.element) : 0;
    return bytes(&p->a) + bytes(&p->b) + 2 * bytes(&p->c) + baseline;
}

// Returns false, with a message, if the problem does not fit into memory; nothing is allocated yet.
// If only the comparison with the baseline does not fit, leaves it out with a note.
static bool fits_in_memory(struct problem *p, const struct device_info *info) {
    const struct shape *s = &p->plan.shape;
    if (device_bytes(p, info) > info->memory_bytes && wants_baseline(&p->plan)) {
        p->plan.baseline = false;
        if (device_bytes(p, info) <= info->memory_bytes) {
            say_error("note: %dx%dx%d leaves no device memory to compare all of C with cuBLAS: the "
                      "check compares %d rows",
                      s->m, s->n, s->k, rows_alone(&p->plan));
        }
    }
    if (device_bytes(p, info) > info->memory_bytes) {
        return say_error("%dx%dx%d needs %.1f GB of device memory, available are %.1f GB: choose a "
                         "smaller --size",
                         s->m, s->n, s->k, (double)device_bytes(p, info) * 1e-9,
                         (double)info->memory_bytes * 1e-9);
    }
    const int alone = rows_alone(&p->plan);
    const int64_t rows = is_large(s) && s->m > alone ? alone : s->m;
    const int64_t host = p->plan.check ? reference_bytes(rows, s->n) : 0;
    const int64_t host_total = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    if (host <= host_total) return true;
    return say_error("%dx%dx%d needs %.1f GB of host memory for its check, the host has %.1f GB: "
                     "choose a smaller --size",
                     s->m, s->n, s->k, (double)host * 1e-9, (double)host_total * 1e-9);
}

// Writes the matrix's image to the device, window by window.
static bool upload(struct problem *p, const struct matrix *matrix) {
    const int bytes = element_bytes(matrix->element);
    struct window w = {0};
    while (matrix_next_window(matrix, at_once(matrix), &w)) {
        matrix_fill_window(matrix, &w, p->staging->buffers[0]);
        if (!p->backend->to_device(matrix->buffer + (uint64_t)(w.offset * bytes),
                                   p->staging->buffers[0], w.count * bytes)) {
            return say_error("%s", backend_error());
        }
    }
    return true;
}

static bool take(struct problem *p, int64_t bytes, int64_t past, device_pointer *buffer) {
    return p->backend->allocate(bytes, (int)past, buffer) || say_error("%s", backend_error());
}

// Sets `result` to the baseline's product of what the buffers of A and B on the device hold now.
static bool baseline_product(struct problem *p, device_pointer result) {
    const struct gemm gemm = {
        .element = p->a.element,
        .m = p->a.rows,
        .n = p->b.cols,
        .k = p->a.cols,
        .lda = p->a.ld,
        .ldb = p->b.ld,
        .ldc = p->b.cols,
        .alpha = 1,
        .beta = 0,
        .a = matrix_address(&p->a, 0),
        .b = matrix_address(&p->b, 0),
        .c = result,
    };
    return (p->backend->baseline(&gemm) && p->backend->synchronize()) ||
           say_error("%s", backend_error());
}

// Uploads |A| and |B| to the buffers of A and B and computes |A| |B|; then uploads A and B again
// and computes A B.
static bool make_baseline(struct problem *p) {
    const int64_t bytes = p->a.rows * p->b.cols * element_bytes(p->a.element);
    if (!take(p, bytes, 0, &p->product) || !take(p, bytes, 0, &p->magnitude)) return false;
    struct matrix a = p->a, b = p->b;
    a.absolute = b.absolute = true;
    return upload(p, &a) && upload(p, &b) && baseline_product(p, p->magnitude) &&
           upload(p, &p->a) && upload(p, &p->b) && baseline_product(p, p->product);
}

static bool make_reference(struct problem *p) {
    // The reference of a piece of C needs whole rows of A and whole columns of B. If C is not a
    // piece, these are A and B themselves.
    struct matrix a = p->a, b = p->b;
    a.rows = p->c.rows;
    b.cols = p->c.cols;
    a.first_row = p->c.first_row;
    b.first_col = p->c.first_col;
    a.cols = b.rows = p->plan.shape.k;
    a.first_col = b.first_row = 0;
    const struct row_choice choice = {
        .rows = a.rows,
        .wanted = !is_large(&p->plan.shape) ? a.rows
                  : p->plan.baseline        ? LARGE_ROWS
                                            : rows_alone(&p->plan),
        .tile_rows = p->plan.tile_rows,
        .tile_count = p->plan.tile_count,
        .seed = p->plan.seed,
    };
    int64_t count;
    int64_t *rows = choose_rows(&choice, &count);
    if (!rows) return say_error("not enough host memory for the check: choose a smaller --size");
    reference_gemm *gemm =
        p->plan.inputs == INPUTS_SPECIAL ? reference_gemm_own : reference_gemm_best();
    const bool done = reference_make(&p->reference, &a, &b, rows, count, gemm) &&
                      expectation_make(&p->expectation, &p->reference);
    p->expectation.hard = p->plan.inputs >= INPUTS_POSITIVE;
    free(rows);
    return done;
}

// Returns true if a texture can hold the matrix (problem.h). Kernels use texel indices up to
// TEXTURE_ROWS_BEYOND rows after the last row; these must fit an int, too.
static bool texture_fits(const struct matrix *m, const struct device_info *info) {
    const int64_t row_texels = m->ld / 4;
    return m->element == FP32 && m->rows > 0 && m->cols > 0 && m->cols % 4 == 0 && m->ld % 4 == 0 &&
           m->rows * row_texels <= info->texture_width &&
           (m->rows + TEXTURE_ROWS_BEYOND + 1) * row_texels <= INT32_MAX &&
           matrix_address(m, 0) % (uint64_t)info->texture_alignment == 0;
}

static bool make_texture(const struct problem *p, const struct matrix *m, device_texture *texture) {
    const int64_t texels = ((m->rows - 1) * m->ld + m->cols) / 4;
    return p->backend->make_texture(matrix_address(m, 0), texels, texture) ||
           say_error("%s", backend_error());
}

static bool make_textures(struct problem *p, const struct device_info *info) {
    if (!p->plan.textures || !texture_fits(&p->a, info) || !texture_fits(&p->b, info)) return true;
    return make_texture(p, &p->a, &p->a_texture) && make_texture(p, &p->b, &p->b_texture);
}

bool problem_open(struct problem *p, const struct backend *backend, struct staging *staging,
                  const struct device_info *info, const struct problem_plan *plan) {
    const struct shape *s = &plan->shape;
    return problem_open_pieces(
        p, backend, staging, info, plan,
        (struct place[]){{0, 0, s->m, s->k}, {0, 0, s->k, s->n}, {0, 0, s->m, s->n}});
}

bool problem_open_pieces(struct problem *p, const struct backend *backend, struct staging *staging,
                         const struct device_info *info, const struct problem_plan *plan,
                         const struct place places[3]) {
    *p = (struct problem){.backend = backend, .staging = staging, .plan = *plan};
    p->a = make_matrix(plan, info, MATRIX_A, places[MATRIX_A]);
    p->b = make_matrix(plan, info, MATRIX_B, places[MATRIX_B]);
    p->c = p->initial = make_matrix(plan, info, MATRIX_C, places[MATRIX_C]);
    struct matrix *const matrices[] = {&p->a, &p->b, &p->c, &p->initial};
    if (!fits_in_memory(p, info)) return false;
    for (int i = 0; i < 4; i++) {
        if (!staging_fit(staging, matrices[i])) return false;
        const int64_t past = matrices[i]->shift * element_bytes(plan->element) % ALIGNMENT;
        if (!take(p, matrix_bytes(matrices[i]), past, &matrices[i]->buffer)) return false;
    }
    if (!upload(p, &p->a) || !upload(p, &p->b) || !make_textures(p, info)) return false;
    if (!plan->check) return true;
    return (!wants_baseline(&p->plan) || make_baseline(p)) && make_reference(p);
}

void problem_close(struct problem *p) {
    const device_pointer buffers[] = {p->a.buffer,       p->b.buffer, p->c.buffer,
                                      p->initial.buffer, p->product,  p->magnitude};
    if (p->a_texture) p->backend->free_texture(p->a_texture);
    if (p->b_texture) p->backend->free_texture(p->b_texture);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i]) p->backend->release(buffers[i]);
    }
    free(p->rows);
    free(p->cols);
    expectation_free(&p->expectation);
    reference_free(&p->reference);
    *p = (struct problem){0};
}

// Returns true if no rounding occurs: the inputs are exact, K is at most EXACT_MOST_K, and alpha
// and beta are multiples of 1/4 from -2 to 2.
static bool is_exact(const struct problem *p) {
    const double a = 4 * p->alpha, b = 4 * p->beta;
    return p->plan.inputs == INPUTS_EXACT && p->plan.shape.k <= EXACT_MOST_K && a == rint(a) &&
           b == rint(b) && fabs(a) <= 8 && fabs(b) <= 8;
}

// Returns alpha or beta rounded to the element type. `narrow` is volatile because gcc 12 omits the
// rounding when it merges two of these conversions into one instruction.
static double rounded(enum element element, double factor) {
    volatile float narrow = (float)factor;
    return element == FP64 ? factor : narrow;
}

bool problem_set(struct problem *p, double alpha, double beta) {
    p->alpha = rounded(p->a.element, alpha);
    p->beta = rounded(p->a.element, beta);
    const bool unwritten = p->beta == 0;
    if (!p->initial_ready || p->initial.unwritten != unwritten) {
        p->initial.unwritten = unwritten;
        if (!upload(p, &p->initial)) return false;
        p->initial_ready = true;
    }
    const struct factors factors = {p->alpha, p->beta, is_exact(p)};
    if (p->plan.check)
        expectation_set(&p->expectation, &p->reference, &p->initial, p->plan.shape.k, factors);
    return problem_restore(p) || say_error("%s", backend_error());
}

bool problem_restore(struct problem *p) {
    const uint64_t bytes = (uint64_t)element_bytes(p->c.element);
    if (!matrix_is_far(&p->c))
        return p->backend->on_device(p->c.buffer, p->initial.buffer, matrix_bytes(&p->c));
    struct window w = {0};
    while (matrix_next_window(&p->c, at_once(&p->c), &w)) {
        const uint64_t offset = (uint64_t)w.offset * bytes;
        if (!p->backend->on_device(p->c.buffer + offset, p->initial.buffer + offset,
                                   w.count * (int64_t)bytes))
            return false;
    }
    return true;
}

// Compares a window of C, held in the first staging buffer, with the baseline's result, if any.
static bool check_window_with_baseline(struct problem *p, const struct window *w,
                                       struct verdict *verdict) {
    const int64_t row_bytes = p->c.cols * element_bytes(p->c.element),
                  bytes = w->row_count * row_bytes;
    const uint64_t offset = (uint64_t)(w->first_row * row_bytes);
    void *const *buffers = p->staging->buffers;
    if (!p->product || isinf(p->expectation.norm_bound)) return true;
    if (!p->backend->to_host(buffers[1], p->product + offset, bytes) ||
        !p->backend->to_host(buffers[2], p->magnitude + offset, bytes)) {
        return false;
    }
    const struct baseline_rows baseline = {buffers[1],
                                           buffers[2],
                                           p->a.cols,
                                           p->alpha,
                                           p->beta,
                                           baseline_limit(&p->expectation),
                                           p->expectation.norm_bound};
    check_baseline(&p->initial, w, buffers[0], &baseline, verdict);
    return true;
}

// Sets verdict->pattern if the window is all of a C that is not too large.
static void find_pattern(const struct problem *p, const struct window *w, const void *image,
                         struct verdict *verdict) {
    enum { MOST = 1 << 20 };
    const struct expectation *e = &p->expectation;
    const int64_t m = e->rows, n = e->cols, k = p->plan.shape.k;
    if (verdict->fault_count == 0 || m != p->c.rows || w->row_count != m || m * n > MOST ||
        (m + n) * k > MOST || p->a.cols != k || p->b.rows != k || isinf(e->norm_bound))
        return;
    double *const memory = malloc((size_t)(3 * m * n + (m + n) * k + 1) * sizeof *memory);
    if (!memory) return;
    double *const got = memory, *const bound = got + m * n, *const initial = bound + m * n,
                  *const a = initial + m * n, *const b = a + m * k;
    struct comparison c = {.rows = m,
                           .cols = n,
                           .k = k,
                           .alpha = p->alpha,
                           .beta = p->beta,
                           .a = a,
                           .b = b,
                           .got = got,
                           .expected = e->value,
                           .bound = bound,
                           .initial = p->beta != 0 ? initial : NULL,
                           .loosest = rigorous_limit(k) / error_bound(e, 1)};
    for (int64_t r = 0; r < m; r++) {
        matrix_row(&p->a, r, 0, k, a + r * k);
        if (c.initial) matrix_row(&p->initial, r, 0, n, initial + r * n);
        for (int64_t i = r * n; i < (r + 1) * n; i++) {
            const int64_t at = window_row(&p->initial, w, r) + i - r * n;
            got[i] = image_value(image, p->c.element, at);
            bound[i] = error_bound(e, e->unit[i]);
            c.unwritten += !c.initial && image_holds(image, p->c.element, at, UNWRITTEN_WORD);
        }
    }
    for (int64_t r = 0; r < k; r++) matrix_row(&p->b, r, 0, n, b + r * n);
    describe_pattern(&c, verdict->pattern, sizeof verdict->pattern);
    free(memory);
}

bool problem_check(struct problem *p, struct verdict *verdict) {
    struct window w = {0};
    void *image = p->staging->buffers[0];
    const int bytes = element_bytes(p->c.element);
    *verdict = (struct verdict){0};
    while (matrix_next_window(&p->c, at_once(&p->c), &w)) {
        if (!p->backend->to_host(image, p->c.buffer + (uint64_t)(w.offset * bytes),
                                 w.count * bytes))
            return false;
        check_window(&p->initial, &w, image, &p->expectation, verdict);
        find_pattern(p, &w, image, verdict);
        if (!check_window_with_baseline(p, &w, verdict)) return false;
    }
    check_errors(&p->expectation, verdict);
    return true;
}

// An FNV-1a hash of 64-bit words. A change of a single word always changes it.
struct digest {
    uint64_t value;
    uint64_t word; // the incomplete next word, of which `held` bytes are set
    int held;
};

static void digest_word(struct digest *d, uint64_t word) {
    d->value = (d->value ^ word) * UINT64_C(0x100000001b3);
}

static void digest_byte(struct digest *d, uint8_t byte) {
    d->word |= (uint64_t)byte << 8 * d->held++;
    if (d->held < 8) return;
    digest_word(d, d->word);
    d->word = 0;
    d->held = 0;
}

// Hashes by words, and by bytes only at the ends, because a matrix may have gigabytes.
static void digest_bytes(struct digest *d, const uint8_t *bytes, int64_t count) {
    int64_t i = 0;
    while (i < count && d->held > 0) digest_byte(d, bytes[i++]);
    for (; i + 8 <= count; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        digest_word(d, word);
    }
    while (i < count) digest_byte(d, bytes[i++]);
}

// Adds the canaries that a backend without guards lacks, so that all backends hash the same bytes.
static void digest_guard(struct digest *d, const struct matrix *m) {
    const uint32_t word = CANARY_WORD;
    for (int64_t i = m->guard; i < GUARD_ELEMENTS; i++)
        for (int part = 0; part < element_bytes(m->element); part += 4)
            digest_bytes(d, (const uint8_t *)&word, sizeof word);
}

bool problem_digest(struct problem *p, uint64_t *digest) {
    struct window w = {0};
    struct digest d = {.value = UINT64_C(0xcbf29ce484222325)};
    const int bytes = element_bytes(p->c.element);
    digest_guard(&d, &p->c);
    while (matrix_next_window(&p->c, at_once(&p->c), &w)) {
        if (!p->backend->to_host(p->staging->buffers[0], p->c.buffer + (uint64_t)(w.offset * bytes),
                                 w.count * bytes)) {
            return false;
        }
        digest_bytes(&d, p->staging->buffers[0], w.count * bytes);
    }
    digest_guard(&d, &p->c);
    digest_bytes(&d, (const uint8_t[8]){0}, d.held ? 8 - d.held : 0);
    *digest = d.value;
    return true;
}

bool problem_extents(struct problem *p) {
    if (p->rows) return true;
    p->rows = malloc(((size_t)p->a.rows + 1) * sizeof *p->rows);
    p->cols = malloc(((size_t)p->b.cols + 1) * sizeof *p->cols);
    if (!p->rows || !p->cols) return false;
    matrix_extents(&p->a, p->rows);
    matrix_extents(&p->b, p->cols);
    return true;
}

bool problem_inputs_intact(struct problem *p) {
    const struct matrix *const inputs[] = {&p->a, &p->b};
    const int element = element_bytes(p->a.element);
    void *const *buffers = p->staging->buffers;
    for (int i = 0; i < 2; i++) {
        struct window w = {0};
        while (matrix_next_window(inputs[i], at_once(inputs[i]), &w)) {
            const int64_t bytes = w.count * element;
            if (!p->backend->to_host(buffers[0], inputs[i]->buffer + (uint64_t)(w.offset * element),
                                     bytes))
                return false;
            matrix_fill_window(inputs[i], &w, buffers[1]);
            if (memcmp(buffers[0], buffers[1], (size_t)bytes) != 0) {
                return backend_fail("a kernel wrote to %c, which it may only read", "AB"[i]);
            }
        }
    }
    return true;
}
