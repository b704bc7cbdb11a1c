// Examines a kernel's results: see results.h.
#include "results.h"
#include "base/channel.h"
#include "base/columns.h"
#include "base/finding.h"
#include "isa/place.h"
#include "mistakes.h"
#include "sim/machine/kernel.h"

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
    bool finite; // true if all inputs are finite
    bool is_gemm;
    struct expected_gemm gemm;
    double *reference; // [count] the expected output
    double *limit;     // [count] the largest allowed error of each element
    double *before;    // [count] the output's values before the launch; NULL if beta is 0
    int64_t count;
    int output; // index of the argument whose buffer is compared
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

// Returns the index of the output among the arguments with exactly one buffer: the last that starts
// without values or is saved, otherwise the last. Returns -1 if there is none.
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

// Finds sizes and factors among the arguments. One integer is m, n and k; three are m, n, k; six
// are m, n, k and the leading dimensions, which are at the end or each behind its matrix. The sizes
// of gemm:M,N,K in --expect replace m, n, k. The first real number is alpha, the second beta.
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
    if (reals > 2)
        return error_refuse(
            error,
            "--expect %.100s: the kernel has %d real arguments: expected alpha and beta only",
            r->expect, reals);
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

// Computes the result in double precision, and an error limit per element, which holds for k
// products that are added in FP32 in any order.
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

// Returns the first place in the kernel's own code that uses a NaN constant, and whose source line
// names no NaN. The compiler puts NaN in place of a value that nothing sets.
static struct code_place constant_nan(const struct sass_kernel *code) {
    uint32_t end = code->count;
    for (int i = 0; i < code->symbol_count;
         i++) // the compiler's functions follow the kernel's code
        if (code->symbols[i].address && code->symbols[i].address / SASS_BYTES < end)
            end = code->symbols[i].address / SASS_BYTES;
    for (uint32_t i = 0; i < end; i++) {
        const struct code_place place = place_of(code, i);
        const bool moves = strstr(place.instruction, "MOV") != NULL;
        const bool found =
            (strstr(place.instruction, "QNAN") && !strstr(place.instruction, "MUFU")) ||
            (moves &&
             (strstr(place.instruction, "0x7fc00000") || strstr(place.instruction, "0x7ff80000")));
        const char *line = found && place.line ? source_line(place.file, place.line) : NULL;
        if (line && !strstr(line, "NAN") && !strstr(line, "nan")) return place;
    }
    return (struct code_place){.known = false};
}

// Prints a finding if the kernel wrote NaNs to a buffer. Returns false if the finding is an error.
static bool look_for_nan(const struct argument_buffer *b, int argument,
                         const struct sass_kernel *code, const struct sim_memory *memory) {
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
    if (!count) return true;
    const struct code_place constant = constant_nan(code);
    struct finding f =
        begin_finding("nan", constant.known ? SEVERITY_ERROR : SEVERITY_WARNING, code->name,
                      argument, b->address + (uint64_t)(first * bytes), bytes);
    snprintf(f.message, sizeof f.message,
             "%lld of the %lld elements of argument %d are NaN, and all inputs are finite; the "
             "first is [%lld]",
             (long long)count, (long long)elements, argument, (long long)first);
    f.rule = "nan-from-finite";
    snprintf(f.cause, sizeof f.cause,
             "0/0, inf - inf or inf/inf (an exp() that overflows), or an index past the end of a "
             "thread's array: there a compiler may store NaN for a value that does not exist");
    snprintf(f.remedy, sizeof f.remedy,
             "check divisions, roots and exp() (subtract the row's maximum before it), and the "
             "sizes of the thread's own arrays against the loops that index them");
    if (constant.known) {
        f.place = constant;
        f.rule = "constant-nan";
        snprintf(
            f.cause, sizeof f.cause,
            "what line %u computes with was never set, and the compiler puts NaN in its place: a "
            "variable, an element of an array, or shared memory that no statement stores",
            constant.line);
        snprintf(f.remedy, sizeof f.remedy,
                 "set all that line %u reads before it (float sum = 0), and compare the sizes of "
                 "arrays with the loops that fill and read them",
                 constant.line);
    }
    finding_print(&f);
    return !constant.known;
}

// The unwritten elements of a buffer.
struct gaps {
    int64_t count, first, run; // their number; `run` consecutive ones begin at index `first`
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

// Returns true if the kernel uses the result of an atomic addition. Such a kernel may append its
// results to the output, which then may end anywhere.
static bool may_append(const struct sass_kernel *code) {
    for (uint32_t i = 0; i < code->count; i++) {
        const struct code_place place = place_of(code, i);
        const char *atomic = strstr(place.instruction, "ATOM");
        if (atomic && strstr(atomic, ".ADD") && !strstr(atomic, " RZ,")) return true;
    }
    return false;
}

static void look_for_unwritten(const struct argument_buffer *b, int argument,
                               const struct sass_kernel *code, const struct sim_memory *memory) {
    const int bytes = argument_element_bytes(b);
    const int64_t elements = b->bytes / bytes;
    if (!b->starts_as_nan) return;
    const struct gaps g = find_gaps(memory, b, elements, bytes);
    if (!g.count) return;
    struct finding f = begin_finding("unwritten-output", SEVERITY_WARNING, code->name, argument,
                                     b->address + (uint64_t)(g.first * bytes), bytes);
    snprintf(f.message, sizeof f.message,
             "%lld of the %lld elements of argument %d, which starts without values, were never "
             "written; element %lld is the first",
             (long long)g.count, (long long)elements, argument, (long long)g.first);
    if (g.count == elements) {
        f.rule = "nothing-written";
        snprintf(f.cause, sizeof f.cause,
                 "no thread stores to this buffer: a condition lets none through, or the "
                 "arguments are in the wrong order");
        snprintf(f.remedy, sizeof f.remedy,
                 "check the order of --arg, and the condition before the store");
    } else if (g.run == g.count && g.first + g.run == elements) {
        f.rule = "not-covered";
        snprintf(f.cause, sizeof f.cause,
                 "all that is missing lies at the end: the grid has too few threads, or a "
                 "condition leaves the last ones out");
        snprintf(f.remedy, sizeof f.remedy,
                 "if these elements belong to the result, let the grid cover them: (n + block - "
                 "1) / block blocks along each side");
        if (may_append(code)) {
            f.severity = SEVERITY_NOTE;
            snprintf(f.cause, sizeof f.cause,
                     "the kernel takes places from a counter (atomicAdd): what it appends may end "
                     "before the buffer does");
            snprintf(f.remedy, sizeof f.remedy,
                     "nothing, if the counter agrees with the elements that are written");
        }
    } else {
        f.rule = "gaps-in-output";
        snprintf(f.cause, sizeof f.cause,
                 "elements behind the missing ones are written, %lld missing in a row: an index "
                 "steps too far, a tile is larger than what its threads store, or an array of "
                 "the thread is shorter than its loop (a compiler drops stores of elements past "
                 "its end)",
                 (long long)g.run);
        snprintf(f.remedy, sizeof f.remedy,
                 "compare the index's strides and the leading dimension with the tile, and the "
                 "sizes of the thread's own arrays with their loops");
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

// --- the comparison ------------------------------------------------------------------------------

// Returns true if the instruction's text is a load from (`stores`: a store to) device memory or a
// generic address.
static bool is_access(const char *instruction, bool stores) {
    static const char *const names[2][4] = {{"LDG", "LD", "LDGSTS", ""},
                                            {"STG", "ST", "RED", "REDG"}};
    if (*instruction == '@') instruction += strcspn(instruction, " ") + 1;
    const size_t length = strcspn(instruction, ". ");
    for (int i = 0; i < 4; i++)
        if (strlen(names[stores][i]) == length &&
            strncmp(instruction, names[stores][i], length) == 0)
            return true;
    return false;
}

// Returns the only source line that loads (or stores) and names the argument. If no line names it,
// returns the only one that loads (or stores). Otherwise returns an unknown place.
static struct code_place line_of_access(const struct sass_kernel *code, int argument, bool stores) {
    struct code_place found = {.known = false};
    for (int by_name = 1; by_name >= 0 && !found.known; by_name--) {
        for (uint32_t i = 0; i < code->count; i++) {
            struct code_place place = place_of(code, i);
            char parameter[SOURCE_NAME], names[SOURCE_NAMES][SOURCE_NAME];
            const char *line = place.line ? source_line(place.file, place.line) : NULL;
            if (!line || !is_access(place.instruction, stores)) continue;
            bool named = !by_name;
            if (by_name && !source_parameter(place.file, code->name, argument, parameter)) continue;
            for (int k = by_name ? source_names(line, SOURCE_ANY, names) : 0; k-- > 0;)
                named |= strcmp(names[k], parameter) == 0;
            if (!named) continue;
            if (found.known && found.line != place.line) return (struct code_place){.known = false};
            found = place;
        }
    }
    found.action = stores ? "writes" : "reads";
    found.warp = found.lane = NOBODY_KNOWN;
    return found;
}

// Returns a buffer's elements as numbers; NULL if the host has too little memory.
static double *values_of(const struct argument_buffer *b, const struct sim_memory *memory,
                         int64_t *count) {
    const uint8_t *host = sim_host(memory, b->address, b->bytes);
    *count = b->bytes / argument_element_bytes(b);
    double *values = calloc((size_t)*count + 1, sizeof *values);
    for (int64_t i = 0; host && values && i < *count; i++) argument_element(b, host, i, &values[i]);
    return values;
}

// Finds the mistake behind a difference, and the source line to change.
static void explain(const struct product *p, const struct sim_kernel *kernel, const int argument[3],
                    struct finding *f) {
    const enum mistaken concerns = mistake_find(p, f);
    const int which = concerns == MISTAKEN_A ? 0 : concerns == MISTAKEN_B ? 1 : 2;
    f->place = line_of_access(kernel->code, argument[which], which == 2);
}

static bool compare(const struct results *r, const struct argument *a, int arguments,
                    const struct sim_kernel *kernel, const struct sim_memory *memory, bool races) {
    const struct argument_buffer *b = &a[r->output].buffer[0];
    const struct expected_gemm *g = &r->gemm;
    struct product p = {.m = 1,
                        .n = r->count,
                        .ldc = r->count > 0 ? r->count : 1,
                        .reference = r->reference,
                        .limit = r->limit,
                        .before = r->before,
                        .count = r->count};
    double *values[3] = {NULL};
    int argument[3] = {NOBODY_KNOWN, NOBODY_KNOWN, r->output};
    int64_t count = 0, compared = 0, first = 0;
    char shown[400] = "";
    int n = 0;
    p.actual = values[2] = values_of(b, memory, &p.count);
    for (int i = 0, buffers = 0; r->is_gemm && i < arguments && buffers < 2; i++) {
        if (a[i].buffer_count != 1) continue;
        argument[buffers] = i;
        values[buffers] = values_of(&a[i].buffer[0], memory, buffers ? &p.b_count : &p.a_count);
        buffers++;
    }
    const bool enough = values[2] && (!r->is_gemm || (values[0] && values[1]));
    if (r->is_gemm) {
        p.m = g->m, p.n = g->n, p.k = g->k, p.lda = g->lda, p.ldb = g->ldb, p.ldc = g->ldc;
        p.alpha = g->alpha, p.beta = g->beta, p.a = values[0], p.b = values[1];
    }
    for (int64_t i = 0; enough && i < r->count; i++) {
        compared += !isinf(r->limit[i]);
        if (!product_is_wrong(&p, i)) continue;
        if (!count++) first = i;
        if (count > SHOWN) continue;
        const double value = p.actual[i], expected = r->reference[i];
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
    if (count) {
        const int bytes = argument_element_bytes(b);
        struct finding f = begin_finding("mismatch", SEVERITY_ERROR, kernel->code->name, r->output,
                                         b->address + (uint64_t)(first * bytes), bytes);
        snprintf(f.message, sizeof f.message,
                 "%lld of %lld elements of argument %d differ from --expect %.80s: %s%s",
                 (long long)count, (long long)compared, r->output, r->expect, shown,
                 count > SHOWN ? "; ..." : "");
        explain(&p, kernel, argument, &f);
        const size_t length = strlen(f.remedy);
        const bool unexplained = !strcmp(f.rule, "all-wrong") || !strcmp(f.rule, "part-wrong");
        if (unexplained && !races)
            snprintf(f.remedy + length, sizeof f.remedy - length,
                     "; if threads may change one element without atomics, run it again with "
                     "--races global");
        finding_print(&f);
    }
    for (int i = 0; i < 3; i++) free(values[i]);
    return count == 0;
}

bool results_look(const struct results *r, const struct sim_kernel *kernel,
                  const struct argument *a, int count, const struct sim_memory *memory,
                  bool races) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < a[i].buffer_count; k++) {
            const struct argument_buffer *b = &a[i].buffer[k];
            if (argument_is_real(b) && r->finite) good &= look_for_nan(b, i, kernel->code, memory);
            look_for_unwritten(b, i, kernel->code, memory);
        }
    }
    return (!r->expect || compare(r, a, count, kernel, memory, races)) && good;
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
