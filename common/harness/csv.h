// Appends lines to a CSV file. One call writes a whole line, so an interrupted run leaves a valid
// file, and several programs may append to one file.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct csv {
    const char *path; // NULL if there is no file; csv_append() then does nothing
    const char *header;
    int file;
    bool created; // true if this program created the file
    long lines;   // number of appended lines
};

// Opens the file `path`; no file if `path` is NULL. Ensures that lines under `header` may be
// appended: the file is writable and either empty, or begins with this header and ends with a
// complete line. Otherwise complains and returns false.
bool csv_open(struct csv *csv, const char *path, const char *header);

// Appends a line, given without its newline. Complains and returns false if it cannot be written
// completely.
bool csv_append(struct csv *csv, const char *line);

// Closes the file. Removes it if this program created it and wrote no line.
void csv_close(struct csv *csv);

// One line of results.csv. NULL, an int64_t of -1 and a double of NaN become empty fields.
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
    double error_rms, error_bias;              // in units (check.h)
    double cublas_error_max, cublas_error_rms; // cuBLAS's errors on this problem, in units
    const char *inputs;                        // the kind of inputs, as in --inputs
    const char *code_hash;                     // the code hash of each launch (code.h), joined by +
};

// Returns a line of empty fields.
struct result result_unmeasured(void);

// Returns the header of results.csv.
const char *result_header(void);
// Writes one line of results.csv. Returns false if `size` is too small.
bool result_line(const struct result *result, char *line, int size);

#define DIGESTS_HEADER \
    "step,variant,m,n,k,lda,ldb,ldc,shift_a,shift_b,shift_c,alpha,beta,inputs,seed,digest"

// Returns the current time, ISO 8601 in UTC: "2026-01-31T12:00:00Z".
const char *time_now(void);
