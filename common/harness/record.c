// Records a session's results: a row of the CSV, the counters, the table on the terminal.
#include "commit.h" // COMMIT, made by the Makefile
#include "outcome.h"
#include "report.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The counters of several kernels that ran one after the other.
struct totals {
    struct counter *counters; // MAX_COUNTERS entries
    int count;
    // weights of the means, summed over kernels: instructions; the largest lower bound in SM cycles
    double instructions, cycles;
};

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static struct counter *find_counter(struct counter *counters, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(counters[i].name, name) == 0) return &counters[i];
    return NULL;
}

// Adds a kernel's counters to the totals. Sums and bounds add up; ratios are averaged with the
// instructions as weights, TFLOP/s with the bounds. The model's warp states are taken from the
// first kernel only.
static void add_kernel(const struct backend *backend, struct kernel *kernel, struct totals *t) {
    struct counter own[MAX_COUNTERS];
    const int count = kernel ? backend->take_counters(kernel, own, MAX_COUNTERS) : 0;
    const struct counter *executed = find_counter(own, count, "smsp__inst_executed.sum");
    if (t->count && (!executed || executed->value == 0)) return;
    const double instructions = executed ? executed->value : 0;
    double cycles = 0;
    for (int i = 0; i < count; i++)
        if (own[i].part && own[i].value > cycles) cycles = own[i].value;
    for (int i = 0; i < count; i++) {
        struct counter *to = find_counter(t->counters, t->count, own[i].name);
        const bool ratio = ends_with(own[i].name, ".ratio"),
                   rate = ends_with(own[i].name, ".tflops");
        const double old = ratio ? t->instructions : t->cycles, new = ratio ? instructions : cycles;
        if (!to && t->count < MAX_COUNTERS)
            t->counters[t->count++] = own[i];
        else if (to && (ratio || rate))
            to->value =
                old > 0 ? (to->value * old + own[i].value * new) / (old + new) : own[i].value;
        else if (to)
            to->value += own[i].value;
    }
    t->instructions += instructions;
    t->cycles += cycles;
}

static void add_contender(const struct backend *backend, const struct contender *c,
                          struct totals *t) {
    add_kernel(backend, c->kernel, t);
    for (int i = 0; i < c->candidate_count; i++) add_contender(backend, &c->candidates[i], t);
    if (!c->leaf) return;
    add_contender(backend, c->leaf, t);
    for (int i = 0; i < MAX_PASSES; i++) add_kernel(backend, c->pass_kernels[i], t);
}

// Sets `counters` to the sums over the contender's kernels. If it has passes but no leaf, only the
// step's kernel counts. Returns the number of counters; 0 if a finding ended the launch early.
static int counters_of(const struct session *s, const struct contender *c,
                       const struct outcome *outcome, struct counter counters[MAX_COUNTERS]) {
    struct totals t = {.counters = counters};
    if (!s->backend->take_counters || !c->step) return 0;
    // The kernel that computed the first rows of C comes first: add_kernel() takes the model's warp
    // states from the first kernel only.
    add_kernel(s->backend, contender_runner(c)->kernel, &t);
    add_contender(s->backend, c, &t);
    return outcome->finding ? 0 : t.count;
}

// Prints the backend's note if the counters in the file are likely to be misread.
static void note_counters(const struct session *s, const struct contender *c) {
    struct kernel *kernel = c->step ? contender_runner(c)->kernel : NULL;
    if (s->options->counters && s->backend->note_counters && kernel)
        s->backend->note_counters(kernel);
}

static bool write_counters(struct session *s, const struct result *r,
                           const struct counter *counters, int count) {
    char line[512];
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line, "%s,%s,%s,%s,%s,%lld,%lld,%lld,%s,%.15g", r->time, r->commit,
                 r->backend, r->step, r->variant, (long long)r->m, (long long)r->n, (long long)r->k,
                 counters[i].name, counters[i].value);
        if (!csv_append(s->counters, line)) return false;
    }
    return true;
}

void forget_counters(const struct backend *backend, const struct contender *c) {
    struct counter counters[MAX_COUNTERS];
    struct totals t = {.counters = counters};
    if (backend->take_counters) add_contender(backend, c, &t);
}

static const char *mode_name(const struct session *s, const struct outcome *outcome) {
    if (outcome->measurement.rounds == 0) return "check";
    return s->options->mode == TIME_SUSTAINED ? "sustained" : "burst";
}

static void fill_times(const struct session *s, const struct measurement *m, struct result *r) {
    const int lanes = s->element == FP64 ? s->info->lanes_64 : s->info->lanes;
    const double peak = 2e-6 * s->info->multiprocessors * lanes * s->info->clock_mhz; // in TFLOP/s
    r->ms_median = r->ms_min = r->ms_max = r->tflops = r->pct_peak = r->vs_cublas = r->sm_mhz =
        r->watts = NAN;
    r->rounds = m->rounds;
    if (m->rounds == 0) return;
    r->ms_median = m->ms_median;
    r->ms_min = m->ms_min;
    r->ms_max = m->ms_max;
    r->tflops = 2e-9 * (double)r->m * (double)r->n * (double)r->k / m->ms_median;
    r->pct_peak = 100 * r->tflops / peak;
    r->vs_cublas = m->vs_baseline;
    r->sm_mhz = m->clock_mhz;
    r->watts = m->watts;
}

// Returns the value of column `check` for a contender whose result on this problem was not checked.
static const char *check_of_trials(const struct session *s, const struct contender *c) {
    return s->options->check != CHECK_SMALL || !c->step ? "off"
           : c->failed_a_trial                          ? "fail"
                                                        : "small";
}

static struct result make_result(const struct session *s, const struct problem *p,
                                 const struct contender *c, const struct outcome *outcome,
                                 const struct outcome *baseline) {
    static char code[(CODE_DIGITS + 1) * 8];
    const struct contender *ran = contender_runner(c);
    contender_code(c, code, sizeof code);
    const bool known = ran->kernel != NULL;
    static char driver[sizeof s->info->driver + sizeof ", untried machine code"];
    const bool untried = ran->variant && is_untried(ran->variant, s->backend, s->info);
    snprintf(driver, sizeof driver, "%s%s", s->info->driver,
             untried ? "; untried machine code" : "");
    struct result r = {
        .time = time_now(),
        .commit = COMMIT,
        .backend = s->backend->name,
        .device = s->info->name,
        .driver = driver,
        .step = contender_step(c),
        .variant = contender_variant(c),
        .m = p->c.rows,
        .n = p->c.cols,
        .k = p->a.cols,
        .lda = p->a.ld,
        .ldb = p->b.ld,
        .ldc = p->c.ld,
        .alpha = p->alpha,
        .beta = p->beta,
        .mode = mode_name(s, outcome),
        .error_ratio = outcome->error_ratio,
        .check = !outcome->checked ? check_of_trials(s, c)
                 : outcome->passed ? "pass"
                                   : "fail",
        .registers = known ? ran->info.registers : -1,
        .shared_bytes = known ? ran->info.shared_bytes + ran->variant->shared_bytes : -1,
        .threads = known ? ran->variant->threads : -1,
        .blocks_per_sm = known ? ran->blocks_per_sm : -1,
        .gpus = 1,
        .error_rms = outcome->error_rms,
        .error_bias = outcome->error_bias,
        .cublas_error_max = s->has_baseline ? baseline->error_max : NAN,
        .cublas_error_rms = s->has_baseline ? baseline->error_rms : NAN,
        .inputs = inputs_names[p->plan.inputs],
        .code_hash = code,
    };
    fill_times(s, &outcome->measurement, &r);
    return r;
}

bool write_down(struct session *s, const struct problem *p, const struct outcome *outcomes) {
    char line[4096];
    struct counter counters[MAX_COUNTERS];
    for (int i = 0; i < s->count; i++) {
        const struct contender *c = &s->contenders[i];
        if (outcomes[i].left_out) continue;
        const struct counts counts = {counters, counters_of(s, c, &outcomes[i], counters),
                                      s->element, s->info->multiprocessors};
        const struct result result = make_result(s, p, c, &outcomes[i], &outcomes[0]);
        if (!result_line(&result, line, sizeof line))
            return say_error("%s/%s: its line of the CSV would be too long", result.step,
                             result.variant);
        if (!csv_append(s->csv, line) || !write_counters(s, &result, counters, counts.count))
            return false;
        note_counters(s, c);
        verdict_to_json(&result, outcomes[i].finding);
        if (s->options->check != CHECK_ONLY)
            report_result(&result, outcomes[i].finding, s->backend->timed ? NULL : &counts);
        const struct measurement *m = &outcomes[i].measurement;
        if (!clock_moved(m)) continue;
        say_error("note: %s/%s: the SM clock varied from %.0f to %.0f MHz while it was timed",
                  result.step, result.variant, m->clock_low, m->clock_high);
    }
    return true;
}
