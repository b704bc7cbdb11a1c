// How long a run will take on an engine that has no time of its own.
#pragma once

#include "contender.h"

// Whether these contenders may run these problems: always on a device that is timed; elsewhere a long run is told how long it will
// take, by a trial of its kernels here and now, and wants --force. Complains and returns false when it may not.
struct forecast {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    struct staging *staging;
    struct problem_plan plan;     // of the trial, without its shape
    struct contender *contenders; // (count)
    int count;
};
bool forecast_run(const struct forecast *asked, const struct shape *shapes, int count);
