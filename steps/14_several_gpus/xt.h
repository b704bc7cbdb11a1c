// Measures cublasXtSgemm for comparison with the lesson's schemes. The problems are equal, but the
// matrices are in host memory, as cublasXt requires.
#pragma once

#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

struct xt_found {
    bool passed;
    int rounds;
    double ms_median, ms_min, ms_max; // time on the host, including copies
    double error_ratio;
};

// Multiplies A and B with the values that the schemes get (uniform inputs, alpha 1, beta 0) on
// devices [0, gpus), checks some rows of C, and times the calls. Complains and returns false on
// failure.
bool xt_run(int gpus, int tile, struct shape shape, uint64_t seed, int rounds,
            struct xt_found *found);
