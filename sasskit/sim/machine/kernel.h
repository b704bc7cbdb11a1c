// An opened kernel, and the counts of its launches.
#pragma once

#include "machine.h"

struct variables; // run/variables.h

struct sim_kernel {
    struct sass_cubin cubin;
    const struct sass_kernel *code; // the kernel in the cubin, or `linked`
    const struct engine *engine;
    struct program *program; // NULL until the first kernel_program()
    struct variables *variables;
    // copy of the kernel with the functions that it calls (link.c); NULL if no code is relocated
    struct sass_kernel *linked;
};

// program.c: returns the decoded kernel, or NULL if there is too little memory. The first call
// decodes it, because many kernels are opened but never launched.
struct program *kernel_program(const struct sim_kernel *kernel);

struct sim_result {
    const struct sim_kernel *kernel;
    struct tally *tally; // [instructions + 1]; the last element is for running past the end
    int launches;
};

// counts/counters.c: returns the number of warp instructions of a pipe, FMA or FP64, that at least
// one lane executes.
double counters_active(const struct sim_result *result, enum sass_pipe pipe);
// Sums that no counter has; bounds.c computes lower bounds of the time from them.
struct counters_least {
    // registers read from the even and the odd bank, if no jump empties the reuse cache
    double bank_reads[2];
    double bank_cycles; // cycles of L1's banks for loads of global and local memory
    double lines; // 128-byte lines of these loads, at least 4 per request (L1 looks up 4 a cycle)
};
struct counters_least counters_least(const struct sim_result *result);
