// Runs a session's contenders on a problem, for checks or only for counters.
#include "interrupt.h"
#include "outcome.h"
#include "report.h"
#include "say.h"
#include "tune.h"

#include <math.h>
#include <stdio.h>

// Repeats the launch of a correct contender (--repeat). Sets *same to true if all launches give
// equal bits. Returns false with backend_error() if one fails.
static bool check_repeats(const struct session *s, struct problem *p, struct contender *c,
                          bool *same) {
    uint64_t first, again;
    *same = true;
    if (s->options->repeat > 1 && !problem_digest(p, &first)) return false;
    for (int i = 1; *same && i < s->options->repeat; i++) {
        if (!problem_restore(p) || !contender_launch(c, p) || !problem_digest(p, &again))
            return false;
        *same = first == again;
        if (!*same) {
            say_error("%s/%s fails at %lldx%lldx%lld: launch %d gives other bits than launch 1",
                      contender_step(c), contender_variant(c), (long long)p->c.rows,
                      (long long)p->c.cols, (long long)p->a.cols, i + 1);
        }
    }
    return true;
}

static bool cannot_go_on(const struct problem *p, const struct contender *c) {
    if (interrupt_seen()) return false;
    return say_error("%s/%s at %lldx%lldx%lld: %s", contender_step(c), contender_variant(c),
                     (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols,
                     backend_error());
}

// Handles a failed launch. If the simulator reported a fault of the kernel, the launch counts as a
// failed check and the run continues with the other contenders. Otherwise returns false.
static bool blame(struct session *s, const struct problem *p, struct contender *c,
                  struct outcome *outcome) {
    if (!backend_finding()) return cannot_go_on(p, c);
    outcome->finding = backend_finding();
    outcome->checked = true;
    outcome->passed = false;
    c->checks++;
    c->failures++;
    s->failures++;
    say_error("%s/%s fails at %lldx%lldx%lld: %s, reported above", contender_step(c),
              contender_variant(c), (long long)p->c.rows, (long long)p->c.cols,
              (long long)p->a.cols, backend_finding());
    report_contract(c, false);
    return true;
}

// Sets the variant's own error limits for these operands, if any. Sets *wrong to a message if the
// passes decided wrongly (extras.h). Returns false with backend_error() on failure.
static bool ask_limit(const struct session *s, struct problem *p, const struct contender *c,
                      const char **wrong) {
    uint8_t scratch[SCRATCH_HEAD_BYTES];
    p->expectation.own_limit = p->expectation.norm_bound = p->expectation.rms_factor = 0;
    c = contender_runner(c);
    const struct extras *more = extras_of(c->variant);
    const struct accuracy *accuracy = &more->accuracy;
    if ((!accuracy->limit && !accuracy->norm_limit) || p->c.rows == 0 || p->c.cols == 0)
        return true;
    if (more->passes.pass && !s->backend->to_host(scratch, c->workspace.buffer, sizeof scratch))
        return false;
    if (!problem_extents(p)) return backend_fail("not enough host memory");
    const struct operands operands = {contender_situation(c, p), p->rows, p->cols,
                                      more->passes.pass ? scratch : NULL};
    if (accuracy->limit) p->expectation.own_limit = accuracy->limit(&operands, wrong);
    if (!accuracy->norm_limit) return true;
    const double norm = accuracy->norm_limit(&operands, more->composed.levels);
    p->expectation.norm_bound = isinf(norm) ? norm : fabs(p->alpha) * norm;
    // Strassen's kernels round sums of quarter matrices before they multiply them. This matters
    // more if K is small: two levels of recursion were measured to need an rms_factor of 4.8 if K
    // is 3, and of 2.4 if K is 60.
    p->expectation.rms_factor = exp2(more->composed.levels) * (1 + 8 / fmax(1, (double)p->a.cols));
    return true;
}

bool check_one(struct session *s, struct problem *p, struct contender *c, struct outcome *outcome) {
    struct verdict verdict;
    bool same = true;
    const char *wrong = NULL;
    p->expectation.lost = extras_of(c->variant)->accuracy.loss;
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
    if (verdict.error_ratio > c->worst_ratio && !isinf(p->expectation.own_limit))
        c->worst_ratio = verdict.error_ratio;
    if (outcome->passed) return true;
    c->failures++;
    s->failures++;
    if (verdict.fault_count > 0) report_faults(c, p, &verdict);
    if (wrong) report_wrong(c, p, wrong);
    return true;
}

// Returns true if the contender's result is checked. cuBLAS is not checked with special inputs: as
// BLAS allows, it does not read their NaNs if alpha is 0.
static bool is_checked(const struct session *s, const struct contender *c) {
    const bool wanted = s->options->check == CHECK_ON || s->options->check == CHECK_ONLY;
    return wanted && (c->step || s->options->inputs != INPUTS_SPECIAL);
}

// Launches a contender that is not checked, if the backend has counters but no times. (A backend
// with times launches every contender anyway.)
static bool count_one(struct session *s, struct problem *p, struct contender *c,
                      struct outcome *outcome) {
    if (!s->backend->take_counters || s->backend->timed || !c->step) return true;
    if (!problem_restore(p)) return cannot_go_on(p, c);
    return contender_launch(c, p) || blame(s, p, c, outcome);
}

// Appends a digest of C for --digest, to compare the bits with those of another backend.
static bool write_digest(const struct session *s, struct problem *p, const struct contender *c) {
    char line[512];
    uint64_t digest;
    if (!s->options->digests || !c->step) return true;
    if (!problem_digest(p, &digest)) return cannot_go_on(p, c);
    snprintf(line, sizeof line,
             "%s,%s,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%.9g,%.9g,%s,%llu,%016llx",
             contender_step(c), contender_variant(c), (long long)p->c.rows, (long long)p->c.cols,
             (long long)p->a.cols, (long long)p->a.ld, (long long)p->b.ld, (long long)p->c.ld,
             (long long)p->a.shift, (long long)p->b.shift, (long long)p->c.shift, p->alpha, p->beta,
             inputs_names[p->plan.inputs], (unsigned long long)p->plan.seed,
             (unsigned long long)digest);
    return csv_append(s->digests, line);
}

// Returns true if the tuned baseline has an algorithm for this problem; may print why not.
static bool is_tuned(struct session *s, struct problem *p, struct contender *c) {
    const bool empty = p->c.rows == 0 || p->c.cols == 0 || p->a.cols == 0;
    if (s->untunable || empty) return false;
    const enum tuned found = tune_baseline(c, p);
    s->untunable = found == TUNED_NOWHERE;
    if (s->untunable) say_error("note: no tuned baseline: %s", backend_error());
    if (found == TUNED_NONE && !interrupt_seen())
        say_error(
            "note: no tuned baseline at %lldx%lldx%lld: cublasLt offers no algorithm that runs",
            (long long)p->c.rows, (long long)p->c.cols, (long long)p->a.cols);
    return found == TUNED;
}

// Returns false if a chooser that may choose this variant expects it to be slow for the problem.
static bool is_candidate(const struct contender *c, const struct problem *p) {
    const struct step_table table = linked_steps();
    const struct choice choice = {c->step, c->variant};
    const struct situation situation = contender_situation(c, p);
    for (int i = 0; i < table.count; i++) {
        for (const struct variant *v = table.steps[i]->variants; v->name; v++) {
            const struct chooser *chooser = &extras_of(v)->choice;
            if (chooser->is_candidate && chooses_from(v, &choice))
                return chooser->is_candidate(&situation, c->variant->name, c->blocks.parts);
        }
    }
    return true;
}

// Returns true if the contender runs on this problem. --candidates and tuning may exclude it.
static bool is_wanted(struct session *s, struct problem *p, struct contender *c) {
    if (c->tuned) return is_tuned(s, p, c);
    return !s->options->candidates || !c->variant || is_candidate(c, p);
}

bool check_all(struct session *s, struct problem *p, struct outcome *outcomes) {
    for (int i = 0; i < s->count; i++) {
        struct contender *c = &s->contenders[i];
        outcomes[i] = (struct outcome){
            .error_ratio = NAN, .error_max = NAN, .error_rms = NAN, .error_bias = NAN};
        outcomes[i].left_out = !is_wanted(s, p, c);
        if (interrupt_seen()) return false;
        if (outcomes[i].left_out) continue;
        if (!(is_checked(s, c) ? check_one(s, p, c, &outcomes[i])
                               : count_one(s, p, c, &outcomes[i])))
            return false;
        if (is_checked(s, c) && !write_digest(s, p, c)) return false;
        outcomes[i].passed &= !c->failed_a_trial;
    }
    return true;
}
