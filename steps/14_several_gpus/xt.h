// Measures cublasXtSgemm for comparison with the lesson's schemes. It gets the same problems, but
// with the matrices in host memory, as cublasXt requires.
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

// Multiplies A and B on devices [0, gpus), checks some rows of C, and times the calls. A and B are
// those that the schemes get with uniform inputs; alpha is 1 and beta 0. Complains and returns
// false on failure.
bool xt_run(int gpus, int tile, struct shape shape, uint64_t seed, int rounds,
            struct xt_found *found);
