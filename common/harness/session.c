// A whole run on an open backend.
#include "session.h"
#include "commit.h" // COMMIT, made by the Makefile
#include "draw.h"
#include "forecast.h"
#include "interrupt.h"
#include "report.h"
#include "say.h"
#include "timing.h"
#include "trials.h"
#include "tune.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shape timed_shapes[] = {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}};
static const struct shape counted_shapes[] = {{512, 512, 512}}; // seconds on a simulator

// What became of one contender on one problem.
struct outcome {
    bool left_out; // it is no candidate
    bool checked, passed;
    const char *finding; // what the engine reported the kernel for, "race"; NULL: nothing
    double error_ratio, error_max, error_rms, error_bias;
    struct measurement measurement;
};

// The contenders that are timed, and the problem they run on: what the race's callbacks get.
struct track {
    const struct session *session;
    struct problem *problem;
    int *runners;                     // (count) indices of contenders
    const struct contender *launched; // the latest
};

// The newest contender with each number of --parts, where it can: several are forms of their own, with a name each.
static void add_forms(struct session *s) {
    const struct options *o = s->options;
    const struct contender first = s->contenders[s->count - 1];
    if (o->part_count == 0 || first.variant->slots == 0) return;
    for (int i = 0; i < o->part_count; i++) {
        struct contender *c = &s->contenders[i == 0 ? s->count - 1 : s->count++];
        *c = first;
        c->borrows = i > 0;
        c->blocks.parts = o->parts[i];
        if (o->part_count > 1) snprintf(c->label, sizeof c->label, "%s:%d", first.variant->name, o->parts[i]);
    }
}

bool session_open(struct session *s, const char *folder, const struct choice *choices, int choice_count) {
    const bool timed = s->backend->timed && s->options->check != CHECK_ONLY;
    s->has_baseline = timed && s->options->baseline && *s->info->baseline;
    if (*s->info->baseline_note && s->options->baseline) complain("%s", s->info->baseline_note);
    const int forms = s->options->part_count > 1 ? s->options->part_count : 1;
    s->contenders = calloc((size_t)choice_count * (size_t)forms + 2, sizeof *s->contenders);
    s->tile_rows = calloc((size_t)choice_count + 1, sizeof *s->tile_rows);
    if (!s->contenders || !s->tile_rows) return complain("not enough host memory");
    s->staging.backend = s->backend;
    s->contenders[0].element = s->contenders[1].element = s->element;
    s->contenders[1].default_math = s->options->baseline == BASELINE_BOTH;
    s->contenders[1].tuned = s->options->baseline == BASELINE_TUNED;
    s->count = !s->has_baseline ? 0 : s->options->baseline > BASELINE_ON && s->element == FP32 ? 2 : 1;
    for (int i = 0; i < choice_count; i++) {
        struct contender *c = &s->contenders[s->count];
        if (!contender_load(c, s->backend, s->info, folder, &choices[i])) { // the others run all the same
            contender_unload(c, s->backend);
            s->unloaded++;
            continue;
        }
        s->count++;
        s->tile_rows[s->tile_count++] = choices[i].variant->block_m;
        s->textures |= choices[i].variant->textures;
        add_forms(s);
    }
    return s->unloaded < choice_count;
}

void session_close(struct session *s) {
    for (int i = 0; i < s->count; i++) contender_unload(&s->contenders[i], s->backend);
    staging_free(&s->staging);
    free(s->contenders);
    free(s->tile_rows);
}

// Launches again what was found right, `repeat` times in all, and compares bits. False with backend_error().
static bool check_repeats(const struct session *s, struct problem *p, struct contender *c, bool *same) {
    uint64_t first, again;
    *same = true;
    if (s->options->repeat > 1 && !problem_digest(p, &first)) return false;
    for (int i = 1; *same && i < s->options->repeat; i++) {
        if (!problem_restore(p) || !contender_launch(c, p) || !problem_digest(p, &again)) return false;
        *same = first == again;
        if (!*same) {
            complain("%s/%s fails at %lldx%lldx%lld: launch %d gives other bits than the first", contender_step(c),
                     contender_variant(c), (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols, i + 1);
        }
    }
    return true;
}

static bool cannot_go_on(const struct problem *p, const struct contender *c) {
    if (interrupted()) return false;
    return complain("%s/%s at %lldx%lldx%lld: %s", contender_step(c), contender_variant(c), (long long)p->c.rows,
                    (long long)p->c.cols, (long long)p->a.cols, backend_error());
}

// After a failed launch: a kernel that was reported counts as one that failed its check, and the run goes on with the others.
// False when it was not the kernel's fault.
static bool blame(struct session *s, const struct problem *p, struct contender *c, struct outcome *outcome) {
    if (!backend_finding()) return cannot_go_on(p, c);
    outcome->finding = backend_finding();
    outcome->checked = true;
    outcome->passed = false;
    c->checks++;
    c->failures++;
    s->failures++;
    complain("%s/%s fails at %lldx%lldx%lld: %s", contender_step(c), contender_variant(c), (long long)p->c.rows,
             (long long)p->c.cols, (long long)p->a.cols, backend_error());
    return true;
}

// The limit that the variant states for these operands, when it has one of its own; *wrong: what its scratch memory says that does
// not fit them, if it does. False with backend_error().
static bool ask_limit(const struct session *s, struct problem *p, const struct contender *c, const char **wrong) {
    uint8_t scratch[SCRATCH_HEAD_BYTES];
    p->expectation.own = p->expectation.norm = p->expectation.spread = 0;
    c = contender_runner(c);
    const struct variant *v = c->variant;
    if (!v || (!v->accuracy.limit && !v->accuracy.norm_limit) || p->c.rows == 0 || p->c.cols == 0) return true;
    if (v->phased.phases && !s->backend->to_host(scratch, c->workspace.buffer, sizeof scratch)) return false;
    if (!problem_extents(p)) return backend_fail("not enough host memory");
    const struct operands operands = {contender_situation(c, p), p->rows, p->cols, v->phased.phases ? scratch : NULL};
    if (v->accuracy.limit) p->expectation.own = v->accuracy.limit(&operands, wrong);
    if (!v->accuracy.norm_limit) return true;
    const double norm = v->accuracy.norm_limit(&operands, v->composed.levels);
    p->expectation.norm = isinf(norm) ? norm : fabs(p->alpha) * norm;
    p->expectation.spread = exp2(v->composed.levels);
    return true;
}

// Runs one contender once and compares; false when the run cannot go on.
static bool check_one(struct session *s, struct problem *p, struct contender *c, struct outcome *outcome) {
    struct verdict verdict;
    bool same = true;
    const char *wrong = NULL;
    p->expectation.lost = c->variant ? c->variant->accuracy.loses : 0;
    if (!problem_restore(p)) return cannot_go_on(p, c);
    if (!contender_launch(c, p)) return blame(s, p, c, outcome);
    if (!ask_limit(s, p, c, &wrong)) return cannot_go_on(p, c);
    if (!problem_check(p, &verdict)) return cannot_go_on(p, c);
    if (verdict.fault_count == 0 && !check_repeats(s, p, c, &same)) return blame(s, p, c, outcome);
    outcome->checked = true;
    outcome->passed = verdict.fault_count == 0 && same && !wrong;
    outcome->error_ratio = verdict.error_ratio;
    outcome->error_max = verdict.error_max;
    outcome->error_rms = verdict.error_rms;
    outcome->error_bias = verdict.error_bias;
    c->checks++;
    if (verdict.error_ratio > c->worst_ratio && !isinf(p->expectation.own)) c->worst_ratio = verdict.error_ratio;
    if (outcome->passed) return true;
    c->failures++;
    s->failures++;
    if (verdict.fault_count > 0) report_faults(c, p, &verdict);
    if (wrong) report_wrong(c, p, wrong);
    return true;
}

// cuBLAS skips A and B when alpha is 0, as BLAS allows, so special inputs are no test of it.
static bool is_checked(const struct session *s, const struct contender *c) {
    return s->options->check != CHECK_OFF && (c->step || s->options->inputs != INPUTS_SPECIAL);
}

// A backend that counts has to run every kernel once, checked or not; one with times runs it for those.
static bool count_one(struct session *s, struct problem *p, struct contender *c, struct outcome *outcome) {
    if (!s->backend->take_counters || s->backend->timed || !c->step) return true;
    if (!problem_restore(p)) return cannot_go_on(p, c);
    return contender_launch(c, p) || blame(s, p, c, outcome);
}

// The bits of C, so that they can be held against those of another backend. NaN is NaN: both have the same.
static bool write_digest(const struct session *s, struct problem *p, const struct contender *c) {
    char line[512];
    uint64_t digest;
    if (!s->options->digests || !c->step) return true;
    if (!problem_digest(p, &digest)) return cannot_go_on(p, c);
    snprintf(line, sizeof line, "%s,%s,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%.9g,%.9g,%s,%llu,%016llx",
             contender_step(c), contender_variant(c), (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols,
             (long long)p->a.ld, (long long)p->b.ld, (long long)p->c.ld, (long long)p->a.shift, (long long)p->b.shift,
             (long long)p->c.shift, p->alpha, p->beta, inputs_names[p->plan.inputs], (unsigned long long)p->plan.seed,
             (unsigned long long)digest);
    return csv_append(s->digests, line);
}

// Whether the tuned baseline has an algorithm for this problem; says why it has none.
static bool is_tuned(struct session *s, struct problem *p, struct contender *c) {
    const bool empty = p->c.rows == 0 || p->c.cols == 0 || p->a.cols == 0;
    if (s->untunable || empty) return false;
    const enum tuned found = tune(c, p);
    s->untunable = found == TUNED_NOWHERE;
    if (s->untunable) complain("note: no tuned baseline: %s", backend_error());
    if (found == TUNED_NONE && !interrupted())
        complain("note: no tuned baseline at %lldx%lldx%lld: cublasLt offers no algorithm that runs",
                 (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols);
    return found == TUNED;
}

// Whether it runs on this problem: where candidates are asked for, not all do.
static bool is_wanted(struct session *s, struct problem *p, struct contender *c) {
    if (c->tuned) return is_tuned(s, p, c);
    if (!s->options->candidates || !c->step || !c->step->is_candidate || variant_chooses(c->variant)) return true;
    const struct situation situation = contender_situation(c, p);
    return c->step->is_candidate(&situation, c->variant->name, c->blocks.parts);
}

static bool check_all(struct session *s, struct problem *p, struct outcome *outcomes) {
    for (int i = 0; i < s->count; i++) {
        struct contender *c = &s->contenders[i];
        outcomes[i] = (struct outcome){.error_ratio = NAN, .error_max = NAN, .error_rms = NAN, .error_bias = NAN};
        outcomes[i].left_out = !is_wanted(s, p, c);
        if (interrupted()) return false;
        if (outcomes[i].left_out) continue;
        if (!(is_checked(s, c) ? check_one(s, p, c, &outcomes[i]) : count_one(s, p, c, &outcomes[i]))) return false;
        if (is_checked(s, c) && !write_digest(s, p, c)) return false;
        outcomes[i].passed &= !c->failed_a_trial;
    }
    return true;
}

// What the backend counted of one kernel on one problem; returns how many counters. A launch that was cut short counts nothing.
static int counters_of(const struct session *s, const struct contender *c, const struct outcome *outcome,
                       struct counter counters[MAX_COUNTERS]) {
    struct kernel *kernel = c->step ? contender_runner(c)->kernel : NULL;
    if (!s->backend->take_counters || !kernel) return 0;
    const int count = s->backend->take_counters(kernel, counters, MAX_COUNTERS);
    return outcome->finding ? 0 : count;
}

static bool write_counters(struct session *s, const struct result *r, const struct counter *counters, int count) {
    char line[512];
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line, "%s,%s,%s,%s,%s,%lld,%lld,%lld,%s,%.15g", r->time, r->commit, r->backend, r->step,
                 r->variant, (long long)r->m, (long long)r->n, (long long)r->k, counters[i].name, counters[i].value);
        if (!csv_append(s->counters, line)) return false;
    }
    return true;
}

static bool prepare_runner(void *context, int runner) {
    const struct track *track = context;
    (void)runner;
    return track->problem->beta == 0 || problem_restore(track->problem);
}

static bool launch_runner(void *context, int runner) {
    struct track *track = context;
    struct contender *c = &track->session->contenders[track->runners[runner]];
    track->launched = c;
    return contender_launch(c, track->problem);
}

// Times what was not found wrong.
static bool time_all(struct session *s, struct problem *p, struct outcome *outcomes) {
    int runners[s->count];
    struct measurement measurements[s->count];
    struct track track = {s, p, runners, &s->contenders[0]};
    struct race race = {.backend = s->backend,
                        .baseline = -1,
                        .rounds = s->options->rounds,
                        .sustained_seconds = s->sustained_seconds,
                        .prepare = prepare_runner,
                        .launch = launch_runner,
                        .context = &track};
    for (int i = 0; i < s->count; i++) {
        if (outcomes[i].left_out || (outcomes[i].checked && !outcomes[i].passed)) continue;
        if (i == 0 && s->has_baseline) race.baseline = race.count;
        runners[race.count++] = i;
    }
    const bool sustained = s->options->mode == TIME_SUSTAINED;
    if (!(sustained ? race_sustained : race_burst)(&race, measurements)) {
        return !interrupted() && complain("while timing %s/%s: %s", contender_step(track.launched),
                                          contender_variant(track.launched), backend_error());
    }
    for (int i = 0; i < race.count; i++) outcomes[runners[i]].measurement = measurements[i];
    return true;
}

static const char *mode_name(const struct session *s, const struct outcome *outcome) {
    if (outcome->measurement.rounds == 0) return "check";
    return s->options->mode == TIME_SUSTAINED ? "sustained" : "burst";
}

static void fill_times(const struct session *s, const struct measurement *m, struct result *r) {
    const int lanes = s->element == FP64 ? s->info->lanes_64 : s->info->lanes;
    const double peak = 2e-6 * s->info->multiprocessors * lanes * s->info->clock_mhz; // TFLOP/s
    r->ms_median = r->ms_min = r->ms_max = r->tflops = r->pct_peak = r->vs_cublas = r->sm_mhz = r->watts = NAN;
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

static struct result make_result(const struct session *s, const struct problem *p, const struct contender *c,
                                 const struct outcome *outcome, const struct outcome *baseline) {
    const struct contender *ran = contender_runner(c);
    const bool known = ran->kernel != NULL;
    struct result r = {
        .time = time_now(),
        .commit = COMMIT,
        .backend = s->backend->name,
        .device = s->info->name,
        .driver = s->info->driver,
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
        .check = !outcome->checked ? "off"
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
    };
    fill_times(s, &outcome->measurement, &r);
    return r;
}

// Writes down what was found for one problem: the CSV, the table, and a clock that moved.
static bool write_down(struct session *s, const struct problem *p, const struct outcome *outcomes) {
    char line[4096];
    struct counter counters[MAX_COUNTERS];
    for (int i = 0; i < s->count; i++) {
        const struct contender *c = &s->contenders[i];
        if (outcomes[i].left_out) continue;
        const struct counts counts = {counters, counters_of(s, c, &outcomes[i], counters), s->element,
                                      s->info->multiprocessors};
        const struct result result = make_result(s, p, c, &outcomes[i], &outcomes[0]);
        if (!result_line(&result, line, sizeof line)) return complain("a line of the CSV is too long");
        if (!csv_append(s->csv, line) || !write_counters(s, &result, counters, counts.count)) return false;
        if (s->options->check != CHECK_ONLY)
            report_result(&result, outcomes[i].finding, s->backend->timed ? NULL : &counts);
        const struct measurement *m = &outcomes[i].measurement;
        if (!clock_moved(m)) continue;
        complain("note: the SM clock moved between %.0f and %.0f MHz while %s/%s was timed", m->clock_low,
                 m->clock_high, result.step, result.variant);
    }
    return true;
}

// One alpha and beta on one problem: check, time, write down.
static bool run_case(struct session *s, struct problem *p, double alpha, double beta) {
    struct outcome outcomes[s->count];
    const bool empty = p->c.rows == 0 || p->c.cols == 0 || p->a.cols == 0;
    if (!problem_set(p, alpha, beta) || !check_all(s, p, outcomes)) return false;
    if (s->options->check != CHECK_ONLY && s->backend->timed && !empty && !time_all(s, p, outcomes)) return false;
    return write_down(s, p, outcomes);
}

static bool run_cases(struct session *s, struct problem *p) {
    const struct options *o = s->options;
    for (int a = 0; a < o->alpha_count; a++) {
        for (int b = 0; b < o->beta_count; b++) {
            if (!run_case(s, p, o->alphas[a], o->betas[b])) return false;
        }
    }
    return problem_inputs_intact(p) || complain("%s", backend_error());
}

// What a problem is made of; `check`: with a reference.
static struct problem_plan plan_of(const struct session *s, struct shape shape, const struct layout *layout,
                                   bool check) {
    return (struct problem_plan){.element = s->element,
                                 .shape = shape,
                                 .layout = *layout,
                                 .inputs = (enum inputs)s->options->inputs,
                                 .check = check,
                                 .baseline = *s->info->baseline != '\0' && s->options->baseline,
                                 .textures = s->textures,
                                 .seed = s->options->seed,
                                 .tile_rows = s->tile_rows,
                                 .tile_count = s->tile_count};
}

static bool run_problem(struct session *s, struct shape shape, const struct layout *layout) {
    if (!shape_is_sane(s->options->shape_count > 0 ? "--shape" : "--size", &shape, layout)) return false;
    const struct problem_plan plan = plan_of(s, shape, layout, s->options->check != CHECK_OFF);
    struct problem problem;
    const bool done = problem_open(&problem, s->backend, &s->staging, s->info, &plan) && run_cases(s, &problem);
    problem_close(&problem);
    return done;
}

// The problems that are run.
static int problem_shapes(const struct session *s, const struct shape **shapes) {
    const struct options *o = s->options;
    *shapes = o->shape_count > 0 ? o->shapes : s->backend->timed ? timed_shapes : counted_shapes;
    return o->shape_count > 0
               ? o->shape_count
               : (int)((s->backend->timed ? sizeof timed_shapes : sizeof counted_shapes) / sizeof *timed_shapes);
}

// One drawn problem; says how to repeat it when somebody fails.
static bool run_drawn(struct session *s, int64_t number) {
    const struct drawn drawn = draw_problem(s->options->seed, number);
    const long failures = s->failures;
    char again[512];
    struct problem_plan plan = plan_of(s, drawn.shape, &drawn.layout, true);
    plan.inputs = drawn.inputs;
    plan.seed = drawn.seed;
    struct problem problem;
    bool done = problem_open(&problem, s->backend, &s->staging, s->info, &plan) &&
                run_case(s, &problem, drawn.alpha, drawn.beta);
    done = done && (problem_inputs_intact(&problem) || complain("%s", backend_error()));
    problem_close(&problem);
    describe_drawn(&drawn, again, sizeof again);
    if (s->failures > failures || !done) complain("problem %lld again: %s", (long long)number, again);
    return done;
}

static bool run_random(struct session *s) {
    for (int64_t i = 0; i < s->options->random; i++) {
        if (!run_drawn(s, i)) return false;
    }
    return true;
}

static bool run_problems(struct session *s) {
    const struct options *o = s->options;
    const struct shape *shapes;
    const int count = problem_shapes(s, &shapes);
    for (int i = 0; i < count; i++) {
        for (int l = 0; l < o->layout_count; l++) {
            if (!run_problem(s, shapes[i], &o->layouts[l])) return false;
        }
    }
    return true;
}

// Whether C, of inputs below 1, stays below the largest float.
static bool factors_fit(const struct session *s) {
    const struct options *o = s->options;
    const struct shape *shapes;
    const int count = problem_shapes(s, &shapes);
    for (int i = 0; s->element == FP32 && i < count * o->alpha_count * o->beta_count; i++) {
        const double alpha = o->alphas[i / count % o->alpha_count], beta = o->betas[i / count / o->alpha_count];
        const int k = shapes[i % count].k;
        if (fabs(alpha) * k + fabs(beta) <= FLT_MAX / 2) continue;
        return complain("--alpha %g --beta %g: at K = %d C may pass the largest float, 3.4e38: choose smaller factors",
                        alpha, beta, k);
    }
    return true;
}

// What the device counted so far is forgotten.
static void forget_counters(const struct session *s, const struct contender *c) {
    struct counter counters[MAX_COUNTERS];
    if (!s->backend->take_counters) return;
    if (c->kernel) s->backend->take_counters(c->kernel, counters, MAX_COUNTERS);
    for (int i = 0; i < c->other_count; i++) forget_counters(s, &c->others[i]);
}

static bool same_trials(const struct variant *a, const struct variant *b) {
    return a->block_m == b->block_m && a->block_n == b->block_n && variant_chooses(a) == variant_chooses(b) &&
           a->row == b->row && a->persistent == b->persistent && !a->slots == !b->slots &&
           (a->accuracy.loses > 0) == (b->accuracy.loses > 0);
}

// Checks a contender on a trial's problem, with as many blocks as the trial wants.
static bool try_one(struct session *s, struct problem *p, struct contender *c, const struct trial *t) {
    const struct blocks blocks = c->blocks;
    struct outcome outcome;
    if (t->parts) c->blocks.parts = t->parts;
    if (t->blocks) c->blocks.at_once = t->blocks;
    const bool done = check_one(s, p, c, &outcome);
    c->blocks = blocks;
    if (done && !outcome.passed) c->failed_a_trial = true;
    return done;
}

// A trial, on one problem, of all contenders that have the first one's tile.
static bool run_trial(struct session *s, const struct trial *t, struct contender *first) {
    struct problem_plan plan = {
        .element = s->element, .check = true, .textures = s->textures, .seed = s->options->seed};
    struct problem p;
    trial_plan(t, first->variant, s->info, &plan);
    if (!trial_is_for(t, first->variant) || !trial_fits(&plan, s->info)) return true;
    bool done = problem_open(&p, s->backend, &s->staging, s->info, &plan) && problem_set(&p, t->alpha, t->beta);
    for (struct contender *c = first; done && c < s->contenders + s->count; c++) {
        if (same_trials(c->variant, first->variant) && !c->failed_a_trial)
            done = !interrupted() && try_one(s, &p, c, t);
    }
    done = done && (problem_inputs_intact(&p) || complain("%s", backend_error()));
    problem_close(&p);
    return done;
}

// All trials of all contenders, those with one tile together. Digests are of the problems that are asked for: no trials then.
static bool run_trials(struct session *s) {
    const bool wanted = s->options->check != CHECK_OFF && !s->options->digests;
    for (int i = 0; wanted && i < s->count; i++) {
        struct contender *c = &s->contenders[i];
        bool first = c->step != NULL;
        for (int j = 0; first && j < i; j++) {
            first = !s->contenders[j].step || !same_trials(s->contenders[j].variant, c->variant);
        }
        for (int t = 0; first && t < trial_count; t++) {
            if (!run_trial(s, &trials[t], c)) return false;
        }
    }
    for (int i = 0; i < s->count; i++) forget_counters(s, &s->contenders[i]);
    return true;
}

int session_run(struct session *s) {
    const struct shape *shapes;
    const int count = problem_shapes(s, &shapes);
    if (!factors_fit(s)) return EXIT_USAGE;
    const struct layout plain = {0};
    const struct problem_plan plan = plan_of(s, *shapes, &plain, false);
    const struct forecast asked = {s->options, s->backend, s->info, &s->staging, plan, s->contenders, s->count};
    if (!forecast(&asked, shapes, count)) return interrupted() ? EXIT_INTERRUPTED : EXIT_USAGE;
    const bool done = run_trials(s) && (s->options->random ? run_random(s) : run_problems(s));
    if (s->options->check == CHECK_ONLY) report_checks(s->contenders, s->count);
    if (interrupted()) {
        complain("interrupted%s%s", s->csv->lines ? "; what was measured before is whole in " : "",
                 s->csv->lines ? s->csv->path : "");
        return EXIT_INTERRUPTED;
    }
    if (s->failures > 0) complain("%ld checks failed", s->failures);
    if (s->unloaded > 0) complain("%d variants did not load (messages above)", s->unloaded);
    return done && s->failures == 0 && s->unloaded == 0 ? EXIT_GOOD : EXIT_FAILED;
}
