// What became of one contender on one problem: checked (verdicts.c), timed (session.c), written down (record.c).
#pragma once

#include "session.h"
#include "timing.h"

struct outcome {
    bool left_out; // it is no candidate
    bool checked, passed;
    const char *finding; // what the engine reported the kernel for, "race"; NULL: nothing
    double error_ratio, error_max, error_rms, error_bias;
    struct measurement measurement;
};

// Runs one contender once and compares; false when the run cannot go on.
bool check_one(struct session *s, struct problem *p, struct contender *c, struct outcome *outcome);
// All of the session's, and as it wants: checked, only counted, or left out.
bool check_all(struct session *s, struct problem *p, struct outcome *outcomes);

// Writes down what was found for one problem: the CSV, the table, and a clock that moved.
bool write_down(struct session *s, const struct problem *p, const struct outcome *outcomes);
// What the device counted so far is forgotten.
void forget_counters(const struct session *s, const struct contender *c);
