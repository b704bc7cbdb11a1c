// Runs every chosen variant on every problem.
#include "session.h"
#include "draw.h"
#include "forecast.h"
#include "interrupt.h"
#include "outcome.h"
#include "report.h"
#include "say.h"
#include "table.h"
#include "trials.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shape timed_shapes[] = {
    {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}};
// small, because the simulator takes seconds even for this shape
static const struct shape counted_shapes[] = {{512, 512, 512}};

// The context of the callbacks of struct race (timing.h).
struct track {
    const struct session *session;
    struct problem *problem;
    int *runners;                     // indices of the contenders that are timed
    const struct contender *launched; // the contender that was launched last
};

// Sets the newest contender's blocks per tile to the first number of --parts, if its variant allows
// several. Adds a contender for each further number; if there are any, labels all of them.
static void add_parts(struct session *s) {
    const struct options *o = s->options;
    const struct contender first = s->contenders[s->count - 1];
    if (o->part_count == 0 || extras_of(first.variant)->grid.max_blocks == 0) return;
    for (int i = 0; i < o->part_count; i++) {
        struct contender *c = &s->contenders[i == 0 ? s->count - 1 : s->count++];
        *c = first;
        c->borrows = i > 0;
        c->blocks.parts = o->parts[i];
        if (o->part_count > 1)
            snprintf(c->label, sizeof c->label, "%s:%d", first.variant->name, o->parts[i]);
    }
}

// Returns true if the variant has a kernel of its own that was not built for this device.
static bool is_unbuilt(const struct choice *choice, const char *folder,
                       const struct device_info *info) {
    char path[4096];
    return !variant_chooses(choice->variant) &&
           !find_cubin(path, sizeof path, folder, info->compute_capability, choice->step->name,
                       choice->variant->name);
}

bool session_open(struct session *s, const char *folder, const struct choice *choices,
                  int choice_count) {
    const bool timed = s->backend->timed && s->options->check != CHECK_ONLY;
    s->has_baseline = timed && s->options->baseline && *s->info->baseline;
    if (*s->info->baseline_note && s->options->baseline) say_error("%s", s->info->baseline_note);
    const int per_choice = s->options->part_count > 1 ? s->options->part_count : 1;
    s->contenders = calloc((size_t)choice_count * (size_t)per_choice + 2, sizeof *s->contenders);
    s->tile_rows = calloc((size_t)choice_count + 1, sizeof *s->tile_rows);
    if (!s->contenders || !s->tile_rows) return say_error("not enough host memory");
    s->staging.backend = s->backend;
    s->contenders[0].element = s->contenders[1].element = s->element;
    s->contenders[1].default_math = s->options->baseline == BASELINE_BOTH;
    s->contenders[1].tuned = s->options->baseline == BASELINE_TUNED;
    s->count = !s->has_baseline                                           ? 0
               : s->options->baseline > BASELINE_ON && s->element == FP32 ? 2
                                                                          : 1;
    int unbuilt = 0;
    for (int i = 0; i < choice_count; i++) {
        struct contender *c = &s->contenders[s->count];
        // contender_load() itself reports the first variant that is not built
        if (is_unbuilt(&choices[i], folder, s->info) && unbuilt++ > 0) {
            s->unloaded++;
            continue;
        }
        if (!contender_load(c, s->backend, s->info, folder, &choices[i])) {
            contender_unload(c, s->backend);
            s->unloaded++;
            continue;
        }
        s->count++;
        s->tile_rows[s->tile_count++] = choices[i].variant->block_m;
        s->textures |= extras_of(choices[i].variant)->textures;
        add_parts(s);
    }
    if (unbuilt > 1)
        say_error(
            "%d more are not built: `make` builds all; `--variant last` chooses one per lesson",
            unbuilt - 1);
    return s->unloaded < choice_count;
}

void session_close(struct session *s) {
    for (int i = 0; i < s->count; i++) contender_unload(&s->contenders[i], s->backend);
    staging_free(&s->staging);
    free(s->contenders);
    free(s->tile_rows);
}

static bool prepare_runner(void *context, int runner) {
    const struct track *track = context;
    return track->problem->beta == 0 || problem_restore(track->problem);
}

static bool launch_runner(void *context, int runner) {
    struct track *track = context;
    struct contender *c = &track->session->contenders[track->runners[runner]];
    track->launched = c;
    return contender_launch(c, track->problem);
}

// Times all contenders that ran and had no wrong result.
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
        if (s->contenders[i].failed_a_trial) continue;
        if (i == 0 && s->has_baseline) race.baseline = race.count;
        runners[race.count++] = i;
    }
    const bool sustained = s->options->mode == TIME_SUSTAINED;
    if (!(sustained ? race_sustained : race_burst)(&race, measurements)) {
        return !interrupt_seen() &&
               say_error("while timing %s/%s: %s", contender_step(track.launched),
                         contender_variant(track.launched), backend_error());
    }
    for (int i = 0; i < race.count; i++) outcomes[runners[i]].measurement = measurements[i];
    return true;
}

// Checks, times and records one alpha and beta on one problem.
static bool run_case(struct session *s, struct problem *p, double alpha, double beta) {
    struct outcome outcomes[s->count];
    const bool empty = p->c.rows == 0 || p->c.cols == 0 || p->a.cols == 0;
    if (!problem_set(p, alpha, beta) || !check_all(s, p, outcomes)) return false;
    if (s->options->check != CHECK_ONLY && s->backend->timed && !empty && !time_all(s, p, outcomes))
        return false;
    return write_down(s, p, outcomes);
}

static bool run_cases(struct session *s, struct problem *p) {
    const struct options *o = s->options;
    for (int a = 0; a < o->alpha_count; a++) {
        for (int b = 0; b < o->beta_count; b++) {
            if (!run_case(s, p, o->alphas[a], o->betas[b])) return false;
        }
    }
    return problem_inputs_intact(p) || say_error("%s", backend_error());
}

// Returns the plan of a problem. `check` is true if the problem needs a reference.
static struct problem_plan session_plan(const struct session *s, struct shape shape,
                                        const struct layout *layout, bool check) {
    return (struct problem_plan){
        .element = s->element,
        .shape = shape,
        .layout = *layout,
        .inputs = (enum inputs)s->options->inputs,
        .check = check,
        .baseline = *s->info->baseline != '\0' && s->options->baseline,
        .textures = s->textures,
        .seed = s->options->seed,
        .tile_rows = s->tile_rows,
        .tile_count = s->tile_count,
    };
}

static bool run_problem(struct session *s, struct shape shape, const struct layout *layout) {
    if (!shape_is_sane(s->options->shape_count > 0 ? "--shape" : "--size", &shape, layout))
        return false;
    const struct problem_plan plan = session_plan(
        s, shape, layout, s->options->check == CHECK_ON || s->options->check == CHECK_ONLY);
    struct problem problem;
    const bool done =
        problem_open(&problem, s->backend, &s->staging, s->info, &plan) && run_cases(s, &problem);
    problem_close(&problem);
    for (int i = 0; i < s->count; i++) contender_free_workspaces(&s->contenders[i], s->backend);
    return done;
}

// Sets *shapes to the shapes to run, and returns how many there are.
static int problem_shapes(const struct session *s, const struct shape **shapes) {
    const struct options *o = s->options;
    *shapes = o->shape_count > 0 ? o->shapes : s->backend->timed ? timed_shapes : counted_shapes;
    return o->shape_count > 0
               ? o->shape_count
               : (int)((s->backend->timed ? sizeof timed_shapes : sizeof counted_shapes) /
                       sizeof *timed_shapes);
}

// Runs one drawn problem. If it fails, prints the options that repeat it.
static bool run_drawn(struct session *s, int64_t number) {
    const struct drawn drawn = draw_problem(s->options->seed, number);
    const long failures = s->failures;
    char again[512];
    struct problem_plan plan = session_plan(s, drawn.shape, &drawn.layout, true);
    plan.inputs = drawn.inputs;
    plan.seed = drawn.seed;
    struct problem problem;
    bool done = problem_open(&problem, s->backend, &s->staging, s->info, &plan) &&
                run_case(s, &problem, drawn.alpha, drawn.beta);
    done = done && (problem_inputs_intact(&problem) || say_error("%s", backend_error()));
    problem_close(&problem);
    describe_drawn(&drawn, again, sizeof again);
    if (s->failures > failures || !done)
        say_error("to repeat problem %lld: %s", (long long)number, again);
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

// Returns true if C in FP32 stays below half the largest float, for inputs up to 1; else complains.
static bool factors_fit(const struct session *s) {
    const struct options *o = s->options;
    const struct shape *shapes;
    const int count = problem_shapes(s, &shapes);
    for (int i = 0; s->element == FP32 && i < count * o->alpha_count * o->beta_count; i++) {
        const double alpha = o->alphas[i / count % o->alpha_count],
                     beta = o->betas[i / count / o->alpha_count];
        const int k = shapes[i % count].k;
        if (fabs(alpha) * k + fabs(beta) <= FLT_MAX / 2) continue;
        return say_error("--alpha %g --beta %g: with K = %d C may exceed the largest float, "
                         "3.4e38: choose smaller factors",
                         alpha, beta, k);
    }
    return true;
}

static void begin_table(const struct session *s, const struct shape *shapes, int count) {
    const struct options *o = s->options;
    bool plain =
        o->layout_count == 1 && o->pad_count <= 1 && o->alpha_count == 1 && o->beta_count == 1;
    plain =
        plain && o->pads[0] == 0 && o->stride_count == 0 && o->alphas[0] == 1 && o->betas[0] == 0;
    const struct table_plan plan = {
        .contenders = s->contenders,
        .count = s->count,
        .shapes = shapes,
        .shape_count = count,
        .plain = plain,
        .counted = !s->backend->timed,
        .predicted = s->backend->predicted,
        .checked = o->check == CHECK_ON,
        .baseline = s->has_baseline,
        .wide = o->wide,
        .element = s->element,
    };
    table_begin(&plan);
}

int session_run(struct session *s) {
    const struct shape *shapes;
    const int count = problem_shapes(s, &shapes);
    if (!factors_fit(s)) return EXIT_USAGE;
    const struct layout plain = {0};
    const struct problem_plan plan = session_plan(s, *shapes, &plain, false);
    const struct forecast asked = {s->options, s->backend,    s->info, &s->staging,
                                   plan,       s->contenders, s->count};
    if (!forecast_run(&asked, shapes, count))
        return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_USAGE;
    begin_table(s, shapes, count);
    const bool done = trials_run(s) && (s->options->random ? run_random(s) : run_problems(s));
    if (s->options->check == CHECK_ONLY) report_checks(s->contenders, s->count);
    if (!s->options->machine || strcmp(s->options->machine, "h200") == 0) report_accuracy();
    if (interrupt_seen()) {
        say_error("interrupted%s%s", s->csv->lines ? "; the results so far are in " : "",
                  s->csv->lines ? s->csv->path : "");
        return EXIT_INTERRUPTED;
    }
    if (s->failures > 0) say_error("%ld checks failed (messages above)", s->failures);
    if (s->unloaded > 0) say_error("%d variants did not load (messages above)", s->unloaded);
    return !done || s->failures > 0 ? EXIT_FAILED : s->unloaded > 0 ? EXIT_USAGE : EXIT_GOOD;
}
