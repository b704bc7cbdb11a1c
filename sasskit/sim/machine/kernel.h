// A kernel that was opened, and what its launches counted.
#pragma once

#include "machine.h"

struct variables; // run/variables.h

struct sim_kernel {
    struct sass_cubin cubin;
    const struct sass_kernel *code; // in the cubin, or `linked`
    const struct engine *engine;
    struct program *program; // kernel_program's
    struct variables *variables;
    struct sass_kernel *linked; // with what it calls; NULL: all is in one section
};

// The kernel decoded, once, when it is first asked for: many that are opened are never launched. NULL: no memory. (program.c)
struct program *kernel_program(const struct sim_kernel *kernel);

struct sim_result {
    const struct sim_kernel *kernel;
    struct tally *tally; // (instructions + 1)
    int launches;
};

// Instructions of the FMA or the FP64 pipe that a lane executes (counts/counters.c).
double counters_active(const struct sim_result *result, enum sass_pipe pipe);
// What the bounds need and no counter tells: registers that the even and the odd banks read, if the reuse caches give all that
// they can; of global loads, cycles of L1's banks, and lines, 4 at least a request.
struct counters_least {
    double bank_reads[2], turns, lines;
};
struct counters_least counters_least(const struct sim_result *result);
