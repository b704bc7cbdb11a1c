// How far predicted times were from measured ones, by kind of problem.
#pragma once

struct sm_accuracy {
    const char *kind;          // of a matrix product: "power of two"; of any kernel: SM_OTHER_KERNELS
    double mean_pct, most_pct; // of |predicted / measured - 1|
    int launches;              // single launches on an H200
};

#define SM_OTHER_KERNELS "other kernels"

// Returns NULL if nothing is known of the kind.
const struct sm_accuracy *sm_accuracy_of(const char *kind);
