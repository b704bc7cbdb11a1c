// The functions that a composed variant calls. It splits a GEMM into smaller ones, which another
// variant, the leaf, computes (extras.h, struct composition).
#pragma once

#include "../backend/backend.h"
#include "extras.h"

struct composer {
    const struct variant *variant;
    device_pointer scratch; // the variant's scratch memory, after its head (launch_gemm.h)
    int64_t at_once;        // number of blocks of the step's kernel that the device runs at once
    void *context;
    // Computes C = alpha A B + beta C with the leaf, asynchronously, after earlier launches.
    // Returns false with backend_error() on failure.
    bool (*multiply)(void *context, const struct gemm *gemm);
    // Launches the kernel of pass number `pass`, with that pass's threads. `arguments` has a
    // pointer per kernel argument.
    bool (*launch)(void *context, int pass, int64_t grid_x, int64_t grid_y, void **arguments);
};

// Returns the time that the leaf, for example "shapes/dispatch", expects to take, in microseconds;
// INFINITY if the leaf is not linked in or has no `expects` (extras.h).
double leaf_expects(const char *leaf, const struct situation *situation);
