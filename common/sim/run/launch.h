// What launch.c, kernel.c, counters.c and bounds.c share.
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "sim/checks/reports.h"
#include "sim/machine/machine.h"
#include "variables.h"

#include <stdarg.h>

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

#endif
