// Times launches: burst alternates between the contenders, sustained runs each for seconds without
// a pause.
#pragma once

#include "../backend/backend.h"

// The contenders to time, by their index, and how.
struct race {
    const struct backend *backend;
    int count;
    int baseline;                                  // index of the baseline, or -1
    int rounds;                                    // launches per contender; 0: chosen by its time
    double sustained_seconds;                      // seconds per contender in race_sustained()
    bool (*prepare)(void *context, int contender); // untimed, before each timed launch
    bool (*launch)(void *context, int contender);
    void *context;
};

struct measurement {
    int rounds;                       // timed launches; 0 if not timed
    double ms_median, ms_min, ms_max; // per launch
    double vs_baseline;               // baseline time / this time, median over the rounds
    double clock_mhz, clock_low, clock_high;
    double watts;
};

// Launches every contender once per round and flushes the L2 cache before each launch. Slow
// contenders take part in fewer rounds. Sets measurements[0..count). Returns false with
// backend_error(), or if interrupted.
bool race_burst(const struct race *race, struct measurement *measurements);

// Launches each contender alone, back to back, for race->sustained_seconds. The watts are computed
// from the energy counter.
bool race_sustained(const struct race *race, struct measurement *measurements);

// True if the SM clock changed by more than 2 % during the measurement.
bool clock_moved(const struct measurement *measurement);
