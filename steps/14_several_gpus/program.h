// The parts of the program of a lesson on several GPUs: main.c calls measure.c, which calls rows.c.
#pragma once

#include "harness/csv.h"
#include "job.h"
#include "options.h"
#include "xt.h"

enum { MOST_SCHEMES = 16, MOST_ROUNDS = 1000 };

struct gpus_program {
    struct gpus_options options;
    const struct step *step;
    const struct scheme *schemes[MOST_SCHEMES]; // the `count` schemes that were chosen
    int count;
    struct choice kernel;
    struct crew crew;
    struct csv results, details, timeline;
    long failures, left_out; // failed checks; jobs that do not fit in the memory
};

// The results of one job.
struct found {
    bool checked, timed;
    struct job_verdict verdict;
    double ms[MOST_ROUNDS];
    int rounds;
    double received, compute_ms, travel_ms; // NAN if not measured
};

// --- measure.c: each requested problem -----------------------------------------------------------

// Returns what predictions need to know of the devices of program->crew. The kernel's speed,
// tflops, is NAN; the caller sets it.
struct figures figures_of(const struct gpus_program *program);

// predict_all() predicts all requested schemes, sizes and numbers of GPUs. measure_all() checks and
// times all requested schemes and sizes on the opened devices, and counts the bytes that ranks
// receive. Both report failures and return the exit status.
int predict_all(struct gpus_program *program);
int measure_all(struct gpus_program *program);

// --- rows.c: results as rows of CSV files and as lines of text -----------------------------------

extern const char details_header[], timeline_header[];

// The functions below that return bool print why they fail, and return false.

// write_spans() appends a row to the file of --timeline for each operation of `rank`.
// write_predicted_spans() does so for the prediction of rank 0, if its time is known and --timeline
// was given.
bool write_spans(struct gpus_program *program, const struct job *job, const char *backend, int rank,
                 const struct schedule *schedule, const struct operation_span *spans);
bool write_predicted_spans(struct gpus_program *program, const struct job *job);

// Writes the prediction as a JSON line if JSON lines are wanted.
void prediction_to_json(const struct gpus_program *program, const struct job *job);

// Appends a row to the files of --csv and --details, prints a line of text, and writes JSON lines
// if they are wanted. Only rank 0 writes.
bool write_found(struct gpus_program *program, const struct job *job, const struct found *found);

// Appends a row and prints a line for cublasXt with tiles of this size.
bool write_cublasxt(struct gpus_program *program, struct shape shape, int tile,
                    const struct xt_found *found);
