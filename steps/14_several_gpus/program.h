// The program of a lesson on several GPUs, from its command line to its rows.
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
    long failures, left_out;
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

// Returns the figures of the devices of program->crew, without the speed, for predictions.
struct figures figures_of(const struct gpus_program *program);

// These functions go through all requested numbers of GPUs, sizes and schemes. The first predicts;
// the second checks, times and counts. Both report failures and return the exit status.
int predict_all(struct gpus_program *program);
int measure_all(struct gpus_program *program);

// --- rows.c: results as rows of CSV files and as lines of text -----------------------------------

extern const char details_header[], timeline_header[];

// The functions below complain and return false on failure.

// These append a row of timeline.csv for each operation, as measured on `rank` or as predicted for
// rank 0. write_predicted_spans() appends nothing if the speed is unknown.
bool write_spans(struct gpus_program *program, const struct job *job, const char *backend, int rank,
                 const struct schedule *schedule, const struct operation_span *spans);
bool write_predicted_spans(struct gpus_program *program, const struct job *job);

// Writes the prediction as a JSON line if JSON lines are wanted.
void prediction_to_json(const struct gpus_program *program, const struct job *job);

// Appends a row to results.csv and one to details.csv, and prints a line. Only rank 0 writes.
bool write_found(struct gpus_program *program, const struct job *job, const struct found *found);

// Appends the row and prints the line of cublasXt with tiles of this size.
bool write_cublasxt(struct gpus_program *program, struct shape shape, int tile,
                    const struct xt_found *found);
