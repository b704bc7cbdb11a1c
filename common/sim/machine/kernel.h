// A kernel that was opened, and what its launches counted.
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "machine.h"

struct variables; // run/variables.h

struct sim_kernel {
    struct sass_cubin cubin;
    struct program *program;
    struct variables *variables;
};

struct sim_result {
    const struct sim_kernel *kernel;
    struct tally *tally; // (instructions + 1)
    int launches;
};

// Instructions of the FMA or the FP64 pipe that a lane executes (counts/counters.c).
double counters_active(const struct sim_result *result, enum sass_pipe pipe);

#endif
