// Measured errors of the timing model's predictions, by kind of problem.
#pragma once

struct sm_accuracy {
    // the kind of a matrix product, for example "power of two"; SM_OTHER_KERNELS for other kernels
    const char *kind;
    double mean_pct, most_pct; // mean and maximum of |predicted / measured - 1|, in percent
    int launches;              // number of single launches on an H200
};

#define SM_OTHER_KERNELS "other kernels"

// Returns the accuracy for a kind of problem; NULL if it is not known.
const struct sm_accuracy *sm_accuracy_of(const char *kind);
