// An opened kernel, and the counts of its launches.
#pragma once

#include "machine.h"

struct variables; // run/variables.h

struct sim_kernel {
    struct sass_cubin cubin;
    const struct sass_kernel *code; // the kernel in the cubin, or `linked`
    const struct engine *engine;
    // use kernel_program(), whose first call decodes the kernel
    struct program *program;
    struct variables *variables;
    struct sass_kernel *linked; // the kernel and the functions it calls; NULL if it calls none
};

// program.c: returns the decoded kernel, or NULL if there is too little memory. The first call
// decodes it, because many kernels are opened but never launched.
struct program *kernel_program(const struct sim_kernel *kernel);

struct sim_result {
    const struct sim_kernel *kernel;
    struct tally *tally; // [instructions + 1]
    int launches;
};

// counts/counters.c: returns the number of a pipe's warp instructions that at least one lane
// executes.
double counters_active(const struct sim_result *result, enum sass_pipe pipe);
// Quantities of a launch that no counter has; bounds.c computes lower bounds of its time from them.
struct counters_least {
    // registers that an ideal reuse cache would read from the even and the odd bank
    double bank_reads[2];
    double bank_cycles; // cycles of L1's banks for loads of global and local memory
    double lines;       // 128-byte lines of these loads, where each request counts as at least 4
};
struct counters_least counters_least(const struct sim_result *result);
