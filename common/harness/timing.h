// Times launches. Burst mode alternates between the contenders; sustained mode runs each contender
// for seconds without a pause.
#pragma once

#include "../backend/backend.h"

// Which contenders to time, given by their index, and how.
struct race {
    const struct backend *backend;
    int count;
    int baseline;             // index of the baseline, or -1
    int rounds;               // number of launches per contender; 0 if the contender's time decides
    double sustained_seconds; // seconds per contender in race_sustained()
    // called before each timed launch; its time does not count
    bool (*prepare)(void *context, int contender);
    bool (*launch)(void *context, int contender);
    void *context;
};

struct measurement {
    int rounds;                       // number of timed launches; 0 if the contender was not timed
    double ms_median, ms_min, ms_max; // per launch
    double vs_baseline; // time of the baseline divided by this time, median over the rounds
    double clock_mhz, clock_low, clock_high;
    double watts;
};

// Launches every contender once per round, and flushes the L2 cache before each launch. Slow
// contenders take part in fewer rounds. Sets measurements[0..count). Returns false with
// backend_error(), or if interrupted.
bool race_burst(const struct race *race, struct measurement *measurements);

// Launches each contender alone, without pauses, for race->sustained_seconds. The watts come from
// the energy counter.
bool race_sustained(const struct race *race, struct measurement *measurements);

// Returns true if the SM clock changed by more than 2 % during the measurement.
bool clock_moved(const struct measurement *measurement);
