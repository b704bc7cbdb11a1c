// Times launches: in turn with the baseline (burst), or each for seconds without a pause (sustained).
#pragma once

#include "../backend/backend.h"

// What is timed: `count` contenders known by their index.
struct race {
    const struct backend *backend;
    int count;
    int baseline;                                  // index of the baseline, or -1
    int rounds;                                    // launches timed of each, or 0 to choose by its time
    double sustained_seconds;                      // for each contender in race_sustained()
    bool (*prepare)(void *context, int contender); // before a timed launch, untimed
    bool (*launch)(void *context, int contender);
    void *context;
};

struct measurement {
    int rounds;                       // 0 when it was not timed
    double ms_median, ms_min, ms_max; // of one launch
    double vs_baseline;               // median over the rounds of baseline time / this time
    double clock_mhz, clock_low, clock_high;
    double watts;
};

// Rounds in which every contender is launched once, the L2 cache flushed before each launch. Slow contenders take part
// in fewer rounds. measurements: (count). False with backend_error(), or when interrupted.
bool race_burst(const struct race *race, struct measurement *measurements);

// Each contender on its own for race->sustained_seconds, launches back to back; watts from the energy counter.
bool race_sustained(const struct race *race, struct measurement *measurements);

// Whether the SM clock moved by more than 2 % while it was measured.
bool clock_moved(const struct measurement *measurement);
