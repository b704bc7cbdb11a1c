// Prints the output of a run besides its table: the device, failed checks, JSON lines.
#include "report.h"
#include "base/channel.h"
#include "base/columns.h"
#include "model/accuracy.h"
#include "say.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 4 };

void report_device(const struct backend *backend, const struct device_info *info,
                   bool checks_only) {
    // TFLOP/s if each SM did one multiply-add per cycle
    const double lane = 2e-6 * info->multiprocessors * info->clock_mhz;
    const char *done = checks_only          ? "checked"
                       : backend->predicted ? "predicted"
                       : backend->timed     ? "measured"
                                            : "counted";
    printf("%s %s %s, sm_%d", done, backend->predicted ? "by the" : "on",
           backend->timed ? info->name : "the simulator", info->compute_capability);
    if (backend->timed)
        printf(": %d SMs, peak FP32 %.1f, FP64 %.1f TFLOP/s at %d MHz", info->multiprocessors,
               lane * info->lanes, lane * info->lanes_64, info->clock_mhz);
    printf("\n");
    if (backend->timed && !backend->predicted)
        printf("driver %s, program built with %s%s%s\n", info->driver, info->toolkit,
               *info->baseline ? ", compared with " : "", info->baseline);
    fflush(stdout);
}

static void shape_to_json(struct json *j, const char *step, const char *variant, int64_t m,
                          int64_t n, int64_t k) {
    json_text(j, "step", step);
    json_text(j, "variant", variant);
    json_integer(j, "m", m);
    json_integer(j, "n", n);
    json_integer(j, "k", k);
}

void verdict_to_json(const struct result *r, const char *finding) {
    if (!channel_json()) return;
    struct json j = channel_line("verdict");
    shape_to_json(&j, r->step, r->variant, r->m, r->n, r->k);
    json_text(&j, "check", r->check);
    json_text(&j, "finding", finding);
    if (isnan(r->error_ratio))
        json_null(&j, "error_ratio");
    else
        json_number(&j, "error_ratio", r->error_ratio);
    json_end(&j);
}

static void counts_to_json(const struct result *r, const struct counts *counts) {
    for (int i = 0; channel_json() && i < counts->count; i++) {
        struct json j = channel_line("counter");
        shape_to_json(&j, r->step, r->variant, r->m, r->n, r->k);
        json_null(&j, "kernel");
        json_text(&j, "name", counts->counters[i].name);
        if (isnan(counts->counters[i].value))
            json_null(&j, "value");
        else
            json_number(&j, "value", counts->counters[i].value);
        json_end(&j);
    }
}

static void time_to_json(const struct result *r) {
    if (!channel_json() || isnan(r->ms_median)) return;
    struct json j = channel_line("time");
    shape_to_json(&j, r->step, r->variant, r->m, r->n, r->k);
    json_text(&j, "backend", r->backend);
    json_number(&j, "milliseconds", r->ms_median);
    json_number(&j, "tflops", r->tflops);
    json_end(&j);
}

// --- the model's error ---------------------------------------------------------------------------

static const char *const kinds[] = {"power of two", "multiple of 128", "odd size",
                                    "small",        "rectangle",       "padded rows"};
enum { POWER_OF_TWO, MULTIPLE, ODD, SMALL, RECTANGLE, PADDED, KINDS };
static bool predicted[KINDS]; // true if the table has a row of this kind

// Returns the kind of a problem. tools/schema.sql groups the rows of validation.csv by these kinds.
static int kind_of(const struct result *r) {
    const int64_t n = r->n;
    if (r->lda != r->k || r->ldb != n || r->ldc != n) return PADDED;
    if (r->m != n || n != r->k) return RECTANGLE;
    if (n < 512) return SMALL;
    return (n & (n - 1)) == 0 ? POWER_OF_TWO : n % 128 == 0 ? MULTIPLE : ODD;
}

void report_accuracy(void) {
    for (int i = 0; i < KINDS; i++) {
        const struct sm_accuracy *a = predicted[i] ? sm_accuracy_of(kinds[i]) : NULL;
        if (a)
            printf("%s: predictions were %.1f %% off on average, %.0f %% at most, in %d launches "
                   "on an H200\n",
                   kinds[i], a->mean_pct, a->most_pct, a->launches);
    }
    memset(predicted, 0, sizeof predicted);
}

void report_result(const struct result *r, const char *finding, const struct counts *counts) {
    if (strcmp(r->backend, "model") == 0 && !isnan(r->ms_median)) predicted[kind_of(r)] = true;
    if (counts) counts_to_json(r, counts);
    time_to_json(r);
    table_row(r, finding, counts);
    fflush(stdout);
}

// Prints which contender fails on which problem, and how.
static void put_failure(const struct contender *c, const struct problem *p, const char *how) {
    char text[1024];
    snprintf(text, sizeof text,
             "%s/%s fails at %lldx%lldx%lld, lda %lld, ldb %lld, ldc %lld, shift %lld,%lld,%lld, "
             "alpha %.9g, beta %.9g, %s inputs, seed %llu%s",
             contender_step(c), contender_variant(c), (long long)p->c.rows, (long long)p->c.cols,
             (long long)p->a.cols, (long long)p->a.ld, (long long)p->b.ld, (long long)p->c.ld,
             (long long)p->a.shift, (long long)p->b.shift, (long long)p->c.shift, p->alpha, p->beta,
             inputs_names[p->plan.inputs], (unsigned long long)p->plan.seed, how);
    columns_wrap(stdout, text, 0, INDENT);
}

void report_contract(const struct contender *c, bool unwritten) {
    const struct contender *ran = contender_runner(c);
    const struct variant *v = ran->variant;
    if (!v) return;
    if (ran->info.max_threads < 1024 && v->threads < ran->info.max_threads)
        printf("    step.c says blocks of %d threads, and the kernel was compiled for %d "
               "(__launch_bounds__)\n",
               v->threads, ran->info.max_threads);
    if (unwritten)
        printf("    step.c says that %d threads compute a tile of %d x %d (.threads, .block_m, "
               ".block_n): does "
               "kernel.cu?\n",
               v->threads, v->block_m, v->block_n);
}

void report_small_tile(const struct contender *c, bool taller, bool wider) {
    const struct variant *v = c->variant;
    say_error("%s/%s: step.c says tiles of %d x %d (.block_m, .block_n), and a block of "
              "kernel.cu computes at least %d x %d: the other blocks have nothing to do",
              contender_step(c), contender_variant(c), v->block_m, v->block_n,
              v->block_m * (taller ? 2 : 1), v->block_n * (wider ? 2 : 1));
}

static void fault_to_json(const struct contender *c, const struct problem *p, const struct fault *f,
                          const char *text, const char *pattern) {
    struct json j = channel_line("wrong");
    shape_to_json(&j, contender_step(c), contender_variant(c), p->c.rows, p->c.cols, p->a.cols);
    json_text(&j, "message", text);
    json_open(&j, "element", '[');
    json_integer(&j, NULL, f->row);
    json_integer(&j, NULL, f->col);
    json_close(&j, ']');
    json_number(&j, "expected", f->expected);
    json_number(&j, "actual", f->got);
    json_number(&j, "tolerance", f->bound);
    json_text(&j, "pattern", *pattern ? pattern : NULL);
    json_end(&j);
}

static void put_fault(const char *text) {
    printf("%*s", INDENT, "");
    columns_wrap(stdout, text, INDENT, 2 * INDENT);
}

void report_faults(const struct contender *c, const struct problem *p, const struct verdict *v) {
    const long long shown = v->fault_count < MAX_FAULTS ? v->fault_count : MAX_FAULTS;
    bool unwritten = false;
    char how[64];
    snprintf(how, sizeof how, ", faults: %lld", (long long)v->fault_count);
    put_failure(c, p, how);
    if (*v->pattern) put_fault(v->pattern);
    for (int i = 0; i < shown; i++) {
        char text[256];
        describe_fault(&v->faults[i], p->c.element, text, sizeof text);
        put_fault(text);
        unwritten |= v->faults[i].kind == FAULT_UNWRITTEN;
        if (channel_json()) fault_to_json(c, p, &v->faults[i], text, v->pattern);
    }
    report_contract(c, unwritten);
    fflush(stdout);
}

void report_wrong(const struct contender *c, const struct problem *p, const char *wrong) {
    char how[512];
    snprintf(how, sizeof how, ": %s", wrong);
    put_failure(c, p, how);
    fflush(stdout);
}

void report_checks(const struct contender *contenders, int count) {
    printf("%-26s %-22s %10s %10s %12s\n", "step", "variant", "checks", "failed", "worst error");
    for (int i = 0; i < count; i++) {
        const struct contender *c = &contenders[i];
        if (!c->step) continue;
        printf("%-26s %-22s %10ld %10ld %12.4f\n", contender_step(c), contender_variant(c),
               c->checks, c->failures, c->worst_ratio);
    }
    fflush(stdout);
}
