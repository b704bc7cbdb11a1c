// simrun --time: predicts the time of a launch by the timing model (sasskit/model).
#pragma once

#include "sim/sim.h"

struct predict_options {
    bool wanted;           // true if --time was given
    bool stalls;           // true to print the warps' stall reasons, too
    const char *machine;   // text for sm_machine_parse(); NULL for the default machine
    const char *timeline;  // name of the trace file; NULL for no trace
    uint32_t first, count; // cycles in the trace: first to first + count - 1
};

bool predict(const struct predict_options *options, struct sim_kernel *kernel,
             struct sim_memory *memory, const struct sim_launch *launch, struct error *error);
void predict_list_machine(void);
