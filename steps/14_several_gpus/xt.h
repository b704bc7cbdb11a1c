// cublasXtSgemm beside a lesson's schemes: the same problem with its matrices in the host's memory, which is what it takes.
#pragma once

#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

struct xt_found {
    bool passed;
    int rounds;
    double ms_median, ms_min, ms_max; // by the host's clock, copies included
    double error_ratio;
};

// Multiplies A and B as the schemes get them (uniform inputs, alpha 1, beta 0) on devices [0, gpus), checks some rows, times. Complains
// and returns false.
bool xt_run(int gpus, int tile, struct shape shape, uint64_t seed, int rounds, struct xt_found *found);
