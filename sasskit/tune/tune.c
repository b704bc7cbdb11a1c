// The search of `sass tune`. Each step makes random changes to a copy of the best kernel. The copy
// becomes the best if it passes sass lint, is faster, and has equal results (if the judge has any).
#include "tune.h"

#include "isa/encoding.h"
#include "judge.h"
#include "lint/lint.h"
#include "moves.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Numbers of timed rounds: QUICK for each candidate that passes sass lint; SLOW for one that QUICK
// found faster; WHOLE for the best kernel against the original, because some gains were luck.
enum { QUICK = 3, SLOW = 9, WHOLE = 25 };
enum { MOST_CHANGES = 3 };

struct search {
    const struct tune_options *options;
    const struct sass_cubin *cubin;
    const struct sass_kernel *kernel;
    struct judge judge;
    struct sass_cubin first, best; // copies: the original cubin, and the fastest one so far
    struct trial *expected;        // per trial: the results of the original kernel
    int opened;                    // number of trials that are open
    struct moves moves;
    struct sass_instruction *kept; // the code of the best kernel
    uint64_t random;
    double start;
    long drawn, legal, accepted;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool copy(struct sass_cubin *to, const struct sass_cubin *from, struct error *error) {
    return cubin_open_memory(to, from->path, from->bytes, from->size, error);
}

static bool is_sound(const struct sass_kernel *kernel, struct error *error) {
    return lint_kernel(&(struct lint_options){0}, kernel, error) == 0;
}

static void write_log(const struct search *s, const char *name, double gain) {
    if (!s->options->log) return;
    fprintf(s->options->log, "%.2f,%ld,%ld,%.3f,%s\n", now() - s->start, s->drawn, s->legal,
            100 * gain, name);
    fflush(s->options->log);
}

// Sets *gain to the speedup of s->cubin over the best cubin, minus 1; 0 if it is not faster or
// differs in its results.
static bool judge_now(struct search *s, double *gain, struct error *error) {
    const int rounds[] = {QUICK, SLOW};
    const struct judge_table *judge = s->judge.table;
    double ms[2];
    bool same = true;
    // A judge without results is deterministic, so one round suffices.
    for (int i = 0; i < (judge->same ? 2 : 1); i++) {
        if (!judge->compare(s->judge.state, &s->best, s->cubin, rounds[i], ms, error)) return false;
        *gain = ms[0] / ms[1] - 1;
        if (*gain < judge->least) return *gain = 0, true;
    }
    if (judge->same && !judge->same(s->judge.state, &s->first, s->cubin, &same, error))
        return false;
    if (!same) *gain = 0;
    return true;
}

// Tries one candidate: the best kernel with up to three changes.
static bool try_one(struct search *s, struct error *error) {
    char name[256] = "", part[80];
    const size_t bytes = (size_t)s->moves.count * sizeof *s->kept;
    int changes = 0;
    double gain = 0;
    memcpy(s->moves.code, s->kept, bytes);
    s->drawn++;
    for (int i = 0; i < MOST_CHANGES && (i == 0 || s->random >> 60 < 5); i++) {
        if (!moves_draw(&s->moves, &s->random, part, sizeof part)) continue;
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", changes++ ? "; " : "",
                 part);
    }
    if (!changes) return true;
    if (!moves_store(&s->moves, error)) return false;
    if (is_sound(s->kernel, error)) {
        s->legal++;
        if (!judge_now(s, &gain, error)) return false;
    }
    if (gain > 0) {
        memcpy(s->kept, s->moves.code, bytes);
        memcpy(s->best.bytes, s->cubin->bytes, s->cubin->size);
        s->accepted++;
        write_log(s, name, gain);
    } else {
        memcpy(s->cubin->bytes, s->best.bytes, s->best.size);
    }
    return true;
}

// --- the simulator -------------------------------------------------------------------------------

static int trial_count(const struct tune_options *o) {
    return o->trial_count ? o->trial_count : 1;
}

static const char *trial_text(const struct tune_options *o, int i) {
    return o->trial_count ? o->trials[i] : o->problem;
}

// Runs every trial with the original kernel. A kernel that fails a trial cannot be tuned.
static bool run_first(struct search *s, struct error *error) {
    const int count = trial_count(s->options);
    struct error why = {0};
    s->expected = calloc((size_t)count, sizeof *s->expected);
    for (int i = 0; s->expected && i < count; i++) {
        if (!trial_open(&s->expected[s->opened++], trial_text(s->options, i), error)) return false;
        if (!trial_run(&s->expected[i], s->first.bytes, s->first.size, s->kernel->name, &why))
            return error_say(error, why.misuse,
                             "the unchanged kernel fails on trial %d in the simulator: %s", i + 1,
                             why.message);
    }
    return s->expected || error_fail(error, "not enough host memory");
}

static bool same_in_simulator(const struct search *s, int i, struct error *error) {
    struct error why = {0};
    struct trial now;
    const char *text = trial_text(s->options, i);
    bool good = trial_open(&now, text, &why) &&
                trial_run(&now, s->cubin->bytes, s->cubin->size, s->kernel->name, &why);
    if (good && !trial_same(&s->expected[i], &now))
        good = error_fail(&why, "the result has other bits in the simulator: a fault of tune");
    if (!good) error_fail(error, "%s: %s", why.message, text);
    trial_close(&now);
    return good;
}

static bool check_all(const struct search *s, struct error *error) {
    for (int i = 0; i < trial_count(s->options); i++) {
        if (!same_in_simulator(s, i, error)) return false;
    }
    return true;
}

static bool finish(struct search *s, struct error *error) {
    double ms[2];
    const struct judge_table *judge = s->judge.table;
    if (!judge->compare(s->judge.state, &s->first, s->cubin, WHOLE, ms, error)) return false;
    const bool faster = ms[0] / ms[1] - 1 >= judge->least;
    fprintf(s->options->out,
            "%s: %ld drawn, %ld legal, %ld kept in %.1f s by %s: %.4f ms -> %.4f ms, %+.2f %%\n",
            s->kernel->name, s->drawn, s->legal, s->accepted, now() - s->start,
            judge->title(s->judge.state), ms[0], ms[1], 100 * (ms[0] / ms[1] - 1));
    if (!faster) {
        fprintf(s->options->out, "%s: as a whole not faster: left as it was\n", s->kernel->name);
        memcpy(s->cubin->bytes, s->first.bytes, s->first.size);
        return true;
    }
    return check_all(s, error);
}

static bool open_search(struct search *s, struct error *error) {
    if (!is_sound(s->kernel, error))
        return error_fail(error, "sass lint has findings in the kernel, and tune changes sound "
                                 "kernels only: run `sass lint`");
    const struct tune_options *o = s->options;
    if (!moves_open(&s->moves, s->kernel, error)) return false;
    if (!copy(&s->first, s->cubin, error) || !copy(&s->best, s->cubin, error) ||
        !run_first(s, error))
        return false;
    uint64_t *issued =
        judge_counts(trial_text(o, 0), s->cubin, s->kernel->name, s->kernel->count, error);
    const bool opened = issued && moves_choose(&s->moves, issued, error);
    free(issued);
    if (!opened) return false;
    s->kept = malloc((size_t)(s->moves.count + 1) * sizeof *s->kept);
    if (!s->kept) return error_fail(error, "not enough host memory");
    memcpy(s->kept, s->moves.code, (size_t)s->moves.count * sizeof *s->kept);
    return judge_open(&s->judge, o->judges, o->judge, o->problem, s->cubin, s->kernel->name, error);
}

bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin,
                 struct sass_kernel *kernel, struct error *error) {
    struct search s = {
        .options = options, .cubin = cubin, .kernel = kernel, .random = options->seed};
    bool good = open_search(&s, error);
    s.start = now();
    if (good && options->log) fprintf(options->log, "seconds,drawn,legal,gain_percent,change\n");
    while (good && now() - s.start < options->seconds) good = try_one(&s, error);
    if (good) good = finish(&s, error);
    if (!good && s.first.bytes) memcpy(cubin->bytes, s.first.bytes, s.first.size);
    judge_close(&s.judge);
    for (int i = 0; i < s.opened; i++) trial_close(&s.expected[i]);
    free(s.expected);
    free(s.kept);
    moves_close(&s.moves);
    cubin_close(&s.first);
    cubin_close(&s.best);
    return good;
}
