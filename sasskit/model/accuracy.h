// Measured errors of the timing model's predictions, by kind of problem.
#pragma once

struct sm_accuracy {
    // kind of matrix product, e.g. "power of two", or SM_OTHER_KERNELS
    const char *kind;
    double mean_pct, most_pct; // mean and maximum of |predicted / measured - 1|, in percent
    int launches;              // number of launches on an H200 that were compared
};

#define SM_OTHER_KERNELS "other kernels"

// Returns the accuracy for a kind of problem; NULL if the table does not have the kind.
const struct sm_accuracy *sm_accuracy_of(const char *kind);
