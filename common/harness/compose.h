// What a variant that multiplies by products of smaller matrices (step.h) is given for one problem.
#pragma once

#include "../backend/backend.h"
#include "more.h"

struct composer {
    const struct variant *variant;
    device_pointer scratch; // as many bytes as the variant asks for
    int64_t at_once;        // blocks of the step's kernel that the device runs
    void *context;
    // C = alpha A B + beta C by the leaf. Asynchronous, in order with the launches; false with backend_error().
    bool (*multiply)(void *context, const struct gemm *gemm);
    // Phase number `phase` of the variant, with its threads; `arguments` are pointers to the kernel's, in their order.
    bool (*launch)(void *context, int phase, int64_t grid_x, int64_t grid_y, void **arguments);
};

// Microseconds that the leaf, "10_block_order/dispatch", expects to take itself (step.h); INFINITY where this program lacks it.
double leaf_expects(const char *leaf, const struct situation *situation);
