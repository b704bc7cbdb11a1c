// simrun --time: the time of a launch by the model of an SM (sasskit/model).
#pragma once

#include "sim/sim.h"

struct predict_options {
    bool wanted;           // --time
    bool stalls;           // print what the warps wait for
    const char *machine;   // as model/sm.h has it, NULL for the default
    const char *timeline;  // file of a trace, NULL for none
    uint32_t first, count; // cycles of it
};

bool predict(const struct predict_options *options, struct sim_kernel *kernel, struct sim_memory *memory,
             const struct sim_launch *launch, struct sim_error *error);
void predict_list_machine(void);
