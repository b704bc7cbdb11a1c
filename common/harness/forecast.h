// Estimates how long a run on the simulator will take.
#pragma once

#include "contender.h"

struct forecast {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    struct staging *staging;
    // plan of the small problem that is launched for the estimate, except for its shape
    struct problem_plan plan;
    struct contender *contenders; // an array of `count` contenders
    int count;
};

// Returns true if the contenders may run the `count` shapes: always on a backend that measures or
// predicts times. On the simulator, if there is much to do, launches each kernel once on a small
// problem to estimate the time. If the estimate exceeds two minutes, prints it, and returns false
// without --force.
bool forecast_run(const struct forecast *asked, const struct shape *shapes, int count);
