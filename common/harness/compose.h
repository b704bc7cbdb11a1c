// The interface of a variant that computes C by GEMMs of smaller matrices (extras.h, struct
// composition).
#pragma once

#include "../backend/backend.h"
#include "extras.h"

struct composer {
    const struct variant *variant;
    device_pointer scratch; // scratch_bytes() of the variant
    int64_t at_once;        // blocks of the step's kernel that the device runs at once
    void *context;
    // The leaf computes C = alpha A B + beta C, asynchronously, in the order of the launches.
    // Returns false with backend_error().
    bool (*multiply)(void *context, const struct gemm *gemm);
    // Launches the kernel of phase `phase`, with its threads. `arguments` has one pointer per
    // kernel argument.
    bool (*launch)(void *context, int phase, int64_t grid_x, int64_t grid_y, void **arguments);
};

// Returns the microseconds that the leaf, "shapes/dispatch", expects to take (extras.h,
// expects); INFINITY if the leaf is not linked into this program.
double leaf_expects(const char *leaf, const struct situation *situation);
