// Times launches. Burst mode alternates between the contenders; sustained mode runs each contender
// for seconds without a pause.
#pragma once

#include "../backend/backend.h"

// The contenders to time, 0 to count - 1, and how to time them.
struct race {
    const struct backend *backend;
    int count;
    int baseline;             // index of the baseline, or -1
    int rounds;               // number of launches per contender; 0 if the contender's time decides
    double sustained_seconds; // seconds per contender in race_sustained()
    // called before each launch that is not part of a batch; its time does not count
    bool (*prepare)(void *context, int contender);
    bool (*launch)(void *context, int contender);
    void *context;
};

struct measurement {
    int rounds;                       // number of timed launches or batches; 0 if not timed
    double ms_median, ms_min, ms_max; // per launch
    double vs_baseline; // the baseline's time / this time; in bursts the median over the rounds
    double clock_mhz, clock_low, clock_high;
    double watts;
};

// Launches every contender once per round, and flushes the L2 cache before each launch. Slow
// contenders take part in fewer rounds. Sets measurements[0..count). Returns false if interrupted,
// or, with backend_error(), on failure.
bool race_burst(const struct race *race, struct measurement *measurements);

// Launches each contender alone, without pauses, for race->sustained_seconds. The watts come from
// the energy counter.
bool race_sustained(const struct race *race, struct measurement *measurements);

// Returns true if the SM clock changed by more than 2 % during the measurement.
bool clock_moved(const struct measurement *measurement);
