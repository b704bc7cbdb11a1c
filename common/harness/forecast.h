// Estimates how long a run on the simulator will take.
#pragma once

#include "contender.h"

struct forecast {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    struct staging *staging;
    // how to open the small problem that is launched for the estimate; its shape is not used
    struct problem_plan plan;
    struct contender *contenders; // an array of `count` contenders
    int count;
};

// Returns true if the contenders may run the `count` shapes. On a backend that measures or predicts
// times they always may. On the simulator, if there is much to do, each kernel is launched once on
// a small problem, to estimate the time. If that is more than two minutes, prints the estimate, and
// returns false without --force.
bool forecast_run(const struct forecast *asked, const struct shape *shapes, int count);
