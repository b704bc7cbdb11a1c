// Appending lines to a CSV file. Every line reaches the file in one write, so an interrupted run leaves a valid file; several
// programs may append to one file at the same time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct csv {
    const char *path; // NULL when no file was asked for: appending then does nothing
    const char *header;
    int file;
    bool created; // by us
    long lines;   // appended
};

// Opens `path` (or nothing when NULL) and makes sure that lines under `header` may be appended: the file is writable
// and either empty or begins with that header and ends with a whole line. Complains and returns false otherwise.
bool csv_open(struct csv *csv, const char *path, const char *header);

// Appends a line (without newline). Complains and returns false when it cannot be written whole.
bool csv_append(struct csv *csv, const char *line);

// Closes the file, and removes it again when it is ours and nothing was written.
void csv_close(struct csv *csv);

// One line of results.csv. A text may be NULL, a real NaN and a whole number -1: an empty field.
struct result {
    const char *time, *commit, *backend, *device, *driver, *step, *variant;
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    const char *mode;
    int64_t rounds;
    double ms_median, ms_min, ms_max;
    double tflops, pct_peak, vs_cublas;
    double error_ratio;
    const char *check;
    double sm_mhz, watts;
    int64_t registers, shared_bytes, threads, blocks_per_sm;
    int64_t gpus;
    double error_rms, error_bias;              // in units of u (|alpha| |A||B| + |beta| |C|), u = 2^-24 or 2^-53
    double cublas_error_max, cublas_error_rms; // of cuBLAS on the same problem, in the same units
    const char *inputs;                        // what A and B held, as in --inputs
    const char *code_hash;                     // of the kernels that ran (code.h); one per launch, with + between them
};

// A line of empty fields.
struct result result_unmeasured(void);

// The header of results.csv, and one line of it in `line`; false when `size` is too small.
const char *result_header(void);
bool result_line(const struct result *result, char *line, int size);

#define DIGESTS_HEADER "step,variant,m,n,k,lda,ldb,ldc,shift_a,shift_b,shift_c,alpha,beta,inputs,seed,digest"

// Now, as ISO 8601 in UTC, "2026-01-31T12:00:00Z".
const char *time_now(void);
