// Estimates how long a run will take. If it may be long, launches every chosen kernel once, on
// `short_shape`, and assumes that the time is proportional to M N K.
#include "forecast.h"
#include "interrupt.h"
#include "outcome.h"
#include "say.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>

static const struct shape short_shape = {512, 512, 64};
static const int advised_size = 512;

// the run takes at most two minutes if M N K, summed over all launches, is less than this
static const double LITTLE_WORK = 1.5e10;
static const double MOST_SECONDS = 120; // the longest run that is allowed without --force

static double work_of(struct shape shape) {
    return (double)shape.m * shape.n * shape.k;
}

// Returns the number of launches of each kernel per shape.
static double launches(const struct options *o) {
    const int repeats = o->check != CHECK_OFF && o->repeat > 1 ? o->repeat : 1;
    return (double)o->layout_count * o->alpha_count * o->beta_count * repeats;
}

// Returns the seconds that all kernels together take per multiply-add of a problem; NaN if the
// problem cannot be set up. A launch that fails counts as a short one.
static double measure_rate(const struct forecast *s) {
    struct problem problem;
    struct problem_plan plan = s->plan;
    double seconds = NAN;
    plan.shape = short_shape;
    if (problem_open(&problem, s->backend, s->staging, s->info, &plan) &&
        problem_set(&problem, 1, 0)) {
        seconds = 0;
        for (int i = 0; i < s->count && !interrupt_seen(); i++) {
            if (!problem_restore(&problem)) seconds = NAN;
            const double start = seconds_now();
            (void)contender_launch(&s->contenders[i], &problem);
            seconds += seconds_now() - start;
            forget_counters(s->backend, &s->contenders[i]);
        }
    }
    problem_close(&problem);
    return seconds / work_of(short_shape);
}

// Writes "about 3 hours". Requires: `seconds` is at least MOST_SECONDS.
static const char *spoken(double seconds, char text[32]) {
    const double minutes = seconds / 60, hours = minutes / 60;
    if (minutes < 90) {
        snprintf(text, 32, "about %.0f minutes", minutes);
    } else if (hours < 48) {
        snprintf(text, 32, "about %.0f hours", hours);
    } else {
        snprintf(text, 32, "about %.0f days", hours / 24);
    }
    return text;
}

bool forecast_run(const struct forecast *s, const struct shape *shapes, int count) {
    char whole[32];
    double work = 0;
    if (s->backend->timed) return true;
    for (int i = 0; i < count; i++) work += work_of(shapes[i]) * launches(s->options);
    if (work * s->count < LITTLE_WORK) return true;
    const double rate = measure_rate(s), seconds = rate * work;
    if (!(seconds > MOST_SECONDS)) return true;
    const double advised = rate * work_of((struct shape){advised_size, advised_size, advised_size});
    if (s->options->force)
        return say_error("note: this takes %s on the simulator, estimated by a short run",
                         spoken(seconds, whole)),
               true;
    // the line has at most 100 columns even with the longest name of a program
    return say_error("%s: --time predicts, --size %d takes %.0f s, --force counts",
                     spoken(seconds, whole), advised_size, fmax(advised, 1));
}
