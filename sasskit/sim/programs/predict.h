// simrun --time: predicts the time of a launch by the model of an SM (sasskit/model).
#pragma once

#include "sim/sim.h"

struct predict_options {
    bool wanted;           // --time was given
    bool stalls;           // also print the warps' stall reasons
    const char *machine;   // for sm_machine_parse(); NULL for the default
    const char *timeline;  // name of the trace file; NULL for no trace
    uint32_t first, count; // the cycles in the trace: first .. first + count - 1
};

bool predict(const struct predict_options *options, struct sim_kernel *kernel,
             struct sim_memory *memory, const struct sim_launch *launch, struct error *error);
void predict_list_machine(void);
