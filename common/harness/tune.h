// The baseline's algorithms, timed; the fastest becomes the contender's.
#pragma once

#include "contender.h"

enum tuned {
    TUNED,        // contender->algorithm is the fastest of those that ran
    TUNED_NONE,   // none is offered for this problem, or none ran
    TUNED_NOWHERE // the backend offers none for any problem: backend_error() says why
};

// Times each that the backend offers for the problem, then the best few again. C is left changed.
enum tuned tune_baseline(struct contender *contender, struct problem *problem);
