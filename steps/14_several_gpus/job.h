// A job: one problem, distributed by one scheme, on the devices of this process. A local rank is a
// rank of this process; local ranks are numbered from 0.
#pragma once

#include "engine.h"
#include "harness/contender.h"
#include "harness/problem.h"
#include "predict.h"
#include "schedule.h"
#include "speed.h"
#include "team.h"

// The kernel on one device, loaded twice: for all SMs and for fewer.
struct rank_worker {
    struct contender alone;  // uses all SMs
    struct contender beside; // uses fewer SMs, for products that run beside NCCL's kernels
};

// The devices of this process, and what all jobs on them share.
struct crew {
    const struct gpu_engine *engine;
    struct device_info info; // properties of the first device; all devices are assumed to be equal
    struct team team;
    struct staging staging;
    struct rank_worker *workers; // team.count workers
};

struct job_plan {
    const struct scheme *scheme;
    struct shape shape;
    int pad, panel, channels;
    double alpha, beta;
    enum inputs inputs;
    uint64_t seed;
    bool check;
    struct choice kernel;
    int tile_rows;          // height of the kernel's block tile
    double limit;           // seconds that a run may take; 0 if the prediction decides
    struct figures figures; // `figures.tflops` equals `speed.tflops`
    struct speed speed;     // if unknown, job_plan() or job_measure() sets it
};

struct job {
    struct crew *crew;
    struct job_plan plan;
    struct schedule *schedules; // the schedules of all team.ranks ranks
    struct schedule **mine;     // the schedules of this process's team.count ranks
    struct prediction prediction;
    struct problem *problems;             // per local rank, its pieces of A, B and C
    device_pointer (*work)[MOST_BUFFERS]; // per local rank, its work buffers
    char name[128];                       // the job's name in messages: "panels at 8192x8192x8192"
};

// The largest figures of all ranks.
struct job_verdict {
    int64_t faults; // faults of the process that has most
    double error_ratio, error_max, error_rms, error_bias;
    bool same; // true if every run gave equal bits
};

// Writes the schedules and predicts the time; allocates no device memory. Complains and returns
// false on failure. The caller calls job_close() in either case.
bool job_plan(struct job *job, struct crew *crew, const struct job_plan *plan);

// Returns true if the devices have enough memory; otherwise complains.
bool job_fits(const struct job *job);

// Allocates memory on the devices and fills it. Complains and returns false on failure.
bool job_open(struct job *job);
void job_close(struct job *job);

// Measures the speed, unless it was given or recorded: each rank times a product of its own pieces.
// The speed of the slowest rank counts. Then predicts again. Complains and returns false on
// failure.
bool job_measure(struct job *job);

// Runs the schedules once, in all processes, and waits for the end. Sets *ms, if it is not NULL, to
// the time of the slowest rank. If `marks`, records when each operation begins and ends.
bool job_run(struct job *job, double *ms, bool marks);

// Restores C, runs, and compares C with float64. Makes `repeat` runs in all, and compares the bits
// of C after each later run with those after the first.
bool job_check(struct job *job, int repeat, struct job_verdict *verdict);

// Prepares a timed run: restores C if it is read, and flushes the caches.
bool job_prepare(struct job *job);

// Sets *span to the times at which operation `number` of local rank `local` began and ended, in ms.
// Requires: the last run had marks.
bool job_span(struct job *job, int local, int number, struct operation_span *span);
