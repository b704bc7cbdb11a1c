// Estimates how long a run on the simulator will take.
#pragma once

#include "contender.h"

struct forecast {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    struct staging *staging;
    struct problem_plan plan;     // plan of the short run, without its shape
    struct contender *contenders; // (count)
    int count;
};

// Returns true if the contenders may run the problems, which is always so on a backend with times.
// On the simulator, a short run of the kernels gives an estimate of the time; if that is long and
// --force was not given, complains and returns false.
bool forecast_run(const struct forecast *asked, const struct shape *shapes, int count);
