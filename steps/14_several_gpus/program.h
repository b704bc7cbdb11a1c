// The program of a lesson on several GPUs, from its command line to its rows.
#pragma once

#include "harness/csv.h"
#include "job.h"
#include "options.h"
#include "xt.h"

enum { MOST_SCHEMES = 16, MOST_ROUNDS = 1000 };

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
    double ms[MOST_ROUNDS];
    int rounds;
    double received, compute_ms, travel_ms; // NAN: not counted
};

// --- measure.c: each problem that was asked for ------------------------------------------------------------------------------

// One GPU's speed and links, for predictions, on the devices of program->crew.
struct figures figures_of(const struct program *program);

// Every count of GPUs, size and scheme, predicted; checked, timed and counted. Each complains of what is wrong and returns the exit
// status.
int predict_all(struct program *program);
int measure_all(struct program *program);

// --- rows.c: what was found, as rows and for the reader -----------------------------------------------------------------------

extern const char details_header[], timeline_header[];

// Rows of timeline.csv, as measured on `rank` and as predicted. Each of these complains and returns false.
bool write_spans(struct program *program, const struct job *job, const char *backend, int rank,
                 const struct schedule *schedule, const struct span *spans);
bool write_predicted_spans(struct program *program, const struct job *job);

// A row of results.csv, one of details.csv and a line on stdout; rank 0 writes for all.
bool write_found(struct program *program, const struct job *job, const struct found *found);

// The row and the line of a run of cublasXt with tiles of this size.
bool write_cublasxt(struct program *program, struct shape shape, int tile, const struct xt_found *found);
