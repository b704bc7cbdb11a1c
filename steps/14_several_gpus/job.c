// Runs the schedules of one problem on the devices of this process.
#include "job.h"
#include "harness/interrupt.h"
#include "harness/report.h"
#include "harness/say.h"
#include "harness/statistics.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT_BYTES = 4, BEGIN_MARK = 0, END_MARK = 1, FIRST_MARK = 2 };

// Rows of C that each rank compares with float64. At 131072 cubed, 256 rows would take minutes.
enum { ROWS_OF_A_RANK = 64 };

// Without --limit, the time limit of a run is LEAST_LIMIT seconds plus LIMIT_FACTOR times the
// predicted time. If the speed is unknown, SLOWEST_TFLOPS TFLOP/s per GPU are assumed.
static const double LEAST_LIMIT = 30, LIMIT_FACTOR = 20, SLOWEST_TFLOPS = 1;

// The speed comes from the median time of SPEED_LAUNCHES launches of a product. If the launch that
// warms up takes more than SLOW_MS milliseconds, only one launch is timed.
enum { SPEED_LAUNCHES = 5, SLOW_MS = 1000 };

static int begin_mark(int operation) {
    return FIRST_MARK + 2 * operation;
}

static int end_mark(int operation) {
    return FIRST_MARK + 2 * operation + 1;
}

// --- planning ------------------------------------------------------------------------------------

static bool out_of_memory(void) {
    return say_error("not enough host memory");
}

static bool predict(struct job *job) {
    struct schedule *all[MOST_GPUS];
    for (int r = 0; r < job->crew->team.ranks; r++) all[r] = &job->schedules[r];
    job->plan.figures.tflops = job->plan.speed.tflops;
    return predict_schedules(all, job->crew->team.ranks, &job->plan.figures, &job->prediction,
                             NULL) ||
           say_error("%s: the ranks' collectives do not match", job->name);
}

static bool write_schedules(struct job *job) {
    const struct job_plan *p = &job->plan;
    struct schedule *all[MOST_GPUS];
    for (int r = 0; r < job->crew->team.ranks; r++) {
        struct schedule *s = all[r] = &job->schedules[r];
        *s = (struct schedule){.ranks = job->crew->team.ranks,
                               .rank = r,
                               .m = p->shape.m,
                               .n = p->shape.n,
                               .k = p->shape.k,
                               .pads = {p->pad, p->pad, p->pad},
                               .panel = p->panel,
                               .beta_is_zero = p->beta == 0};
        if (!schedule_write(s, p->scheme)) return out_of_memory();
        if (s->count > MOST_OPERATIONS)
            return say_error("%s: %d operations, more than %d: choose a larger --panel", job->name,
                             s->count, MOST_OPERATIONS);
    }
    char fault[256];
    if (schedules_verify(all, job->crew->team.ranks, fault, sizeof fault) != SCHEDULE_IS_SAFE)
        return say_error("%s: %s", job->name, fault);
    for (int i = 0; i < job->crew->team.count; i++) job->mine[i] = all[job->crew->team.first + i];
    if (p->speed.source == SPEED_UNKNOWN)
        job->plan.speed = speed_modelled(all[0], &p->kernel, &job->crew->info);
    return predict(job);
}

bool job_plan(struct job *job, struct crew *crew, const struct job_plan *plan) {
    *job = (struct job){.crew = crew, .plan = *plan};
    snprintf(job->name, sizeof job->name, "%s at %dx%dx%d", plan->scheme->name, plan->shape.m,
             plan->shape.n, plan->shape.k);
    job->schedules = calloc((size_t)crew->team.ranks, sizeof *job->schedules);
    job->mine = calloc((size_t)crew->team.count, sizeof *job->mine);
    job->problems = calloc((size_t)crew->team.count, sizeof *job->problems);
    job->work = calloc((size_t)crew->team.count, sizeof *job->work);
    if (!job->schedules || !job->mine || !job->problems || !job->work) return out_of_memory();
    return write_schedules(job);
}

// --- memory --------------------------------------------------------------------------------------

// Returns the bytes that a rank needs. C counts twice, because a copy of its first values is kept.
static int64_t bytes_needed(const struct schedule *s) {
    int64_t elements = 0;
    for (int i = PIECE_A; i <= PIECE_C; i++) {
        elements += (i == PIECE_C ? 2 : 1) * s->pieces[i].rows * (s->pieces[i].cols + s->pads[i]);
    }
    return elements * ELEMENT_BYTES + schedule_work_bytes(s);
}

bool job_fits(const struct job *job) {
    int64_t most = 0;
    for (int r = 0; r < job->crew->team.ranks; r++) {
        const int64_t bytes = bytes_needed(&job->schedules[r]);
        most = bytes > most ? bytes : most;
    }
    if (most <= job->crew->info.memory_bytes) return true;
    return say_error("%s needs %.1f GB on each of %d GPUs, which have %.1f GB: choose a smaller "
                     "--size or --panel, more --gpus, or another --variant",
                     job->name, (double)most * 1e-9, job->crew->team.ranks,
                     (double)job->crew->info.memory_bytes * 1e-9);
}

static struct place place_of(struct piece p) {
    return (struct place){p.row, p.col, p.rows, p.cols};
}

static bool open_rank(struct job *job, int local) {
    const struct schedule *s = job->mine[local];
    const struct job_plan *p = &job->plan;
    const struct backend *backend = job->crew->engine->backend;
    const struct stride stride = {STRIDE_MORE, p->pad};
    const int shift = p->pad % 4;
    const struct problem_plan plan = {
        .element = FP32,
        .shape = {(int)s->pieces[PIECE_C].rows, (int)s->pieces[PIECE_C].cols, p->shape.k},
        .layout = {.ld = {stride, stride, stride}, .shift = {shift, shift, shift}},
        .inputs = p->inputs,
        .check = p->check,
        .rows = ROWS_OF_A_RANK,
        .seed = p->seed,
        .tile_rows = &p->tile_rows,
        .tile_count = 1,
    };
    const struct place places[] = {place_of(s->pieces[PIECE_A]), place_of(s->pieces[PIECE_B]),
                                   place_of(s->pieces[PIECE_C])};
    if (!job->crew->engine->select(local)) return say_error("%s", backend_error());
    for (int b = FIRST_WORK; b < s->buffers; b++) {
        if (s->work[b] > 0 &&
            !backend->allocate(s->work[b] * ELEMENT_BYTES, 0, &job->work[local][b]))
            return say_error("%s: %s", job->name, backend_error());
    }
    return problem_open_pieces(&job->problems[local], backend, &job->crew->staging,
                               &job->crew->info, &plan, places) &&
           problem_set(&job->problems[local], p->alpha, p->beta);
}

bool job_open(struct job *job) {
    const struct schedule *s = job->mine[0];
    for (int i = 0; i < job->crew->team.count; i++) {
        if (interrupt_seen() || !open_rank(job, i)) return false;
    }
    team_guard(job->name, LEAST_LIMIT);
    const bool arranged =
        job->plan.scheme->no_nccl ||
        job->crew->engine->arrange(s->grid_rows, s->grid_cols, job->plan.channels);
    team_guard(NULL, 0);
    return arranged || say_error("%s: %s", job->name, backend_error());
}

void job_close(struct job *job) {
    const struct gpu_engine *engine = job->crew->engine;
    for (int i = 0; job->problems && i < job->crew->team.count; i++) {
        if (!job->problems[i].backend && !job->work[i][FIRST_WORK]) continue;
        engine->select(i);
        if (job->problems[i].backend) problem_close(&job->problems[i]);
        for (int b = FIRST_WORK; b < MOST_BUFFERS; b++) {
            if (job->work[i][b]) engine->backend->release(job->work[i][b]);
        }
    }
    for (int r = 0; job->schedules && r < job->crew->team.ranks; r++)
        schedule_free(&job->schedules[r]);
    free(job->schedules);
    free(job->mine);
    free(job->problems);
    free(job->work);
    *job = (struct job){.crew = job->crew};
}

// --- running -------------------------------------------------------------------------------------

// The context of the callbacks of schedules_walk().
struct entering {
    struct job *job;
    bool marks; // true to record when each operation begins and ends
};

static const struct matrix *piece_matrix(const struct job *job, int local, int buffer) {
    const struct problem *p = &job->problems[local];
    return buffer == PIECE_A ? &p->a : buffer == PIECE_B ? &p->b : &p->c;
}

// Returns the address of a tile of a local rank.
static device_pointer address_of(const struct job *job, int local, struct buffer_tile tile) {
    const device_pointer start = tile.buffer < FIRST_WORK
                                     ? matrix_address(piece_matrix(job, local, tile.buffer), 0)
                                     : job->work[local][tile.buffer];
    return start + (uint64_t)(tile.at * ELEMENT_BYTES);
}

static struct strip strip_of(const struct job *job, int local, struct buffer_tile tile) {
    return (struct strip){address_of(job, local, tile), tile.ld * ELEMENT_BYTES};
}

// Returns a tile as a matrix of its own, for the launcher of the kernel.
static struct matrix matrix_of(const struct job *job, int local, enum matrix_kind kind,
                               struct buffer_tile tile) {
    return (struct matrix){.kind = kind,
                           .element = FP32,
                           .rows = tile.rows,
                           .cols = tile.cols,
                           .ld = tile.ld,
                           .buffer = address_of(job, local, tile)};
}

static bool enter_product(struct job *job, int local, const struct operation *o) {
    struct rank_worker *worker = &job->crew->workers[local];
    const double factors[] = {
        [FACTOR_BETA] = job->problems[local].beta, [FACTOR_ZERO] = 0, [FACTOR_ONE] = 1};
    const struct problem product = {.backend = job->crew->engine->backend,
                                    .a = matrix_of(job, local, MATRIX_A, o->a),
                                    .b = matrix_of(job, local, MATRIX_B, o->b),
                                    .c = matrix_of(job, local, MATRIX_C, o->c),
                                    .alpha = job->problems[local].alpha,
                                    .beta = factors[o->factor]};
    return contender_launch(o->beside ? &worker->beside : &worker->alone, &product);
}

// Makes the operation's stream wait for the operations that its `waits` name. If e->marks, records
// the beginning.
static bool begin_operation(const struct entering *e, int local, int number) {
    const struct gpu_engine *engine = e->job->crew->engine;
    const struct operation *o = &e->job->mine[local]->operations[number];
    for (int w = 0; w < MOST_WAITS; w++) {
        if (o->waits[w] >= 0 && !engine->wait(local, o->stream, end_mark(o->waits[w])))
            return false;
    }
    return !e->marks || engine->mark(local, o->stream, begin_mark(number));
}

// Records the end of an operation, for which others may wait.
static bool end_operation(const struct entering *e, int local, int number) {
    const struct operation *o = &e->job->mine[local]->operations[number];
    return e->job->crew->engine->mark(local, o->stream, end_mark(number));
}

// Returns the local number of a rank of this process.
static int local_of(const struct job *job, int rank) {
    return rank - job->crew->team.first;
}

// Puts one operation of a local rank into its stream.
static bool enter_own(void *context, int local, int number) {
    const struct entering *e = context;
    struct job *job = e->job;
    const struct gpu_engine *engine = job->crew->engine;
    const struct operation *o = &job->mine[local]->operations[number];
    const int from = o->kind == PULL ? local_of(job, o->source) : local;
    if (!engine->select(local) || !begin_operation(e, local, number)) return false;
    const bool done =
        o->kind == MULTIPLY
            ? enter_product(job, local, o)
            : engine->copy(local, o->stream, strip_of(job, local, o->to), from,
                           strip_of(job, from, o->from), o->to.cols * ELEMENT_BYTES, o->to.rows);
    return done && end_operation(e, local, number);
}

// Returns the number of a rank within its group.
static int number_in(struct members members, int rank) {
    return (rank - members.first) / members.step;
}

static bool enter_collective(struct job *job, int local, const struct operation *o) {
    const struct gpu_engine *engine = job->crew->engine;
    const struct schedule *s = job->mine[local];
    const device_pointer to = address_of(job, local, o->to), from = address_of(job, local, o->from);
    switch (o->kind) {
    case EXCHANGE:
        return engine->exchange(local, from, tile_elements(o->from), o->target, to,
                                tile_elements(o->to), o->source);
    case GATHER:
        return engine->gather(local, to, tile_elements(o->to) / s->ranks);
    case BROADCAST:
        return engine->broadcast(local, (int)o->group,
                                 number_in(members_of(s, o->group), o->source), from, to,
                                 tile_elements(o->to));
    default:
        return engine->reduce_scatter(local, from, to, tile_elements(o->to));
    }
}

// Puts a collective into the streams of all local ranks.
static bool enter_together(void *context, const int *numbers) {
    const struct entering *e = context;
    struct job *job = e->job;
    const struct gpu_engine *engine = job->crew->engine;
    const int count = job->crew->team.count;
    for (int i = 0; i < count; i++) {
        if (!begin_operation(e, i, numbers[i])) return false;
    }
    if (!engine->begin()) return false;
    for (int i = 0; i < count; i++) {
        if (!enter_collective(job, i, &job->mine[i]->operations[numbers[i]])) return false;
    }
    if (!engine->end()) return false;
    for (int i = 0; i < count; i++) {
        if (!end_operation(e, i, numbers[i])) return false;
    }
    return true;
}

// Puts the schedules of all local ranks into their streams and waits for them. Both streams of a
// rank begin at BEGIN_MARK and end at END_MARK.
static bool enter_all(struct job *job, bool marks) {
    const struct gpu_engine *engine = job->crew->engine;
    struct entering entering = {job, marks};
    for (int i = 0; i < job->crew->team.count; i++) {
        if (!engine->mark(i, COMPUTE, BEGIN_MARK) || !engine->wait(i, TRAVEL, BEGIN_MARK))
            return false;
    }
    if (!schedules_walk(job->mine, job->crew->team.count,
                        &(struct walker){enter_own, enter_together, &entering}))
        return false;
    for (int i = 0; i < job->crew->team.count; i++) {
        if (!engine->mark(i, TRAVEL, END_MARK) || !engine->wait(i, COMPUTE, END_MARK) ||
            !engine->mark(i, COMPUTE, END_MARK))
            return false;
    }
    return engine->finish();
}

static double limit_of(const struct job *job) {
    const struct shape *s = &job->plan.shape;
    double seconds = job->prediction.ms * 1e-3;
    if (job->plan.limit > 0) return job->plan.limit;
    if (isnan(seconds))
        seconds = 2e-12 * s->m * s->n * s->k / job->crew->team.ranks / SLOWEST_TFLOPS;
    return LEAST_LIMIT + LIMIT_FACTOR * seconds;
}

bool job_run(struct job *job, double *ms, bool marks) {
    const struct gpu_engine *engine = job->crew->engine;
    double slowest = 0, barrier = 0;
    team_guard(job->name, limit_of(job));
    team_largest(&barrier, 1);
    bool done = enter_all(job, marks);
    for (int i = 0; done && ms && i < job->crew->team.count; i++) {
        double mine;
        done = engine->elapsed(i, BEGIN_MARK, END_MARK, &mine);
        slowest = isnan(mine) || mine > slowest ? mine : slowest;
    }
    team_guard(NULL, 0);
    if (!done) return say_error("%s: %s", job->name, backend_error());
    team_largest(&slowest, 1);
    if (ms) *ms = slowest;
    return true;
}

// Calls `act` for the problem of each local rank.
static bool each_problem(struct job *job, bool (*act)(struct problem *p)) {
    for (int i = 0; i < job->crew->team.count; i++) {
        if (!job->crew->engine->select(i) || !act(&job->problems[i]))
            return say_error("%s: %s", job->name, backend_error());
    }
    return true;
}

static bool flush(struct problem *p) {
    return p->backend->flush_cache();
}

bool job_prepare(struct job *job) {
    return (job->plan.beta == 0 || each_problem(job, problem_restore)) && each_problem(job, flush);
}

bool job_span(struct job *job, int local, int number, struct operation_span *span) {
    const struct gpu_engine *engine = job->crew->engine;
    return (engine->elapsed(local, BEGIN_MARK, begin_mark(number), &span->start) &&
            engine->elapsed(local, BEGIN_MARK, end_mark(number), &span->end)) ||
           say_error("%s: %s", job->name, backend_error());
}

// --- measuring the speed -------------------------------------------------------------------------

// Returns the largest product for which a rank's own pieces suffice. Work buffers are not used:
// they have no data yet, and the speed of some kernels depends on the data.
static struct operation own_product(const struct schedule *s) {
    const struct piece *a = &s->pieces[PIECE_A], *b = &s->pieces[PIECE_B], *c = &s->pieces[PIECE_C];
    const int64_t rows = a->rows < c->rows ? a->rows : c->rows,
                  cols = b->cols < c->cols ? b->cols : c->cols;
    const int64_t depth = a->cols < b->rows ? a->cols : b->rows;
    return (struct operation){.kind = MULTIPLY,
                              .stream = COMPUTE,
                              .a = piece_tile(s, PIECE_A, 0, 0, rows, depth),
                              .b = piece_tile(s, PIECE_B, 0, 0, depth, cols),
                              .c = piece_tile(s, PIECE_C, 0, 0, rows, cols),
                              .factor = FACTOR_BETA};
}

// Sets *ms to the time of a local rank's own product. The first launch warms up, and decides how
// many launches are timed.
static bool time_product(struct job *job, int local, const struct operation *product, double *ms) {
    const struct gpu_engine *engine = job->crew->engine;
    double times[SPEED_LAUNCHES];
    int count = SPEED_LAUNCHES;
    for (int i = -1; i < count; i++) {
        double *took = &times[i < 0 ? 0 : i];
        if (interrupt_seen() || !engine->mark(local, COMPUTE, BEGIN_MARK) ||
            !enter_product(job, local, product) || !engine->mark(local, COMPUTE, END_MARK) ||
            !engine->finish() || !engine->elapsed(local, BEGIN_MARK, END_MARK, took))
            return false;
        if (i < 0 && *took > SLOW_MS) count = 1;
    }
    *ms = median_of(times, count);
    return true;
}

bool job_measure(struct job *job) {
    double slowest = 0, ms = 0; // `slowest` is in milliseconds per FLOP
    if (job->plan.speed.source == SPEED_GIVEN || job->plan.speed.source == SPEED_RECORDED)
        return true;
    team_guard(job->name, limit_of(job));
    bool done = true;
    for (int i = 0; done && i < job->crew->team.count; i++) {
        const struct operation product = own_product(job->mine[i]);
        if (operation_flops(&product) == 0) continue;
        done = job->crew->engine->select(i) && time_product(job, i, &product, &ms);
        slowest = fmax(slowest, ms / operation_flops(&product));
    }
    team_guard(NULL, 0);
    if (!done) return !interrupt_seen() && say_error("%s: %s", job->name, backend_error());
    team_largest(&slowest, 1);
    if (slowest > 0) job->plan.speed = (struct speed){1e-9 / slowest, SPEED_MEASURED};
    return predict(job);
}

// --- checking ------------------------------------------------------------------------------------

static void report_rank_faults(const struct job *job, int local, const struct verdict *v) {
    char text[256];
    const struct problem *p = &job->problems[local];
    say_error("%s fails on rank %d of %d: %lld elements of its part of C, %lldx%lld from row %lld, "
              "column %lld",
              job->name, job->crew->team.first + local, job->crew->team.ranks,
              (long long)v->fault_count, (long long)p->c.rows, (long long)p->c.cols,
              (long long)p->c.first_row, (long long)p->c.first_col);
    for (int i = 0; i < MAX_FAULTS && i < v->fault_count; i++) {
        describe_fault(&v->faults[i], FP32, text, sizeof text);
        say_error("  %s", text);
    }
}

static void add_verdict(struct job_verdict *all, const struct verdict *v) {
    all->faults += v->fault_count;
    all->error_ratio = fmax(all->error_ratio, v->error_ratio);
    all->error_max = fmax(all->error_max, v->error_max);
    all->error_rms = fmax(all->error_rms, v->error_rms); // the largest of the ranks' RMS errors
    all->error_bias = fmax(all->error_bias, fabs(v->error_bias));
}

static bool restore_and_run(struct job *job) {
    return each_problem(job, problem_restore) && job_run(job, NULL, false);
}

// Sets digests[] to hashes of the bits of C, one per local rank.
static bool digest_all(struct job *job, uint64_t *digests) {
    for (int i = 0; i < job->crew->team.count; i++) {
        if (!job->crew->engine->select(i) || !problem_digest(&job->problems[i], &digests[i]))
            return say_error("%s: %s", job->name, backend_error());
    }
    return true;
}

static bool same_again(struct job *job, int repeat, struct job_verdict *verdict) {
    uint64_t first[MOST_GPUS], again[MOST_GPUS];
    if (repeat > 1 && !digest_all(job, first)) return false;
    for (int i = 1; i < repeat; i++) {
        if (interrupt_seen() || !restore_and_run(job) || !digest_all(job, again)) return false;
        if (memcmp(first, again, (size_t)job->crew->team.count * sizeof *first) == 0) continue;
        verdict->same = false;
        say_error("%s: the bits of C differ between run %d and run 1; expected equal bits",
                  job->name, i + 1);
    }
    return true;
}

bool job_check(struct job *job, int repeat, struct job_verdict *verdict) {
    *verdict = (struct job_verdict){.same = true};
    if (!restore_and_run(job)) return false;
    for (int i = 0; i < job->crew->team.count; i++) {
        struct verdict mine;
        if (!job->crew->engine->select(i) || !problem_check(&job->problems[i], &mine))
            return say_error("%s: %s", job->name, backend_error());
        add_verdict(verdict, &mine);
        if (mine.fault_count > 0) report_rank_faults(job, i, &mine);
    }
    if (!same_again(job, repeat, verdict) || !each_problem(job, problem_inputs_intact))
        return false;
    double values[] = {(double)verdict->faults, verdict->same ? 0 : 1, verdict->error_ratio,
                       verdict->error_max,      verdict->error_rms,    verdict->error_bias};
    team_largest(values, 6);
    *verdict = (struct job_verdict){(int64_t)values[0], values[2], values[3],
                                    values[4],          values[5], values[1] == 0};
    return true;
}
