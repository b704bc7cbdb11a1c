// The program of a lesson on several GPUs: its schemes are checked, timed beside each other, and what travels is counted.
#include "commit.h" // COMMIT, made by the Makefile
#include "file/file.h"
#include "harness/csv.h"
#include "harness/interrupt.h"
#include "harness/report.h"
#include "harness/say.h"
#include "harness/start.h"
#include "harness/statistics.h"
#include "harness/steps.h"
#include "job.h"
#include "links.h"
#include "options.h"
#include "xt.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEMES = 16, LEAST_ROUNDS = 3, MOST_ROUNDS = 21 };
static const double WANTED_SECONDS = 1; // of timed runs of a variant
static const double SLOW_MS = 5000;     // a run beyond this needs no warming up

static const char DETAILS_HEADER[] =
    "time,commit,backend,device,transport,step,variant,kernel,gpus,processes,m,n,k,panel,leave,channels,received_"
    "predicted,"
    "received_counted,ms_predicted,ms_compute_predicted,ms_travel_predicted,ms_median,ms_compute,ms_travel";
static const char TIMELINE_HEADER[] =
    "time,commit,backend,device,step,variant,kernel,gpus,m,n,k,leave,rank,stream,number,what,start_ms,end_ms";

struct program {
    struct gpus_options options;
    const struct step *step;
    const struct scheme *schemes[MOST_SCHEMES]; // (count) that are chosen
    int count;
    struct choice kernel;
    struct crew crew;
    struct csv results, details, timeline;
    long failures, left_out;
};

// What was found of one job.
struct found {
    bool checked, timed;
    struct job_verdict verdict;
    double ms[MOST_ROUNDS * 50];
    int rounds;
    double received, compute_ms, travel_ms; // NAN: not counted
};

// --- what is chosen --------------------------------------------------------------------------------------------------------

static const struct step *find_step(void) {
    const struct step_table table = linked_steps();
    for (int i = 0; i < table.count; i++) {
        if (table.steps[i]->schemes) return table.steps[i];
    }
    return NULL;
}

static bool unknown_variant(const struct program *p, const char *word) {
    char names[512] = "";
    for (const struct scheme *s = p->step->schemes; s->name; s++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", s->name);
    }
    return complain("--variant %s: no such variant; there are: %s", word, names);
}

static bool add_scheme(struct program *p, const char *word) {
    for (const struct scheme *s = p->step->schemes; s->name; s++) {
        if (strcmp(s->name, word) != 0) continue;
        if (p->count < MOST_SCHEMES) p->schemes[p->count++] = s;
        return true;
    }
    return unknown_variant(p, word);
}

static bool choose_schemes(struct program *p) {
    char words[256];
    char *rest = words, *word;
    if (!p->options.variants) {
        for (const struct scheme *s = p->step->schemes; s->name; s++) add_scheme(p, s->name);
        return true;
    }
    snprintf(words, sizeof words, "%s", p->options.variants);
    while ((word = strsep(&rest, ","))) {
        if (!add_scheme(p, word)) return false;
    }
    return true;
}

static bool choose_kernel(struct program *p) {
    char step[128];
    const char *slash = strchr(p->options.kernel, '/');
    struct choice choices[MAX_CHOICES];
    int count = 0;
    if (!slash || slash == p->options.kernel || !slash[1] || slash - p->options.kernel >= (long)sizeof step)
        return complain("--kernel %s: expected STEP/VARIANT, as 09_reuse_sass/hand_16x12", p->options.kernel);
    snprintf(step, sizeof step, "%.*s", (int)(slash - p->options.kernel), p->options.kernel);
    if (!choose(linked_steps(), step, slash + 1, choices, &count)) return false;
    p->kernel = choices[0];
    return (count == 1 && p->kernel.step->element == FP32) ||
           complain("--kernel %s: expected one kernel of FP32", p->options.kernel);
}

// --- what is predicted -----------------------------------------------------------------------------------------------------

static struct figures figures_of(const struct program *p) {
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

static struct job_plan plan_of(const struct program *p, const struct scheme *scheme, struct shape shape) {
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

static bool write_spans(struct program *p, struct job *job, const char *backend, int rank, const struct schedule *s,
                        const struct span *spans) {
    static const char *const kinds[] = {"multiply", "copy",      "pull",          "exchange",
                                        "gather",   "broadcast", "reduce_scatter"};
    char line[512];
    for (int i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        snprintf(line, sizeof line, "%s,%s,%s,\"%s\",%s,%s,%s,%d,%d,%d,%d,%d,%d,%s,%d,%s,%.6g,%.6g", time_now(), COMMIT,
                 backend, p->crew.info.name, p->step->name, job->plan.scheme->name, p->options.kernel, s->ranks,
                 job->plan.shape.m, job->plan.shape.n, job->plan.shape.k, p->options.leave, rank,
                 o->stream == COMPUTE ? "compute" : "travel", i, kinds[o->kind], spans[i].start, spans[i].end);
        if (!csv_append(&p->timeline, line)) return false;
    }
    return true;
}

static bool write_predicted_spans(struct program *p, struct job *job) {
    struct span spans[MOST_OPERATIONS];
    struct schedule *all[MOST_GPUS];
    struct prediction again;
    if (!p->options.timeline) return true;
    for (int r = 0; r < job->crew->team.ranks; r++) all[r] = &job->schedules[r];
    return predict_schedules(all, job->crew->team.ranks, &job->plan.figures, &again, spans) &&
           write_spans(p, job, "predicted", 0, all[0], spans);
}

// Every count of GPUs, size and scheme.
static int predict_all(struct program *p) {
    bool done = true;
    printf("%-10s %4s %8s %8s %8s %10s %10s %10s %10s %9s %9s\n", "variant", "gpus", "M", "N", "K", "GB in",
           "travel ms", "compute ms", "TFLOP/s", "x one", "ms");
    for (int g = 0; done && g < p->options.gpus_count; g++) {
        p->crew.team = (struct team){.ranks = p->options.gpus[g], .count = p->options.gpus[g]};
        for (int i = 0; done && i < p->options.shape_count; i++) {
            for (int s = 0; done && s < p->count; s++) {
                struct job job;
                const struct job_plan plan = plan_of(p, p->schemes[s], p->options.shapes[i]);
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
    return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : (int)rounds;
}

// Two runs to warm up, of which the second says how many are timed; where a run takes seconds the check has warmed up.
static bool time_job(struct program *p, struct job *job, struct found *f) {
    const bool slow = job->prediction.ms > SLOW_MS && job->plan.check;
    double ms = job->prediction.ms;
    for (int i = 0; i < 2 && !slow; i++) {
        if (interrupted() || !job_prepare(job) || !job_run(job, &ms, false)) return false;
    }
    f->rounds = rounds_of(p, ms);
    for (int i = 0; i < f->rounds; i++) {
        if (interrupted() || !job_prepare(job) || !job_run(job, &f->ms[i], false)) return false;
    }
    return f->timed = true;
}

// One run more, with a mark at each operation's beginning and end, and what came in as others count it.
static bool look_closer(struct program *p, struct job *job, struct found *f) {
    const struct engine *engine = job->crew->engine;
    struct span spans[MOST_OPERATIONS];
    const struct schedule *s = job->mine[0];
    double compute = 0, travel = 0;
    const int64_t before = engine->received(0);
    if (!job_prepare(job) || !job_run(job, NULL, true)) return false;
    const int64_t bytes = engine->received(0);
    f->received = bytes < 0 || before < 0 ? NAN : (double)(bytes - before);
    if (!engine->backend->timed) return true;
    for (int i = 0; i < s->count; i++) {
        if (!job_span(job, 0, i, &spans[i])) return false;
        *(s->operations[i].stream == COMPUTE ? &compute : &travel) += spans[i].end - spans[i].start;
    }
    f->compute_ms = compute;
    f->travel_ms = travel;
    return !p->options.timeline || write_spans(p, job, engine->name, p->crew.team.first, s, spans);
}

static const char *number(char text[32], double value) {
    snprintf(text, 32, "%.9g", value);
    return isnan(value) ? "" : text;
}

static bool write_details(struct program *p, const struct job *job, const struct found *f, double median) {
    char line[1024], n[8][32];
    const struct prediction *q = &job->prediction;
    snprintf(line, sizeof line, "%s,%s,%s,\"%s\",%s,%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%s",
             time_now(), COMMIT, p->crew.engine->name, p->crew.info.name, p->crew.engine->transport(), p->step->name,
             job->plan.scheme->name, p->options.kernel, p->crew.team.ranks,
             p->crew.team.launched ? p->crew.team.ranks : 1, job->plan.shape.m, job->plan.shape.n, job->plan.shape.k,
             p->options.panel, p->options.leave, job->plan.channels, number(n[0], schedule_received(job->mine[0])),
             number(n[1], f->received), number(n[2], q->ms), number(n[3], q->compute_ms), number(n[4], q->travel_ms),
             number(n[5], median), number(n[6], f->compute_ms), number(n[7], f->travel_ms));
    return csv_append(&p->details, line);
}

// A row of results.csv for C of this shape on all GPUs; what is neither said here nor filled in by the caller was not measured.
static struct result row_for(const struct program *p, struct shape shape) {
    return (struct result){
        .time = time_now(),
        .commit = COMMIT,
        .backend = p->crew.engine->name,
        .device = p->crew.info.name,
        .driver = p->crew.info.driver,
        .m = shape.m,
        .n = shape.n,
        .k = shape.k,
        .lda = shape.k,
        .ldb = shape.n,
        .ldc = shape.n,
        .alpha = 1,
        .ms_median = NAN,
        .ms_min = NAN,
        .ms_max = NAN,
        .tflops = NAN,
        .pct_peak = NAN,
        .vs_cublas = NAN,
        .error_ratio = NAN,
        .check = "off",
        .sm_mhz = NAN,
        .watts = NAN,
        .registers = -1,
        .shared_bytes = -1,
        .threads = -1,
        .blocks_per_sm = -1,
        .gpus = p->crew.team.ranks,
        .error_rms = NAN,
        .error_bias = NAN,
        .cublas_error_max = NAN,
        .cublas_error_rms = NAN,
        .inputs = inputs_names[INPUTS_UNIFORM],
    };
}

static double tflops_of(struct shape shape, double ms) {
    return 2.0 * shape.m * shape.n * shape.k / ms * 1e-9;
}

static struct result make_result(const struct program *p, const struct job *job, const struct found *f) {
    const struct device_info *info = &p->crew.info;
    const double peak = 2e-6 * info->multiprocessors * info->lanes * info->clock_mhz * p->crew.team.ranks;
    struct result r = row_for(p, job->plan.shape);
    r.step = p->step->name;
    r.variant = job->plan.scheme->name;
    r.lda += job->plan.pad;
    r.ldb += job->plan.pad;
    r.ldc += job->plan.pad;
    r.alpha = job->plan.alpha;
    r.beta = job->plan.beta;
    r.inputs = inputs_names[p->options.inputs];
    r.mode = f->timed ? "burst" : "check";
    if (f->timed) {
        r.rounds = f->rounds;
        r.ms_median = median_of(f->ms, f->rounds);
        r.ms_min = minimum_of(f->ms, f->rounds);
        r.ms_max = maximum_of(f->ms, f->rounds);
        r.tflops = tflops_of(job->plan.shape, r.ms_median);
        r.pct_peak = 100 * r.tflops / peak;
    }
    if (f->checked) {
        r.error_ratio = f->verdict.error_ratio;
        r.error_rms = f->verdict.error_rms;
        r.error_bias = f->verdict.error_bias;
        r.check = f->verdict.faults == 0 && f->verdict.same ? "pass" : "fail";
    }
    return r;
}

// One line for the reader; rank 0 speaks.
static void print_found(const struct program *p, const struct job *job, const struct found *f, const struct result *r) {
    char measured[96] = "", travelled[64] = "";
    if (p->crew.team.first > 0) return;
    if (f->timed) {
        snprintf(measured, sizeof measured, "%10.3f ms (predicted %.3f) %8.1f TFLOP/s", r->ms_median,
                 job->prediction.ms, r->tflops);
    }
    if (!isnan(f->received)) snprintf(travelled, sizeof travelled, ", %.0f counted", f->received);
    printf("%-10s %d GPUs %5dx%dx%d alpha %g beta %g pad %d%s  received %.0f bytes by schedule%s  check %s\n",
           r->variant, (int)r->gpus, (int)r->m, (int)r->n, (int)r->k, r->alpha, r->beta, job->plan.pad, measured,
           schedule_received(job->mine[0]), travelled, r->check);
    fflush(stdout);
}

// Rank 0 writes for all.
static bool write_down(struct program *p, struct job *job, const struct found *f) {
    char line[4096];
    const struct result r = make_result(p, job, f);
    print_found(p, job, f, &r);
    if (p->crew.team.first > 0) return true;
    if (!result_line(&r, line, sizeof line)) return complain("a line of the CSV is too long");
    return csv_append(&p->results, line) && write_details(p, job, f, r.ms_median);
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
    done = done && write_down(p, &job, &f);
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
    struct job_plan plan = plan_of(p, scheme, shape);
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

// cublasXtSgemm with each size of its tiles, as rows of step `cublasxt`.
static bool run_cublasxt(struct program *p, struct shape shape) {
    for (int t = 0; t < p->options.tile_count; t++) {
        struct xt_found x;
        char variant[32], line[4096];
        if (!xt_run(p->crew.team.ranks, p->options.tiles[t], shape, p->options.seed, p->options.rounds, &x))
            return false;
        snprintf(variant, sizeof variant, "tile%d", p->options.tiles[t]);
        struct result r = row_for(p, shape);
        r.step = "cublasxt";
        r.variant = variant;
        r.mode = "burst";
        r.rounds = x.rounds;
        r.ms_median = x.ms_median;
        r.ms_min = x.ms_min;
        r.ms_max = x.ms_max;
        r.tflops = tflops_of(shape, x.ms_median);
        r.error_ratio = x.error_ratio;
        r.check = x.passed ? "pass" : "fail";
        p->failures += !x.passed;
        printf("cublasXt %-8s %d GPUs %dx%dx%d %10.3f ms %8.1f TFLOP/s  from the host's memory  check %s\n", variant,
               p->crew.team.ranks, shape.m, shape.n, shape.k, x.ms_median, r.tflops, r.check);
        if (!result_line(&r, line, sizeof line) || !csv_append(&p->results, line)) return false;
    }
    return true;
}

static int run_all(struct program *p) {
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

// --- the devices -----------------------------------------------------------------------------------------------------------

static bool load_workers(struct program *p) {
    char folder[PATH_MAX];
    struct device_info fewer = p->crew.info;
    fewer.multiprocessors = figures_of(p).sms - figures_of(p).left;
    cubin_folder(folder, sizeof folder);
    p->crew.workers = calloc((size_t)p->crew.team.count, sizeof *p->crew.workers);
    if (!p->crew.workers) return complain("not enough host memory");
    for (int i = 0; i < p->crew.team.count; i++) {
        struct worker *w = &p->crew.workers[i];
        if (!p->crew.engine->select(i)) return complain("%s", backend_error());
        if (!contender_load(&w->alone, p->crew.engine->backend, &p->crew.info, folder, &p->kernel) ||
            !contender_load(&w->beside, p->crew.engine->backend, &fewer, folder, &p->kernel)) {
            return false;
        }
    }
    return true;
}

static void unload_workers(struct program *p) {
    for (int i = 0; p->crew.workers && i < p->crew.team.count; i++) {
        if (!p->crew.engine->select(i)) continue;
        contender_unload(&p->crew.workers[i].alone, p->crew.engine->backend);
        contender_unload(&p->crew.workers[i].beside, p->crew.engine->backend);
    }
    free(p->crew.workers);
}

// The engine, and how many devices there are: those of the first backend that has one.
static int choose_engine(struct program *p, int *devices) {
    const char *wanted = p->options.backend;
    if (strcmp(wanted, "sim") != 0) {
        *devices = engine_gpu.devices();
        p->crew.engine = &engine_gpu;
        if (*devices > 0) return EXIT_GOOD;
        if (*devices < 0 || strcmp(wanted, "gpu") == 0)
            return complain("%s", backend_error()), *devices < 0 ? EXIT_FAILED : EXIT_SKIPPED;
        complain("%s: the simulator checks and counts instead of measuring", backend_error());
    }
    p->crew.engine = &engine_sim;
    *devices = p->options.gpus_count ? p->options.gpus[0] : 2;
    return EXIT_GOOD;
}

static int open_devices(struct program *p, int devices) {
    struct team *team = &p->crew.team;
    struct engine_plan plan = {.id = NULL};
    if (!team_find(team, p->options.gpus_count ? p->options.gpus[0] : devices)) return EXIT_USAGE;
    if (team->launched && p->options.gpus_count && p->options.gpus[0] != team->ranks)
        return complain("--gpus %d, but %d processes were started, one a GPU: leave --gpus out", p->options.gpus[0],
                        team->ranks),
               EXIT_USAGE;
    if (team->launched && devices == 1) team->device = 0; // the launcher shows each process its own
    if (team->launched && p->options.tile_count)
        return complain("--cublasxt: it wants all GPUs in one process"), EXIT_USAGE;
    if (!team_join(team, p->options.meet, 60, p->crew.engine->make_id)) return EXIT_FAILED;
    for (int s = 0; s < p->count; s++) {
        plan.collectives |= !p->schemes[s]->no_nccl;
        plan.peers |= p->schemes[s]->one_process && !team->launched && team->ranks > 1;
    }
    plan.ranks = team->ranks;
    plan.first = team->first;
    plan.count = team->count;
    plan.device = team->device;
    plan.id = team->launched ? team->id : NULL;
    if (!team_watch(p->crew.engine->healthy)) return EXIT_FAILED;
    team_guard("the GPUs' meeting", 120);
    const enum backend_status status = p->crew.engine->open(&plan, &p->crew.info);
    team_guard(NULL, 0);
    if (status == BACKEND_READY) return EXIT_GOOD;
    complain("%s", backend_error());
    return status == BACKEND_ABSENT ? EXIT_SKIPPED : EXIT_FAILED;
}

static void set_default_shape(struct program *p) {
    const int n = p->crew.engine && p->crew.engine->backend->timed ? 8192 : 256;
    if (p->options.shape_count == 0) p->options.shapes[p->options.shape_count++] = (struct shape){n, n, n};
}

static int run_on_devices(struct program *p) {
    int devices = 0, status = choose_engine(p, &devices);
    if (status != EXIT_GOOD) return status;
    set_default_shape(p);
    if (p->options.tile_count && p->crew.engine == &engine_sim)
        return complain("--cublasxt: it needs GPUs"), EXIT_SKIPPED;
    if (p->options.links && p->crew.engine == &engine_sim)
        return complain("--links: the simulator has no links, and no time"), EXIT_SKIPPED;
    status = open_devices(p, devices);
    if (status == EXIT_GOOD) {
        interrupt_install();
        p->crew.staging.backend = p->crew.engine->backend;
        if (p->crew.team.first == 0) {
            report_device(p->crew.engine->backend, &p->crew.info);
            printf("%d of them, %s\n", p->crew.team.ranks, p->crew.engine->transport());
        }
        if (p->options.links) {
            status = links_run(&p->crew, &p->results) ? EXIT_GOOD : interrupted() ? EXIT_INTERRUPTED : EXIT_FAILED;
        } else {
            status = load_workers(p) ? run_all(p) : EXIT_FAILED;
        }
        unload_workers(p);
        staging_free(&p->crew.staging);
    }
    if (status == EXIT_GOOD) team_leave();
    p->crew.engine->close();
    return status;
}

static void list_schemes(const struct step *step) {
    printf("%s: %s\n", step->name, step->idea);
    for (const struct scheme *s = step->schemes; s->name; s++) printf("    %-10s %s\n", s->name, s->idea);
}

int main(int argc, char **argv) {
    static struct program p;
    streams_guard();
    p.step = find_step();
    if (!p.step) return complain("no lesson on several GPUs is linked in"), EXIT_FAILED;
    if (!gpus_options_parse(argc, argv, &p.options)) return EXIT_USAGE;
    if (p.options.list) return list_schemes(p.step), EXIT_GOOD;
    if (!choose_schemes(&p) || !choose_kernel(&p)) return EXIT_USAGE;
    if (!csv_open(&p.results, p.options.csv, p.options.links ? LINKS_HEADER : result_header()) ||
        !csv_open(&p.details, p.options.details, DETAILS_HEADER) ||
        !csv_open(&p.timeline, p.options.timeline, TIMELINE_HEADER)) {
        return EXIT_USAGE;
    }
    int status;
    if (p.options.predict) {
        p.crew.info = (struct device_info){.name = "NVIDIA H200", .multiprocessors = 132};
        if (p.options.gpus_count == 0) p.options.gpus[p.options.gpus_count++] = 2;
        if (p.options.shape_count == 0) p.options.shapes[p.options.shape_count++] = (struct shape){8192, 8192, 8192};
        status = predict_all(&p);
    } else {
        status = run_on_devices(&p);
    }
    csv_close(&p.timeline);
    csv_close(&p.details);
    csv_close(&p.results);
    return status;
}
