// Examines a kernel's results: see results.h.
#include "results.h"
#include "base/channel.h"
#include "base/columns.h"
#include "base/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5 };

struct expected_gemm {
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
};

struct results {
    const char *expect;
    bool finite; // all inputs are finite
    bool is_gemm;
    struct expected_gemm gemm;
    double *reference; // [count] the expected output
    double *limit;     // [count] the largest error allowed in each element
    double *before;    // [count] the output's values before the launch; NULL if beta is 0
    int64_t count;
    int output; // index of the argument that is compared
};

// --- the inputs ----------------------------------------------------------------------------------

static bool buffer_is_finite(const struct argument_buffer *b, const struct sim_memory *memory) {
    const uint8_t *host = sim_host(memory, b->address, b->bytes);
    const int64_t count = b->bytes / argument_element_bytes(b);
    double value;
    for (int64_t i = 0; host && argument_is_real(b) && !b->starts_as_nan && i < count; i++)
        if (argument_element(b, host, i, &value) && !isfinite(value)) return false;
    return true;
}

static bool all_finite(const struct argument *a, int count, const struct sim_memory *memory) {
    bool real, finite = true;
    double value;
    for (int i = 0; i < count && finite; i++) {
        if (argument_scalar(&a[i], &real, &value)) finite = isfinite(value) || !real;
        for (int k = 0; k < a[i].buffer_count && finite; k++)
            finite = buffer_is_finite(&a[i].buffer[k], memory);
    }
    return finite;
}

// Returns the index of the last argument whose buffer starts without values or is saved; if there
// is none, that of the last argument with a buffer; -1 if no argument has a buffer.
static int find_output(const struct argument *a, int count) {
    int any = -1, output = -1;
    for (int i = 0; i < count; i++) {
        if (a[i].buffer_count != 1) continue;
        any = i;
        if (a[i].buffer[0].starts_as_nan || a[i].buffer[0].out) output = i;
    }
    return output >= 0 ? output : any;
}

// --- the reference -------------------------------------------------------------------------------

static bool make_room(struct results *r, const struct argument_buffer *b, struct error *error) {
    r->count = b->bytes / argument_element_bytes(b);
    r->reference = calloc((size_t)r->count + 1, sizeof *r->reference);
    r->limit = calloc((size_t)r->count + 1, sizeof *r->limit);
    return (r->reference && r->limit) || error_fail(error, "not enough host memory");
}

static bool read_reference(struct results *r, const struct argument_buffer *b,
                           struct error *error) {
    if (!make_room(r, b, error)) return false;
    uint8_t *bytes = calloc(1, (size_t)b->bytes + 1);
    FILE *file = bytes ? fopen(r->expect, "rb") : NULL;
    if (!file) {
        free(bytes);
        return error_fail(error, "--expect %.200s: %s", r->expect, strerror(errno));
    }
    const size_t size = fread(bytes, 1, (size_t)b->bytes + 1, file);
    fclose(file);
    double largest = 0;
    const bool fits = size == (size_t)b->bytes;
    for (int64_t i = 0; fits && i < r->count; i++) {
        argument_element(b, bytes, i, &r->reference[i]);
        if (fabs(r->reference[i]) > largest) largest = fabs(r->reference[i]);
    }
    for (int64_t i = 0; i < r->count && argument_is_real(b); i++)
        r->limit[i] = 1e-5 * (fabs(r->reference[i]) + largest);
    free(bytes);
    return fits ||
           error_refuse(error, "--expect %.200s: the output has %lld bytes, the file %s", r->expect,
                        (long long)b->bytes, size > (size_t)b->bytes ? "more" : "fewer");
}

// Finds sizes and factors among the arguments. One integer means n = m = k; three mean m, n, k; six
// add the leading dimensions, either all at the end or each behind its matrix. The first real
// number is alpha, the second beta.
static bool find_gemm(struct results *r, const struct argument *a, int count, struct error *error) {
    struct expected_gemm *g = &r->gemm;
    int64_t whole[8];
    int wholes = 0, reals = 0;
    *g = (struct expected_gemm){.alpha = 1};
    for (int i = 0; i < count; i++) {
        bool real;
        double value;
        if (!argument_scalar(&a[i], &real, &value)) continue;
        if (real) *(reals++ ? &g->beta : &g->alpha) = value;
        if (!real && wholes < 8) whole[wholes++] = (int64_t)value;
    }
    long long m, n, k;
    if (sscanf(r->expect, "gemm:%lld,%lld,%lld", &m, &n, &k) == 3) {
        g->m = m, g->n = n, g->k = k;
    } else if (strcmp(r->expect, "gemm") == 0 && (wholes == 1 || wholes == 3 || wholes == 6)) {
        g->m = whole[0];
        g->n = whole[wholes > 1];
        g->k = whole[wholes > 1 ? 2 : 0];
    } else {
        return error_refuse(
            error, "--expect %.100s: the arguments do not tell the sizes: expected gemm:M,N,K",
            r->expect);
    }
    g->lda = wholes == 6 ? whole[3] : g->k;
    g->ldb = wholes == 6 ? whole[4] : g->n;
    g->ldc = wholes == 6 ? whole[5] : g->n;
    return true;
}

static bool holds(const struct argument_buffer *b, int64_t rows, int64_t columns, int64_t ld) {
    return rows >= 0 && columns >= 0 && ld >= columns &&
           (rows == 0 || columns == 0 ||
            (rows - 1) * ld + columns <= b->bytes / argument_element_bytes(b));
}

// Computes the result in double precision, with an error limit per element: that of k products
// added in FP32 in any order.
static bool compute_gemm(struct results *r, const struct argument_buffer *const buffer[3],
                         const struct sim_memory *memory, struct error *error) {
    const struct expected_gemm *g = &r->gemm;
    const uint8_t *host[3];
    if (!holds(buffer[0], g->m, g->k, g->lda) || !holds(buffer[1], g->k, g->n, g->ldb) ||
        !holds(buffer[2], g->m, g->n, g->ldc))
        return error_refuse(
            error,
            "--expect %.60s: A of %lld x %lld, B and C do not fit into the first three buffers",
            r->expect, (long long)g->m, (long long)g->k);
    if (!make_room(r, buffer[2], error)) return false;
    for (int i = 0; i < 3; i++) host[i] = sim_host(memory, buffer[i]->address, buffer[i]->bytes);
    // the gaps between rows are not compared
    for (int64_t i = 0; i < r->count; i++) r->limit[i] = INFINITY;
    r->before = g->beta != 0 ? calloc((size_t)r->count + 1, sizeof *r->before) : NULL;
    for (int64_t i = 0; r->before && i < r->count; i++)
        argument_element(buffer[2], host[2], i, &r->before[i]);
    for (int64_t i = 0; i < g->m; i++) {
        for (int64_t j = 0; j < g->n; j++) {
            double sum = 0, size = 0, a, b, c = 0;
            for (int64_t k = 0; k < g->k; k++) {
                argument_element(buffer[0], host[0], i * g->lda + k, &a);
                argument_element(buffer[1], host[1], k * g->ldb + j, &b);
                sum += a * b;
                size += fabs(a * b);
            }
            if (g->beta != 0) argument_element(buffer[2], host[2], i * g->ldc + j, &c);
            r->reference[i * g->ldc + j] = g->alpha * sum + (g->beta != 0 ? g->beta * c : 0);
            r->limit[i * g->ldc + j] =
                ((double)g->k + 4) * 0x1p-23 * (fabs(g->alpha) * size + fabs(g->beta * c));
        }
    }
    return true;
}

static bool prepare_gemm(struct results *r, const struct argument *a, int count,
                         const struct sim_memory *memory, struct error *error) {
    const struct argument_buffer *buffer[3];
    int buffers = 0;
    r->is_gemm = true;
    for (int i = 0; i < count && buffers < 3; i++) {
        if (a[i].buffer_count != 1) continue;
        r->output = i;
        buffer[buffers++] = &a[i].buffer[0];
    }
    if (buffers < 3)
        return error_refuse(
            error, "--expect gemm: the kernel has %d buffers, expected three: A, B and C", buffers);
    return find_gemm(r, a, count, error) && compute_gemm(r, buffer, memory, error);
}

struct results *results_open(const char *expect, const struct argument *a, int count,
                             const struct sim_memory *memory, struct error *error) {
    struct results *r = calloc(1, sizeof *r);
    if (!r) return error_fail(error, "not enough host memory"), NULL;
    r->expect = expect;
    r->finite = all_finite(a, count, memory);
    r->output = find_output(a, count);
    bool good = true;
    if (expect && r->output < 0)
        good = error_refuse(error, "--expect %.200s: the kernel has no buffer to compare", expect);
    else if (expect && (strcmp(expect, "gemm") == 0 || strncmp(expect, "gemm:", 5) == 0))
        good = prepare_gemm(r, a, count, memory, error);
    else if (expect)
        good = read_reference(r, &a[r->output].buffer[0], error);
    if (good) return r;
    results_close(r);
    return NULL;
}

void results_close(struct results *r) {
    if (!r) return;
    free(r->reference);
    free(r->limit);
    free(r->before);
    free(r);
}

// --- after the launch ----------------------------------------------------------------------------

static struct finding begin_finding(const char *kind, enum severity severity, const char *kernel,
                                    int argument, uint64_t address, int bytes) {
    return (struct finding){.id = finding_new_id(),
                            .kind = kind,
                            .severity = severity,
                            .kernel = kernel,
                            .warp = NOBODY_KNOWN,
                            .argument = argument,
                            .space = "global",
                            .at = address,
                            .bytes = (uint32_t)bytes,
                            .repeats = 1,
                            .place = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN},
                            .other = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN},
                            .cause_place = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN}};
}

static void look_for_nan(const struct argument_buffer *b, int argument, const char *kernel,
                         const struct sim_memory *memory) {
    const uint8_t *host = sim_host(memory, b->address, b->bytes);
    const int bytes = argument_element_bytes(b);
    const int64_t elements = b->bytes / bytes;
    int64_t count = 0, first = 0, unused;
    double value;
    for (int64_t i = 0; host && i < elements; i++) {
        if (!argument_element(b, host, i, &value) || !isnan(value)) continue;
        if (sim_unwritten(memory, b->address + (uint64_t)(i * bytes), 1, bytes, &unused)) continue;
        if (!count++) first = i;
    }
    if (!count) return;
    struct finding f = begin_finding("nan", SEVERITY_WARNING, kernel, argument,
                                     b->address + (uint64_t)(first * bytes), bytes);
    snprintf(f.message, sizeof f.message,
             "%lld of the %lld elements of argument %d are NaN, and all inputs are finite; the "
             "first is [%lld]",
             (long long)count, (long long)elements, argument, (long long)first);
    f.rule = "nan-from-finite";
    snprintf(f.cause, sizeof f.cause,
             "0/0, inf - inf or inf/inf (an exp() that overflows), or an index past the end of a "
             "thread's array: there a "
             "compiler may store NaN for a value that does not exist");
    snprintf(f.remedy, sizeof f.remedy,
             "check divisions, roots and exp() (subtract the row's maximum before it), and the "
             "sizes of the thread's own "
             "arrays against the loops that index them");
    finding_print(&f);
}

// The places of unwritten elements in a buffer.
struct gaps {
    int64_t count, first, run; // `run` elements in a row are unwritten from `first` on
};

static struct gaps find_gaps(const struct sim_memory *memory, const struct argument_buffer *b,
                             int64_t elements, int bytes) {
    struct gaps g = {.count = 0};
    int64_t unused;
    g.count = sim_unwritten(memory, b->address, elements, bytes, &g.first);
    while (g.count && g.first + g.run < elements &&
           sim_unwritten(memory, b->address + (uint64_t)((g.first + g.run) * bytes), 1, bytes,
                         &unused))
        g.run++;
    return g;
}

static void look_for_unwritten(const struct argument_buffer *b, int argument, const char *kernel,
                               const struct sim_memory *memory) {
    const int bytes = argument_element_bytes(b);
    const int64_t elements = b->bytes / bytes;
    if (!b->starts_as_nan) return;
    const struct gaps g = find_gaps(memory, b, elements, bytes);
    if (!g.count) return;
    struct finding f = begin_finding("unwritten-output", SEVERITY_WARNING, kernel, argument,
                                     b->address + (uint64_t)(g.first * bytes), bytes);
    snprintf(f.message, sizeof f.message,
             "%lld of the %lld elements of argument %d, which starts without values, were never "
             "written; the first is "
             "[%lld]",
             (long long)g.count, (long long)elements, argument, (long long)g.first);
    if (g.count == elements) {
        f.rule = "nothing-written";
        snprintf(f.cause, sizeof f.cause,
                 "no thread stores to this buffer: a condition lets none through, or the arguments "
                 "are in the wrong "
                 "order");
        snprintf(f.remedy, sizeof f.remedy,
                 "check the order of --arg, and the condition before the store");
    } else if (g.run == g.count && g.first + g.run == elements) {
        f.rule = "not-covered";
        snprintf(f.cause, sizeof f.cause,
                 "all that is missing lies at the end: the grid has too few threads, or a "
                 "condition leaves the last "
                 "ones out");
        snprintf(f.remedy, sizeof f.remedy,
                 "if these elements belong to the result, let the grid cover them: (n + block - 1) "
                 "/ block blocks "
                 "along each side");
    } else {
        f.rule = "gaps-in-output";
        snprintf(f.cause, sizeof f.cause,
                 "elements behind the missing ones are written, %lld missing in a row: an index "
                 "steps too far, a tile "
                 "is larger than what its threads store, or an array of the thread is shorter than "
                 "its loop (a "
                 "compiler drops stores of elements past its end)",
                 (long long)g.run);
        snprintf(f.remedy, sizeof f.remedy,
                 "compare the index's strides and the leading dimension with the tile, and the "
                 "sizes of the thread's "
                 "own arrays with their loops");
    }
    finding_print(&f);
}

static void wrong_to_json(const struct results *r, int64_t index, double expected, double actual) {
    if (!channel_json()) return;
    struct json j = channel_line("wrong");
    json_integer(&j, "argument", r->output);
    json_open(&j, "element", '[');
    json_integer(&j, NULL, r->is_gemm ? index / r->gemm.ldc : 0);
    json_integer(&j, NULL, r->is_gemm ? index % r->gemm.ldc : index);
    json_close(&j, ']');
    json_number(&j, "expected", expected);
    json_number(&j, "actual", actual);
    json_end(&j);
}

// --- why a product is wrong ----------------------------------------------------------------------

// A mistake that a kernel may contain, and how it changes the product.
struct mistake {
    const char *rule, *cause, *remedy;
    bool a_transposed, b_transposed, c_transposed;
    double alpha, beta; // the factors that are used instead of the right ones
    int64_t k;          // how many products are added, beginning with the first
};

struct expected_operands {
    const struct argument_buffer *buffer[2];
    const uint8_t *host[2];
};

// Returns element `index` of operand 0 or 1; NaN if it is outside the operand's buffer.
static double operand_at(const struct expected_operands *o, int which, int64_t index) {
    const struct argument_buffer *b = o->buffer[which];
    double value = NAN;
    if (index >= 0 && index < b->bytes / argument_element_bytes(b))
        argument_element(b, o->host[which], index, &value);
    return value;
}

// Returns true if a kernel with this mistake computes `actual` for an element.
static bool explains_element(const struct results *r, const struct expected_operands *o,
                             const struct mistake *wrong, int64_t row, int64_t column,
                             double actual) {
    const struct expected_gemm *g = &r->gemm;
    const int64_t i = wrong->c_transposed ? column : row, j = wrong->c_transposed ? row : column;
    double sum = 0, size = 0;
    if (wrong->c_transposed && g->m != g->n) return false;
    for (int64_t k = 0; k < wrong->k; k++) {
        const double a = operand_at(o, 0, wrong->a_transposed ? k * g->m + i : i * g->lda + k);
        const double b = operand_at(o, 1, wrong->b_transposed ? j * g->k + k : k * g->ldb + j);
        sum += a * b;
        size += fabs(a * b);
    }
    const double c = r->before ? r->before[row * g->ldc + column] : 0;
    const double expected = wrong->alpha * sum + (wrong->beta != 0 ? wrong->beta * c : 0);
    const double limit =
        ((double)g->k + 4) * 0x1p-23 * (fabs(wrong->alpha) * size + fabs(wrong->beta * c));
    return fabs(actual - expected) <= limit;
}

// Returns true if the mistake explains the wrong elements. Examines fewer than 2 * SAMPLE of them.
static bool explains_all(const struct results *r, const struct expected_operands *o,
                         const struct mistake *wrong, const uint8_t *host,
                         const struct argument_buffer *b, int64_t wrong_count) {
    enum { SAMPLE = 64 };
    const int64_t every = wrong_count > SAMPLE ? wrong_count / SAMPLE : 1;
    int64_t seen = 0;
    for (int64_t i = 0; i < r->count; i++) {
        double value;
        if (isinf(r->limit[i])) continue;
        argument_element(b, host, i, &value);
        if (fabs(value - r->reference[i]) <= r->limit[i] || seen++ % every) continue;
        if (!explains_element(r, o, wrong, i / r->gemm.ldc, i % r->gemm.ldc, value)) return false;
    }
    return seen > 0;
}

static bool try_mistake(const struct results *r, const struct expected_operands *o,
                        struct mistake wrong, const struct argument_buffer *b, const uint8_t *host,
                        int64_t wrong_count, struct finding *f) {
    if (!explains_all(r, o, &wrong, host, b, wrong_count)) return false;
    f->rule = wrong.rule;
    snprintf(f->cause, sizeof f->cause, "%s", wrong.cause);
    snprintf(f->remedy, sizeof f->remedy, "%s", wrong.remedy);
    return true;
}

// Tries common mistakes: operands read in the other layout, factors left out, tiles of K left out.
// If one explains the wrong elements, sets the finding's cause and returns true.
static bool find_mistake(const struct results *r, const struct expected_operands *o,
                         const struct argument_buffer *b, const uint8_t *host, int64_t wrong_count,
                         struct finding *f) {
    const struct expected_gemm *g = &r->gemm;
    const struct mistake right = {.rule = NULL, .alpha = g->alpha, .beta = g->beta, .k = g->k};
    struct mistake wrong[10];
    int count = 0;
#define MISTAKE(name, why, fix, ...)                                                               \
    do {                                                                                           \
        struct mistake w = right;                                                                  \
        w.rule = (name), w.cause = (why), w.remedy = (fix);                                        \
        __VA_ARGS__;                                                                               \
        wrong[count++] = w;                                                                        \
    } while (0)
    MISTAKE("operand-transposed", "the result is right for A read as a column-major matrix",
            "check the index into A: row * lda + k if A is row-major", w.a_transposed = true);
    MISTAKE("operand-transposed", "the result is right for B read as a column-major matrix",
            "check the index into B: k * ldb + column if B is row-major", w.b_transposed = true);
    MISTAKE("operand-transposed", "the result is right for A and B read as column-major matrices",
            "check the indices into A and B, or pass transposed matrices",
            w.a_transposed = w.b_transposed = true);
    MISTAKE("result-transposed", "the result is the transpose of the right one",
            "check the index into C, and whether x or y is the row", w.c_transposed = true);
    if (g->alpha != 1)
        MISTAKE("factor-ignored", "the result is right for alpha 1: alpha is not applied",
                "multiply the sum by alpha", w.alpha = 1);
    if (g->beta != 0)
        MISTAKE("factor-ignored", "the result is right for beta 0: beta * C is not added",
                "add beta times the old C", w.beta = 0);
    if (g->beta != 0 && g->beta != 1)
        MISTAKE("factor-ignored", "the result is right for beta 1: beta is not applied",
                "multiply the old C by beta", w.beta = 1);
    MISTAKE("added-twice", "each element is twice the right product: it is added twice",
            "let each part of K be added once; start from zeros", w.alpha = 2 * g->alpha);
#undef MISTAKE
    for (int i = 0; i < count; i++)
        if (try_mistake(r, o, wrong[i], b, host, wrong_count, f)) return true;
    for (int64_t k = g->k - 1; k >= 0 && g->k - k <= 256; k--) {
        char why[160];
        struct mistake part = right;
        snprintf(
            why, sizeof why,
            "the result is right for the first %lld of K = %lld products: the last %lld are left "
            "out",
            (long long)k, (long long)g->k, (long long)(g->k - k));
        part.rule = "sum-too-short";
        part.cause = why;
        part.remedy = "let the loop over K run to its end, with a last tile that may be smaller";
        part.k = k;
        if (try_mistake(r, o, part, b, host, wrong_count, f)) return true;
    }
    return false;
}

// The rows and columns of a matrix in which wrong elements lie.
struct wrong_extent {
    int64_t row[2], column[2]; // the first and the last
    int64_t count;
};

static void widen(struct wrong_extent *e, int64_t row, int64_t column) {
    if (row < e->row[0]) e->row[0] = row;
    if (row > e->row[1]) e->row[1] = row;
    if (column < e->column[0]) e->column[0] = column;
    if (column > e->column[1]) e->column[1] = column;
    e->count++;
}

// Sets the finding's cause to where the wrong elements lie.
static void tell_extent(const struct results *r, const struct wrong_extent *e, struct finding *f) {
    const struct expected_gemm *g = &r->gemm;
    const bool all = e->count == g->m * g->n;
    f->rule = all ? "all-wrong" : "part-wrong";
    if (all)
        snprintf(f->cause, sizeof f->cause,
                 "no element is right: an index or a sum is wrong everywhere");
    else
        snprintf(f->cause, sizeof f->cause,
                 "the wrong elements lie in rows %lld to %lld and columns %lld to %lld of %lld x "
                 "%lld; the others are "
                 "right",
                 (long long)e->row[0], (long long)e->row[1], (long long)e->column[0],
                 (long long)e->column[1], (long long)g->m, (long long)g->n);
    snprintf(f->remedy, sizeof f->remedy,
             all ? "try m = n = k = one tile, A or B the identity, and compare single elements"
                 : "look at the threads that compute these elements: the tile they belong to, its "
                   "edge, its guard");
}

static bool compare(const struct results *r, const struct argument *a, int arguments,
                    const char *kernel, const struct sim_memory *memory, bool races) {
    const struct argument_buffer *b = &a[r->output].buffer[0];
    const uint8_t *host = sim_host(memory, b->address, b->bytes);
    struct wrong_extent extent = {{INT64_MAX, 0}, {INT64_MAX, 0}, 0};
    int64_t count = 0, compared = 0, first = 0;
    char shown[400] = "";
    int n = 0;
    for (int64_t i = 0; i < r->count; i++) {
        double value;
        if (isinf(r->limit[i])) continue;
        compared++;
        argument_element(b, host, i, &value);
        const double expected = r->reference[i];
        if (fabs(value - expected) <= r->limit[i] || value == expected ||
            (isnan(value) && isnan(expected)))
            continue;
        if (!count++) first = i;
        if (r->is_gemm) widen(&extent, i / r->gemm.ldc, i % r->gemm.ldc);
        if (count > SHOWN) continue;
        wrong_to_json(r, i, expected, value);
        if (r->is_gemm)
            n += snprintf(shown + n, sizeof shown - (size_t)n,
                          "%s[%lld][%lld] is %.7g, expected %.7g", n ? "; " : "",
                          (long long)(i / r->gemm.ldc), (long long)(i % r->gemm.ldc), value,
                          expected);
        else
            n += snprintf(shown + n, sizeof shown - (size_t)n, "%s[%lld] is %.7g, expected %.7g",
                          n ? "; " : "", (long long)i, value, expected);
    }
    if (!count) return true;
    const int bytes = argument_element_bytes(b);
    struct finding f = begin_finding("mismatch", SEVERITY_ERROR, kernel, r->output,
                                     b->address + (uint64_t)(first * bytes), bytes);
    snprintf(f.message, sizeof f.message,
             "%lld of %lld elements of argument %d differ from --expect %.80s: %s%s",
             (long long)count, (long long)compared, r->output, r->expect, shown,
             count > SHOWN ? "; ..." : "");
    struct expected_operands operands = {{NULL}, {NULL}};
    for (int i = 0, buffers = 0; r->is_gemm && i < arguments && buffers < 2; i++) {
        if (a[i].buffer_count != 1) continue;
        operands.buffer[buffers] = &a[i].buffer[0];
        operands.host[buffers] = sim_host(memory, a[i].buffer[0].address, a[i].buffer[0].bytes);
        buffers++;
    }
    const bool explained = r->is_gemm && find_mistake(r, &operands, b, host, count, &f);
    if (r->is_gemm && !explained) tell_extent(r, &extent, &f);
    const size_t length = strlen(f.remedy);
    if (!explained && !races)
        snprintf(
            f.remedy + length, sizeof f.remedy - length,
            "%sif threads may change one element without atomics, run it again with --races global",
            length ? "; " : "");
    finding_print(&f);
    return false;
}

bool results_look(const struct results *r, const char *kernel, const struct argument *a, int count,
                  const struct sim_memory *memory, bool races) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < a[i].buffer_count; k++) {
            const struct argument_buffer *b = &a[i].buffer[k];
            if (argument_is_real(b) && r->finite) look_for_nan(b, i, kernel, memory);
            look_for_unwritten(b, i, kernel, memory);
        }
    }
    return !r->expect || compare(r, a, count, kernel, memory, races);
}

void results_tell(const struct results *r, const char *kernel, const struct argument *a,
                  const struct sim_memory *memory) {
    char shown[400] = "";
    int n = 0;
    if (r->output >= 0) {
        const struct argument_buffer *b = &a[r->output].buffer[0];
        const uint8_t *host = sim_host(memory, b->address, b->bytes);
        const int64_t count = b->bytes / argument_element_bytes(b);
        double value;
        n = snprintf(shown, sizeof shown, "; argument %d begins with", r->output);
        for (int64_t i = 0; host && i < count && i < SHOWN && argument_element(b, host, i, &value);
             i++)
            n += snprintf(shown + n, sizeof shown - (size_t)n, " %.7g", value);
    }
    columns_report(stdout, "%s: no mistake found%s%s", kernel,
                   r->expect ? ", the result is as expected" : "", shown);
}
