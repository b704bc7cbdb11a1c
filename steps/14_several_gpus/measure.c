// Predicts, checks and times each requested problem, and counts the bytes that ranks receive.
#include "base/channel.h"
#include "harness/interrupt.h"
#include "harness/say.h"
#include "program.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROUNDS = 3, USUAL_ROUNDS = 21 };
static const double WANTED_SECONDS = 1; // wanted total time of a variant's timed runs
static const double SLOW_MS = 5000;     // a job that is predicted to take longer is slow

// --- predictions ---------------------------------------------------------------------------------

struct figures figures_of(const struct gpus_program *p) {
    const int sms = p->crew.info.multiprocessors;
    return (struct figures){.tflops = NAN,
                            .bandwidth = p->options.bandwidth,
                            .sms = sms,
                            .left = p->options.leave < sms ? p->options.leave : sms - 1};
}

// Returns the number of NCCL's thread blocks, which --channels sets. By default it is --leave, the
// number of SMs left free, for schemes that multiply while they send. For the others it is 0, which
// lets NCCL choose.
static int channels_of(const struct gpus_program *p, const struct scheme *scheme) {
    const bool beside = strcmp(scheme->name, "gather") != 0 && strcmp(scheme->name, "split_k") != 0;
    return p->options.channels >= 0 ? p->options.channels : beside ? p->options.leave : 0;
}

static struct job_plan job_plan_of(const struct gpus_program *p, const struct scheme *scheme,
                                   struct shape shape) {
    const struct gpus_options *o = &p->options;
    const bool timed = p->crew.engine && p->crew.engine->backend->timed;
    return (struct job_plan){.scheme = scheme,
                             .shape = shape,
                             .pad = o->pads[0],
                             .panel = o->panel,
                             .channels = channels_of(p, scheme),
                             .alpha = o->alphas[0],
                             .beta = o->betas[0],
                             .inputs = (enum inputs)o->inputs,
                             .seed = o->seed,
                             .check = o->check,
                             .kernel = p->kernel,
                             .tile_rows = p->kernel.variant->block_m,
                             .limit = o->limit,
                             .figures = figures_of(p),
                             .speed = speed_known(o->tflops, &p->kernel, &p->crew.info, timed)};
}

// Returns a number for a table, or "-" if it is unknown.
static const char *cell(char text[32], const char *format, double value)
    __attribute__((format(printf, 2, 0)));
static const char *cell(char text[32], const char *format, double value) {
    snprintf(text, 32, format, value);
    return isnan(value) ? "-" : text;
}

static void print_prediction(const struct job *job) {
    const struct prediction *q = &job->prediction;
    const struct shape *s = &job->plan.shape;
    const double flops = 2.0 * s->m * s->n * s->k, one_ms = flops / job->plan.speed.tflops * 1e-9;
    const bool some = q->ms != 0; // false for an empty problem, which takes no time
    char compute[32], tflops[32], times[32], ms[32], speed[32];
    printf("%-10s %4d %6d %6d %6d %8.3f %9.3f %10s %8s %6s %9s %8s %s\n", job->plan.scheme->name,
           job->crew->team.ranks, s->m, s->n, s->k, q->received * 1e-9, q->travel_ms,
           cell(compute, "%.3f", q->compute_ms),
           cell(tflops, "%.1f", some ? flops / q->ms * 1e-9 : 0),
           cell(times, "%.2f", some ? one_ms / q->ms : 0), cell(ms, "%.3f", q->ms),
           cell(speed, "%.1f", job->plan.speed.tflops), speed_source_name(job->plan.speed.source));
}

static void note_unknown_speed(const struct gpus_program *p) {
    char text[256];
    snprintf(text, sizeof text,
             "--kernel %.128s: its speed is not known without a GPU, so no time is predicted: add "
             "--tflops X",
             p->options.kernel);
    channel_note("speed", text);
    if (channel_text()) fprintf(stderr, "%s: note: %s\n", program_invocation_short_name, text);
}

int predict_all(struct gpus_program *p) {
    bool done = true, known = true;
    printf("%-10s %4s %6s %6s %6s %8s %9s %10s %8s %6s %9s %8s %s\n", "variant", "gpus", "M", "N",
           "K", "GB in", "travel ms", "compute ms", "TFLOP/s", "x one", "ms", "one GPU",
           "its speed");
    for (int g = 0; done && g < p->options.gpus_count; g++) {
        p->crew.team = (struct team){.ranks = p->options.gpus[g], .count = p->options.gpus[g]};
        for (int i = 0; done && i < p->options.shape_count; i++) {
            for (int s = 0; done && s < p->count; s++) {
                struct job job;
                const struct job_plan plan = job_plan_of(p, p->schemes[s], p->options.shapes[i]);
                done = job_plan(&job, &p->crew, &plan);
                known &= !isnan(job.prediction.ms);
                if (done) print_prediction(&job);
                if (done) prediction_to_json(p, &job);
                done = done && write_predicted_spans(p, &job);
                job_close(&job);
            }
        }
    }
    if (!known) note_unknown_speed(p);
    return done ? EXIT_GOOD : EXIT_FAILED;
}

// --- measurements --------------------------------------------------------------------------------

static int rounds_of(const struct gpus_program *p, double ms) {
    const double rounds = WANTED_SECONDS * 1e3 / fmax(ms, 1e-3);
    if (p->options.rounds > 0) return p->options.rounds;
    return rounds < LEAST_ROUNDS   ? LEAST_ROUNDS
           : rounds > USUAL_ROUNDS ? USUAL_ROUNDS
                                   : (int)rounds;
}

// Returns true if a run takes seconds, so that neither a cold start nor marks change its time
// noticeably.
static bool is_slow(const struct job *job) {
    return job->prediction.ms > SLOW_MS;
}

// Times a job. Two runs warm up, and the time of the second decides how many runs are timed. A slow
// job has no warm-up, and its last timed run is the one that look_closer() makes.
static bool time_job(struct gpus_program *p, struct job *job, struct found *f) {
    double ms = job->prediction.ms;
    for (int i = 0; i < 2 && !is_slow(job); i++) {
        if (interrupt_seen() || !job_prepare(job) || !job_run(job, &ms, false)) return false;
    }
    f->rounds = rounds_of(p, ms);
    for (int i = 0; i < f->rounds - is_slow(job); i++) {
        if (interrupt_seen() || !job_prepare(job) || !job_run(job, &f->ms[i], false)) return false;
    }
    return f->timed = true;
}

static bool find_spans(struct job *job, int local, struct operation_span *spans) {
    for (int i = 0; i < job->mine[local]->count; i++) {
        if (!job_span(job, local, i, &spans[i])) return false;
    }
    return true;
}

// Appends the operations of all local ranks in the last run to the timeline.
static bool write_timeline(struct gpus_program *p, struct job *job) {
    struct operation_span spans[MOST_OPERATIONS];
    for (int local = 0; local < job->crew->team.count; local++) {
        if (!find_spans(job, local, spans) ||
            !write_spans(p, job, job->crew->engine->name, job->crew->team.first + local,
                         job->mine[local], spans))
            return false;
    }
    return true;
}

// Runs the job once more with marks. Sets, for the first rank of this process, the time of each
// stream's operations and the bytes that its links have received.
static bool look_closer(struct gpus_program *p, struct job *job, struct found *f) {
    const struct gpu_engine *engine = job->crew->engine;
    struct operation_span spans[MOST_OPERATIONS];
    const struct schedule *s = job->mine[0];
    double compute = 0, travel = 0, ms;
    const int64_t before = engine->received(0);
    if (!job_prepare(job) || !job_run(job, &ms, true)) return false;
    if (f->timed && is_slow(job)) f->ms[f->rounds - 1] = ms;
    const int64_t bytes = engine->received(0);
    f->received = bytes < 0 || before < 0 ? NAN : (double)(bytes - before);
    if (!engine->backend->timed) return true;
    if (!find_spans(job, 0, spans)) return false;
    for (int i = 0; i < s->count; i++) {
        *(s->operations[i].stream == COMPUTE ? &compute : &travel) += spans[i].end - spans[i].start;
    }
    f->compute_ms = compute;
    f->travel_ms = travel;
    return !p->options.timeline || write_timeline(p, job);
}

static bool run_job(struct gpus_program *p, const struct job_plan *plan) {
    struct job job;
    static struct found f;
    f = (struct found){.received = NAN, .compute_ms = NAN, .travel_ms = NAN};
    const bool empty = plan->shape.m == 0 || plan->shape.n == 0 || plan->shape.k == 0;
    bool done = job_plan(&job, &p->crew, plan);
    if (done && !job_fits(&job)) {
        p->left_out++;
        job_close(&job);
        return true;
    }
    done = done && job_open(&job);
    const bool times = p->options.time && p->crew.engine->backend->timed && !empty;
    if (done && times) done = job_measure(&job);
    if (done && plan->check) {
        done = job_check(&job, p->options.repeat, &f.verdict);
        f.checked = done;
    }
    const bool right = !f.checked || (f.verdict.faults == 0 && f.verdict.same);
    p->failures += !right;
    if (done && right && times) done = time_job(p, &job, &f);
    if (done && right) done = look_closer(p, &job, &f);
    if (done && right && !empty) done = write_predicted_spans(p, &job);
    done = done && write_found(p, &job, &f);
    job_close(&job);
    return done;
}

// Returns true if the scheme can run: a scheme that reads other ranks' memory needs all ranks in
// this process.
static bool runs_here(const struct gpus_program *p, const struct scheme *scheme) {
    if (!scheme->one_process || !p->crew.team.launched) return true;
    if (p->crew.team.first == 0)
        say_error(
            "%s is left out: it reads the other GPUs' memory, so one process must have all GPUs",
            scheme->name);
    return false;
}

static bool run_shape(struct gpus_program *p, const struct scheme *scheme, struct shape shape) {
    const struct gpus_options *o = &p->options;
    struct job_plan plan = job_plan_of(p, scheme, shape);
    for (int d = 0; d < o->pad_count; d++) {
        for (int a = 0; a < o->alpha_count; a++) {
            for (int b = 0; b < o->beta_count; b++) {
                plan.pad = o->pads[d];
                plan.alpha = o->alphas[a];
                plan.beta = o->betas[b];
                if (!run_job(p, &plan)) return false;
            }
        }
    }
    return true;
}

// Times cublasXtSgemm with each tile size.
static bool run_cublasxt(struct gpus_program *p, struct shape shape) {
    for (int t = 0; t < p->options.tile_count; t++) {
        struct xt_found x;
        if (!xt_run(p->crew.team.ranks, p->options.tiles[t], shape, p->options.seed,
                    p->options.rounds, &x))
            return false;
        p->failures += !x.passed;
        if (!write_cublasxt(p, shape, p->options.tiles[t], &x)) return false;
    }
    return true;
}

// Returns true if all runs together need at most minutes, or if --force was given; otherwise
// complains. Only the simulator may need longer.
static bool forecast_all(const struct gpus_program *p) {
    const double most = 1e11; // in multiply-adds
    double work = 0;
    if (p->crew.engine->backend->timed || p->options.force) return true;
    for (int i = 0; i < p->options.shape_count; i++) {
        const struct shape *s = &p->options.shapes[i];
        work +=
            (double)s->m * s->n * s->k * p->count * (p->options.check ? p->options.repeat + 1 : 1);
    }
    return work <= most || say_error("this would take minutes to days on the simulator: try "
                                     "--size 512 or fewer variants, or add --force");
}

int measure_all(struct gpus_program *p) {
    if (!forecast_all(p)) return EXIT_USAGE;
    for (int i = 0; i < p->options.shape_count; i++) {
        if (!run_cublasxt(p, p->options.shapes[i]))
            return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_FAILED;
        for (int s = 0; s < p->count; s++) {
            if (!runs_here(p, p->schemes[s])) continue;
            if (run_shape(p, p->schemes[s], p->options.shapes[i])) continue;
            return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_FAILED;
        }
    }
    if (p->failures > 0) say_error("%ld checks failed (messages above)", p->failures);
    return p->failures + p->left_out > 0 ? EXIT_FAILED : EXIT_GOOD;
}
