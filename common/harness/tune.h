// Finds the fastest algorithm that cublasLt offers for a problem, for the baseline `tuned`.
#pragma once

#include "contender.h"

enum tuned {
    TUNED,        // contender->algorithm is the fastest algorithm
    TUNED_NONE,   // no algorithm is offered for this problem, or none of them could be timed
    TUNED_NOWHERE // cublasLt is missing or failed; backend_error() says why
};

// Times each algorithm that the backend offers for the problem, then the best few again.
// Overwrites C.
enum tuned tune_baseline(struct contender *contender, struct problem *problem);
