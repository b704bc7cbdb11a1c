// Each problem that was asked for: predicted, checked, timed, and what travels counted.
#include "harness/interrupt.h"
#include "harness/say.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROUNDS = 3, USUAL_ROUNDS = 21 };
static const double WANTED_SECONDS = 1; // of timed runs of a variant
static const double SLOW_MS = 5000;

// --- what is predicted -----------------------------------------------------------------------------------------------------

struct figures figures_of(const struct program *p) {
    const int sms = p->crew.info.multiprocessors;
    return (struct figures){.tflops = p->options.tflops,
                            .bandwidth = p->options.bandwidth,
                            .sms = sms,
                            .left = p->options.leave < sms ? p->options.leave : sms - 1};
}

// NCCL's thread blocks: where products run beside them, as many as SMs are left.
static int channels_of(const struct program *p, const struct scheme *scheme) {
    const bool beside = strcmp(scheme->name, "gather") != 0 && strcmp(scheme->name, "split_k") != 0;
    return p->options.channels >= 0 ? p->options.channels : beside ? p->options.leave : 0;
}

static struct job_plan job_plan_of(const struct program *p, const struct scheme *scheme, struct shape shape) {
    const struct gpus_options *o = &p->options;
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
                             .tile_rows = p->kernel.variant->block_m,
                             .limit = o->limit,
                             .figures = figures_of(p)};
}

static void print_prediction(const struct job *job) {
    const struct prediction *q = &job->prediction;
    const double flops = 2.0 * job->plan.shape.m * job->plan.shape.n * job->plan.shape.k;
    const double one_ms = flops / job->plan.figures.tflops * 1e-9;
    printf("%-10s %4d %8d %8d %8d %10.3f %10.3f %10.3f %10.1f %9.2f %9.3f\n", job->plan.scheme->name,
           job->crew->team.ranks, job->plan.shape.m, job->plan.shape.n, job->plan.shape.k, q->received * 1e-9,
           q->travel_ms, q->compute_ms, q->ms > 0 ? flops / q->ms * 1e-9 : 0, q->ms > 0 ? one_ms / q->ms : 0, q->ms);
}

// Every count of GPUs, size and scheme.
int predict_all(struct program *p) {
    bool done = true;
    printf("%-10s %4s %8s %8s %8s %10s %10s %10s %10s %9s %9s\n", "variant", "gpus", "M", "N", "K", "GB in",
           "travel ms", "compute ms", "TFLOP/s", "x one", "ms");
    for (int g = 0; done && g < p->options.gpus_count; g++) {
        p->crew.team = (struct team){.ranks = p->options.gpus[g], .count = p->options.gpus[g]};
        for (int i = 0; done && i < p->options.shape_count; i++) {
            for (int s = 0; done && s < p->count; s++) {
                struct job job;
                const struct job_plan plan = job_plan_of(p, p->schemes[s], p->options.shapes[i]);
                done = job_plan(&job, &p->crew, &plan);
                if (done) print_prediction(&job);
                done = done && write_predicted_spans(p, &job);
                job_close(&job);
            }
        }
    }
    return done ? EXIT_GOOD : EXIT_FAILED;
}

// --- what is measured ------------------------------------------------------------------------------------------------------

static int rounds_of(const struct program *p, double ms) {
    const double rounds = WANTED_SECONDS * 1e3 / fmax(ms, 1e-3);
    if (p->options.rounds > 0) return p->options.rounds;
    return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > USUAL_ROUNDS ? USUAL_ROUNDS : (int)rounds;
}

// A run of seconds: neither a cold start nor the marks of the closer look show in its time.
static bool is_slow(const struct job *job) {
    return job->prediction.ms > SLOW_MS;
}

// Two runs to warm up, of which the second says how many are timed. The last of slow ones is the closer look.
static bool time_job(struct program *p, struct job *job, struct found *f) {
    double ms = job->prediction.ms;
    for (int i = 0; i < 2 && !is_slow(job); i++) {
        if (interrupted() || !job_prepare(job) || !job_run(job, &ms, false)) return false;
    }
    f->rounds = rounds_of(p, ms);
    for (int i = 0; i < f->rounds - is_slow(job); i++) {
        if (interrupted() || !job_prepare(job) || !job_run(job, &f->ms[i], false)) return false;
    }
    return f->timed = true;
}

static bool find_spans(struct job *job, int local, struct span *spans) {
    for (int i = 0; i < job->mine[local]->count; i++) {
        if (!job_span(job, local, i, &spans[i])) return false;
    }
    return true;
}

// What all local ranks did in the run before.
static bool write_timeline(struct program *p, struct job *job) {
    struct span spans[MOST_OPERATIONS];
    for (int local = 0; local < job->crew->team.count; local++) {
        if (!find_spans(job, local, spans) ||
            !write_spans(p, job, job->crew->engine->name, job->crew->team.first + local, job->mine[local], spans))
            return false;
    }
    return true;
}

// One run more, with a mark at each operation's beginning and end, and what came in as others count it.
static bool look_closer(struct program *p, struct job *job, struct found *f) {
    const struct engine *engine = job->crew->engine;
    struct span spans[MOST_OPERATIONS];
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

static bool run_job(struct program *p, const struct job_plan *plan) {
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
    if (done && plan->check) {
        done = job_check(&job, p->options.repeat, &f.verdict);
        f.checked = done;
    }
    const bool right = !f.checked || (f.verdict.faults == 0 && f.verdict.same);
    p->failures += !right;
    if (done && right && p->options.time && p->crew.engine->backend->timed && !empty) done = time_job(p, &job, &f);
    if (done && right) done = look_closer(p, &job, &f);
    if (done && right && !empty) done = write_predicted_spans(p, &job);
    done = done && write_found(p, &job, &f);
    job_close(&job);
    return done;
}

// A scheme that reads other ranks' memory wants them in this process.
static bool runs_here(const struct program *p, const struct scheme *scheme) {
    if (!scheme->one_process || !p->crew.team.launched) return true;
    if (p->crew.team.first == 0)
        complain("%s is left out: it reads the other GPUs' memory, so one process must have them all", scheme->name);
    return false;
}

static bool run_shape(struct program *p, const struct scheme *scheme, struct shape shape) {
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

// cublasXtSgemm with each size of its tiles.
static bool run_cublasxt(struct program *p, struct shape shape) {
    for (int t = 0; t < p->options.tile_count; t++) {
        struct xt_found x;
        if (!xt_run(p->crew.team.ranks, p->options.tiles[t], shape, p->options.seed, p->options.rounds, &x))
            return false;
        p->failures += !x.passed;
        if (!write_cublasxt(p, shape, p->options.tiles[t], &x)) return false;
    }
    return true;
}

// Whether the simulator may run what was asked for: some minutes' work at most without --force.
static bool forecast_all(const struct program *p) {
    const double most = 1e11; // elements of M N K
    double work = 0;
    if (p->crew.engine->backend->timed || p->options.force) return true;
    for (int i = 0; i < p->options.shape_count; i++) {
        const struct shape *s = &p->options.shapes[i];
        work += (double)s->m * s->n * s->k * p->count * (p->options.check ? p->options.repeat + 1 : 1);
    }
    return work <= most ||
           complain("this would take from minutes to days on the simulator: try --size 512, fewer variants, "
                    "or add --force to run it all the same");
}

int measure_all(struct program *p) {
    if (!forecast_all(p)) return EXIT_USAGE;
    for (int i = 0; i < p->options.shape_count; i++) {
        if (!run_cublasxt(p, p->options.shapes[i])) return interrupted() ? EXIT_INTERRUPTED : EXIT_FAILED;
        for (int s = 0; s < p->count; s++) {
            if (!runs_here(p, p->schemes[s])) continue;
            if (run_shape(p, p->schemes[s], p->options.shapes[i])) continue;
            return interrupted() ? EXIT_INTERRUPTED : EXIT_FAILED;
        }
    }
    if (p->failures > 0) complain("%ld checks failed", p->failures);
    return p->failures + p->left_out > 0 ? EXIT_FAILED : EXIT_GOOD;
}
