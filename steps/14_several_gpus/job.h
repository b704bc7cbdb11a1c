// One problem, shared out by one scheme, on the devices of this process.
#pragma once

#include "engine.h"
#include "harness/contender.h"
#include "harness/problem.h"
#include "predict.h"
#include "schedule.h"
#include "team.h"

// What a device computes with: the kernel on all SMs, and the same on fewer, while something travels.
struct worker {
    struct contender alone, beside;
};

struct crew {
    const struct engine *engine;
    struct device_info info; // of the first device; all are taken to be equal
    struct team team;
    struct staging staging;
    struct worker *workers; // (team.count)
};

struct job_plan {
    const struct scheme *scheme;
    struct shape shape;
    int pad, panel, channels;
    double alpha, beta;
    enum inputs inputs;
    uint64_t seed;
    bool check;
    int tile_rows; // of the kernel
    double limit;  // seconds a run may take, 0: by its prediction
    struct figures figures;
};

struct job {
    struct crew *crew;
    struct job_plan plan;
    struct schedule *schedules; // (team.ranks) of all ranks
    struct schedule **mine;     // (team.count) of this process's
    struct prediction prediction;
    struct problem *problems;             // (team.count)
    device_pointer (*work)[MOST_BUFFERS]; // (team.count)
    char name[128];                       // "panels at 8192x8192x8192"
};

// Figures of all ranks together.
struct job_verdict {
    int64_t faults;
    double error_ratio, error_max, error_rms, error_bias;
    bool same; // bits from run to run
};

// Shares out and predicts; takes no memory of a device. Complains and returns false; job_close() it in any case.
bool job_plan(struct job *job, struct crew *crew, const struct job_plan *plan);

// Whether the devices have the memory; complains when not.
bool job_fits(const struct job *job);

// Takes memory and fills it.
bool job_open(struct job *job);
void job_close(struct job *job);

// Runs the schedules once, in all processes, and waits for the end. ms: NULL, or the time of the slowest rank.
bool job_run(struct job *job, double *ms, bool marks);

// Restores C, runs, compares; `repeat` times, for the same bits.
bool job_check(struct job *job, int repeat, struct job_verdict *verdict);

// Before a timed run: C where it is read, the caches.
bool job_prepare(struct job *job);

// When operation `number` of local rank `local` began and ended in the last run with marks, in ms.
bool job_span(struct job *job, int local, int number, struct span *span);
