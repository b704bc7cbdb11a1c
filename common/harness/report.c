// The table on the terminal.
#include "report.h"
#include "base/channel.h"
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void report_device(const struct backend *backend, const struct device_info *info) {
    const double lane = 2e-6 * info->multiprocessors * info->clock_mhz; // TFLOP/s of one lane of each multiprocessor
    printf(
        "%s (sm_%d, %d SMs, peak FP32 %.1f, FP64 %.1f TFLOP/s at %d MHz), driver %s, backend %s, built with %s%s%s\n",
        info->name, info->compute_capability, info->multiprocessors, lane * info->lanes, lane * info->lanes_64,
        info->clock_mhz, info->driver, backend->name, info->toolkit, *info->baseline ? ", baseline " : "",
        info->baseline);
    fflush(stdout);
}

// A value right-aligned in `width`, or blanks when there is none.
static void put(int width, int digits, double value) {
    if (isnan(value)) {
        printf(" %*s", width, "-");
    } else {
        printf(" %*.*f", width, digits, value);
    }
}

static void put_problem(const struct result *r) {
    const long long a = r->lda - r->k, b = r->ldb - r->n, c = r->ldc - r->n; // past the columns
    char text[96];
    int used = snprintf(text, sizeof text, "%lldx%lldx%lld", (long long)r->m, (long long)r->n, (long long)r->k);
    if (a == b && b == c && a > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, "+%lld", a);
    } else if (a != b || b != c) {
        used += snprintf(text + used, sizeof text - (size_t)used, "+%lld,%lld,%lld", a, b, c);
    }
    if (r->alpha != 1) used += snprintf(text + used, sizeof text - (size_t)used, " a%g", r->alpha);
    if (r->beta != 0) snprintf(text + used, sizeof text - (size_t)used, " b%g", r->beta);
    printf(" %-20s", text);
}

static void put_verdict(const struct result *r, const char *finding) {
    printf(strcmp(r->check, "fail") != 0 ? " %5s" : finding ? " FAILED (%s)" : " FAILED", finding ? finding : r->check);
}

static void report_times(const struct result *r, const char *finding) {
    static bool headed;
    if (!headed) {
        printf("%-26s %-22s %-20s %8s %8s %7s %8s %6s %5s %6s %5s\n", "step", "variant", "M x N x K", "ms", "TFLOP/s",
               "% peak", "x cuBLAS", "error", "MHz", "W", "check");
    }
    headed = true;
    printf("%-26s %-22s", r->step, r->variant);
    put_problem(r);
    put(8, r->ms_median < 10 ? 4 : 1, r->ms_median);
    put(8, 2, r->tflops);
    put(7, 1, r->pct_peak);
    put(8, 3, r->vs_cublas);
    put(6, 3, r->error_ratio);
    put(5, 0, r->sm_mhz);
    put(6, 0, r->watts);
    put_verdict(r, finding);
    printf("\n");
}

// Columns of the table of counts: two lines of head, of FP32 and FP64 kernels, and the figure below.
static const struct {
    const char *above, *below[2], *figure[2];
    int width, digits;
} count_columns[] = {
    {"warp", {"instructions", "instructions"}, {"warp_instructions", "warp_instructions"}, 12, 0},
    {"of which", {"FFMA, %", "DFMA, %"}, {"ffma_share", "dfma_share"}, 8, 1},
    {"sectors per", {"load request", "load request"}, {"sectors_per_load", "sectors_per_load"}, 12, 2},
    {"wavefronts", {"per FFMA", "per DFMA"}, {"wavefronts_per_ffma", "wavefronts_per_dfma"}, 10, 3},
    {"bank", {"conflicts", "conflicts"}, {"bank_conflicts", "bank_conflicts"}, 10, 0},
};
enum { COUNT_COLUMNS = sizeof count_columns / sizeof *count_columns, SCHEDULERS = 4 }; // of a multiprocessor

static void head_counts(bool is_double) {
    printf("%-26s %-22s %-20s", "", "", "");
    for (int i = 0; i < COUNT_COLUMNS; i++) printf(" %*s", count_columns[i].width, count_columns[i].above);
    printf(" %14s  %-13s %6s %5s\n", "cycles per", "what", "", "");
    printf("%-26s %-22s %-20s", "step", "variant", "M x N x K");
    for (int i = 0; i < COUNT_COLUMNS; i++) printf(" %*s", count_columns[i].width, count_columns[i].below[is_double]);
    printf(" %14s  %-13s %6s %5s\n", is_double ? "DFMA, at least" : "FFMA, at least", "binds", "error", "check");
}

// Of a device without times. The bound is in cycles of a scheduler for each of its FFMA, as measured cycles are in the lessons.
static void report_counts(const struct result *r, const char *finding, const struct counts *c) {
    static int headed = -1; // for which element
    const bool is_double = c->element == FP64;
    const struct counter *bound = binding_bound(c->counters, c->count);
    const double fma = figure_value(is_double ? "dfma" : "ffma", c->counters, c->count);
    if (headed != (int)is_double) head_counts(is_double);
    headed = is_double;
    printf("%-26s %-22s", r->step, r->variant);
    put_problem(r);
    for (int i = 0; i < COUNT_COLUMNS; i++)
        put(count_columns[i].width, count_columns[i].digits,
            figure_value(count_columns[i].figure[is_double], c->counters, c->count));
    put(14, 3, bound && fma > 0 ? bound->value * c->multiprocessors * SCHEDULERS / fma : NAN);
    printf("  %-13s", bound ? bound->part : "-");
    put(6, 3, r->error_ratio);
    put_verdict(r, finding);
    printf("\n");
}

static void shape_to_json(struct json *j, const char *step, const char *variant, int64_t m, int64_t n, int64_t k) {
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

void report_result(const struct result *r, const char *finding, const struct counts *counts) {
    if (counts) counts_to_json(r, counts);
    time_to_json(r);
    if (counts) {
        report_counts(r, finding, counts);
    } else {
        report_times(r, finding);
    }
    fflush(stdout);
}

// Where a contender fails, up to the end of the line.
static void put_failure(const struct contender *c, const struct problem *p) {
    printf("%s/%s fails at %lldx%lldx%lld, lda %lld, ldb %lld, ldc %lld, shift %lld,%lld,%lld, alpha %.9g, beta %.9g, "
           "%s inputs, seed %llu",
           contender_step(c), contender_variant(c), (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols,
           (long long)p->a.ld, (long long)p->b.ld, (long long)p->c.ld, (long long)p->a.shift, (long long)p->b.shift,
           (long long)p->c.shift, p->alpha, p->beta, inputs_names[p->plan.inputs], (unsigned long long)p->plan.seed);
}

// What step.c says of the launch, where what it says may be the cause.
void report_contract(const struct contender *c, bool unwritten) {
    const struct contender *ran = contender_runner(c);
    const struct variant *v = ran->variant;
    if (!v) return;
    if (ran->info.max_threads < 1024 && v->threads < ran->info.max_threads)
        printf("    step.c says blocks of %d threads, and the kernel was compiled for %d (__launch_bounds__)\n",
               v->threads, ran->info.max_threads);
    if (unwritten)
        printf("    step.c says that %d threads compute a tile of %d x %d (.threads, .block_m, .block_n): does "
               "kernel.cu?\n",
               v->threads, v->block_m, v->block_n);
}

static void fault_to_json(const struct contender *c, const struct problem *p, const struct fault *f, const char *text) {
    struct json j = channel_line("wrong");
    shape_to_json(&j, contender_step(c), contender_variant(c), p->c.rows, p->c.cols, p->a.cols);
    json_text(&j, "message", text);
    json_open(&j, "element", '[');
    json_integer(&j, NULL, f->row);
    json_integer(&j, NULL, f->col);
    json_close(&j, ']');
    json_number(&j, "expected", f->expected);
    json_number(&j, "actual", f->got);
    json_end(&j);
}

void report_faults(const struct contender *c, const struct problem *p, const struct verdict *v) {
    const long long shown = v->fault_count < MAX_FAULTS ? v->fault_count : MAX_FAULTS;
    bool unwritten = false;
    put_failure(c, p);
    printf(", faults: %lld\n", (long long)v->fault_count);
    for (int i = 0; i < shown; i++) {
        char text[256];
        describe_fault(&v->faults[i], p->c.element, text, sizeof text);
        printf("    %s\n", text);
        unwritten |= v->faults[i].kind == FAULT_UNWRITTEN;
        if (channel_json()) fault_to_json(c, p, &v->faults[i], text);
    }
    report_contract(c, unwritten);
    fflush(stdout);
}

void report_wrong(const struct contender *c, const struct problem *p, const char *wrong) {
    put_failure(c, p);
    printf(": %s\n", wrong);
    fflush(stdout);
}

void report_checks(const struct contender *contenders, int count) {
    printf("%-26s %-22s %10s %10s %12s\n", "step", "variant", "checks", "failed", "worst error");
    for (int i = 0; i < count; i++) {
        const struct contender *c = &contenders[i];
        if (!c->step) continue;
        printf("%-26s %-22s %10ld %10ld %12.4f\n", contender_step(c), contender_variant(c), c->checks, c->failures,
               c->worst_ratio);
    }
    fflush(stdout);
}
