// Measures cublasXtSgemm beside the lesson's schemes: the problems are equal, but its matrices are
// in host memory, which is what it requires.
#pragma once

#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

struct xt_found {
    bool passed;
    int rounds;
    double ms_median, ms_min, ms_max; // host time, copies included
    double error_ratio;
};

// Multiplies A and B as the schemes get them (uniform inputs, alpha 1, beta 0) on devices [0,
// gpus), checks some rows of C and times the calls. Complains and returns false if that fails.
bool xt_run(int gpus, int tile, struct shape shape, uint64_t seed, int rounds, struct xt_found *found);
