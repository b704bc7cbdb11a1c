// simrun --time: predicts the time of a launch by the model of an SM (sasskit/model).
#pragma once

#include "sim/sim.h"

struct predict_options {
    bool wanted;           // --time
    bool stalls;           // print the stall reasons of the warps
    const char *machine;   // a name of model/sm.h; NULL: the default
    const char *timeline;  // trace file; NULL if there is none
    uint32_t first, count; // cycles of the trace
};

bool predict(const struct predict_options *options, struct sim_kernel *kernel, struct sim_memory *memory,
             const struct sim_launch *launch, struct error *error);
void predict_list_machine(void);
