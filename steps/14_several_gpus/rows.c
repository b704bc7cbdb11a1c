// Writes the results of a job as rows of CSV files, as JSON lines and as a line of text.
#include "base/channel.h"
#include "commit.h" // COMMIT, made by the Makefile
#include "harness/report.h"
#include "harness/say.h"
#include "harness/statistics.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char details_header[] = "time,commit,backend,device,transport,step,variant,kernel,gpus,"
                              "processes,m,n,k,panel,leave,channels,received_predicted,"
                              "received_counted,ms_predicted,ms_compute_predicted,"
                              "ms_travel_predicted,ms_median,ms_compute,ms_travel";
const char timeline_header[] = "time,commit,backend,device,step,variant,kernel,gpus,m,n,k,leave,"
                               "rank,stream,number,what,start_ms,end_ms";

bool write_spans(struct gpus_program *p, const struct job *job, const char *backend, int rank,
                 const struct schedule *s, const struct operation_span *spans) {
    char line[512];
    for (int i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        snprintf(line, sizeof line, "%s,%s,%s,\"%s\",%s,%s,%s,%d,%d,%d,%d,%d,%d,%s,%d,%s,%.6g,%.6g",
                 time_now(), COMMIT, backend, p->crew.info.name, p->step->name,
                 job->plan.scheme->name, p->options.kernel, s->ranks, job->plan.shape.m,
                 job->plan.shape.n, job->plan.shape.k, p->options.leave, rank,
                 o->stream == COMPUTE ? "compute" : "travel", i, operation_names[o->kind],
                 spans[i].start, spans[i].end);
        if (!csv_append(&p->timeline, line)) return false;
    }
    return true;
}

bool write_predicted_spans(struct gpus_program *p, const struct job *job) {
    struct operation_span spans[MOST_OPERATIONS];
    struct schedule *all[MOST_GPUS];
    struct prediction again;
    if (!p->options.timeline || isnan(job->prediction.ms)) return true;
    for (int r = 0; r < job->crew->team.ranks; r++) all[r] = &job->schedules[r];
    return predict_schedules(all, job->crew->team.ranks, &job->plan.figures, &again, spans) &&
           write_spans(p, job, "predicted", 0, all[0], spans);
}

static const char *number(char text[32], double value) {
    snprintf(text, 32, "%.9g", value);
    return isnan(value) ? "" : text;
}

static bool write_details(struct gpus_program *p, const struct job *job, const struct found *f,
                          double median) {
    char line[1024], n[8][32];
    const struct prediction *q = &job->prediction;
    snprintf(line, sizeof line,
             "%s,%s,%s,\"%s\",%s,%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%s",
             time_now(), COMMIT, p->crew.engine->name, p->crew.info.name,
             p->crew.engine->transport(), p->step->name, job->plan.scheme->name, p->options.kernel,
             p->crew.team.ranks, p->crew.team.launched ? p->crew.team.ranks : 1, job->plan.shape.m,
             job->plan.shape.n, job->plan.shape.k, p->options.panel, p->options.leave,
             job->plan.channels, number(n[0], schedule_received(job->mine[0])),
             number(n[1], f->received), number(n[2], q->ms), number(n[3], q->compute_ms),
             number(n[4], q->travel_ms), number(n[5], median), number(n[6], f->compute_ms),
             number(n[7], f->travel_ms));
    return csv_append(&p->details, line);
}

// Returns a row of results.csv for a problem of this shape on all GPUs. It has no measurements yet;
// the caller sets them.
static struct result row_for(const struct gpus_program *p, struct shape shape) {
    struct result r = result_unmeasured();
    r.time = time_now();
    r.commit = COMMIT;
    r.backend = p->crew.engine->name;
    r.device = p->crew.info.name;
    r.driver = p->crew.info.driver;
    r.m = shape.m;
    r.n = r.ldb = r.ldc = shape.n;
    r.k = r.lda = shape.k;
    r.alpha = 1;
    r.beta = 0;
    r.rounds = 0;
    r.check = "off";
    r.gpus = p->crew.team.ranks;
    r.inputs = inputs_names[INPUTS_UNIFORM];
    return r;
}

static double tflops_of(struct shape shape, double ms) {
    return 2.0 * shape.m * shape.n * shape.k / ms * 1e-9;
}

static struct result make_result(const struct gpus_program *p, const struct job *job,
                                 const struct found *f) {
    const struct device_info *info = &p->crew.info;
    const double peak =
        2e-6 * info->multiprocessors * info->lanes * info->clock_mhz * p->crew.team.ranks;
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

// Begins a JSON line of this type (sasskit/docs/json.md) with the members that identify the job.
static struct json job_line(const char *type, const struct gpus_program *p, const struct job *job) {
    struct json j = channel_line(type);
    json_text(&j, "step", p->step->name);
    json_text(&j, "variant", job->plan.scheme->name);
    json_integer(&j, "gpus", job->crew->team.ranks);
    json_integer(&j, "m", job->plan.shape.m);
    json_integer(&j, "n", job->plan.shape.n);
    json_integer(&j, "k", job->plan.shape.k);
    return j;
}

// Writes a member with a number, or with null if the number is NAN.
static void put_number(struct json *j, const char *name, double value) {
    if (isnan(value))
        json_null(j, name);
    else
        json_number(j, name, value);
}

void prediction_to_json(const struct gpus_program *p, const struct job *job) {
    const struct prediction *q = &job->prediction;
    if (!channel_json()) return;
    struct json j = job_line("prediction", p, job);
    json_text(&j, "kernel", p->options.kernel);
    put_number(&j, "milliseconds", q->ms);
    put_number(&j, "tflops", q->ms > 0 ? tflops_of(job->plan.shape, q->ms) : NAN);
    put_number(&j, "compute_milliseconds", q->compute_ms);
    put_number(&j, "travel_milliseconds", q->travel_ms);
    put_number(&j, "received_bytes", q->received);
    put_number(&j, "gpu_tflops", job->plan.speed.tflops);
    json_text(&j, "speed", speed_source_name(job->plan.speed.source));
    json_end(&j);
}

static void found_to_json(const struct gpus_program *p, const struct job *job,
                          const struct found *f, const struct result *r) {
    if (!channel_json() || p->crew.team.first > 0) return;
    struct json j = job_line("verdict", p, job);
    json_text(&j, "check", r->check);
    json_null(&j, "finding");
    put_number(&j, "error_ratio", r->error_ratio);
    put_number(&j, "received_bytes", schedule_received(job->mine[0]));
    put_number(&j, "received_bytes_counted", f->received);
    json_end(&j);
    if (!f->timed) return;
    prediction_to_json(p, job);
    j = job_line("time", p, job);
    json_text(&j, "backend", r->backend);
    json_number(&j, "milliseconds", r->ms_median);
    json_number(&j, "tflops", r->tflops);
    json_end(&j);
}

enum { NARROW = 100 }; // wanted largest number of columns of a line without --wide

// Prints the result as one line, on rank 0 only. Without --wide, the line shows alpha, beta and the
// padding only if they are not the defaults. It shows the predicted time and the received bytes
// only as far as they fit into NARROW columns.
static void print_found(const struct gpus_program *p, const struct job *job, const struct found *f,
                        const struct result *r) {
    const bool wide = p->options.wide;
    char problem[160], measured[64] = "", predicted[96] = "", received[96] = "", check[32];
    int used, room;
    if (p->crew.team.first > 0) return;
    used = snprintf(problem, sizeof problem, "%-10s %d GPUs %5dx%dx%d", r->variant, (int)r->gpus,
                    (int)r->m, (int)r->n, (int)r->k);
    if (wide || r->alpha != 1)
        used += snprintf(problem + used, sizeof problem - used, " alpha %g", r->alpha);
    if (wide || r->beta != 0)
        used += snprintf(problem + used, sizeof problem - used, " beta %g", r->beta);
    if (wide || job->plan.pad != 0)
        used += snprintf(problem + used, sizeof problem - used, " pad %d", job->plan.pad);
    if (f->timed) {
        used +=
            snprintf(measured, sizeof measured, " %8.3f ms %6.1f TFLOP/s", r->ms_median, r->tflops);
        if (wide && !isnan(job->prediction.ms)) {
            snprintf(predicted, sizeof predicted,
                     " (predicted %.3f ms, from %.4g TFLOP/s of one GPU, %s)", job->prediction.ms,
                     job->plan.speed.tflops, speed_source_name(job->plan.speed.source));
        } else if (!isnan(job->prediction.ms)) {
            snprintf(predicted, sizeof predicted, " (predicted %.3f ms)", job->prediction.ms);
        }
    }
    if (isnan(f->received)) {
        snprintf(received, sizeof received, "  received %.0f bytes by schedule",
                 schedule_received(job->mine[0]));
    } else {
        snprintf(received, sizeof received, "  received %.0f bytes by schedule, %.0f counted",
                 schedule_received(job->mine[0]), f->received);
    }
    room = NARROW - used - snprintf(check, sizeof check, "  check %s", r->check);
    if (!wide) {
        if ((int)strlen(predicted) > room) predicted[0] = '\0';
        room -= (int)strlen(predicted);
        if ((int)strlen(received) > room) received[0] = '\0';
    }
    printf("%s%s%s%s%s\n", problem, measured, predicted, received, check);
    fflush(stdout);
}

bool write_found(struct gpus_program *p, const struct job *job, const struct found *f) {
    char line[4096];
    const struct result r = make_result(p, job, f);
    print_found(p, job, f, &r);
    found_to_json(p, job, f, &r);
    if (p->crew.team.first > 0) return true;
    if (!result_line(&r, line, sizeof line))
        return say_error("the line of the CSV would be too long");
    return csv_append(&p->results, line) && write_details(p, job, f, r.ms_median);
}

bool write_cublasxt(struct gpus_program *p, struct shape shape, int tile,
                    const struct xt_found *x) {
    char variant[32], line[4096];
    struct result r = row_for(p, shape);
    snprintf(variant, sizeof variant, "tile%d", tile);
    r.step = "cublasxt";
    r.variant = variant;
    r.mode = "burst";
    r.rounds = x->rounds;
    r.ms_median = x->ms_median;
    r.ms_min = x->ms_min;
    r.ms_max = x->ms_max;
    r.tflops = tflops_of(shape, x->ms_median);
    r.error_ratio = x->error_ratio;
    r.check = x->passed ? "pass" : "fail";
    printf("cublasXt %-8s %d GPUs %dx%dx%d %10.3f ms %8.1f TFLOP/s  from the host's memory  check "
           "%s\n",
           variant, p->crew.team.ranks, shape.m, shape.n, shape.k, x->ms_median, r.tflops, r.check);
    if (!result_line(&r, line, sizeof line))
        return say_error("the line of the CSV would be too long");
    return csv_append(&p->results, line);
}
