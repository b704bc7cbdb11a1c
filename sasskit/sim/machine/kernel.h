// An opened kernel, and the counts of its launches.
#pragma once

#include "machine.h"

struct variables; // run/variables.h

struct sim_kernel {
    struct sass_cubin cubin;
    const struct sass_kernel *code; // in the cubin, or `linked`
    const struct engine *engine;
    struct program *program; // use kernel_program()
    struct variables *variables;
    struct sass_kernel *linked; // the kernel and the functions it calls; NULL if it calls none
};

// program.c: returns the decoded kernel; NULL if there is too little memory. The first call decodes
// it, because many opened kernels are never launched.
struct program *kernel_program(const struct sim_kernel *kernel);

struct sim_result {
    const struct sim_kernel *kernel;
    struct tally *tally; // [instructions + 1]
    int launches;
};

// counts/counters.c: returns how many instructions of a pipe at least one lane executes.
double counters_active(const struct sim_result *result, enum sass_pipe pipe);
// Quantities of a launch that no counter has. bounds.c computes lower bounds of the time from them.
struct counters_least {
    double bank_reads[2]; // registers read from the even and odd banks with ideal reuse caches
    double turns;         // loads of global and local memory: cycles of L1's banks
    double lines;         // the same loads: 128-byte lines, at least 4 per request
};
struct counters_least counters_least(const struct sim_result *result);
