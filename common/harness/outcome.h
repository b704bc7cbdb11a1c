// The outcome of one contender on one problem: checked in verdicts.c, timed in session.c, written
// to the results in record.c.
#pragma once

#include "session.h"
#include "timing.h"

struct outcome {
    // true if the contender was not run, because --candidates excludes it or because it has no
    // tuned algorithm
    bool left_out;
    bool checked, passed;
    // kind of the simulator's report, for example "race"; NULL if there was none
    const char *finding;
    double error_ratio, error_max, error_rms, error_bias;
    struct measurement measurement;
};

// Launches one contender and checks the result. Returns false if the run cannot continue.
bool check_one(struct session *s, struct problem *p, struct contender *c, struct outcome *outcome);
// Checks all contenders of the session, or only launches them for counters, as the options say.
bool check_all(struct session *s, struct problem *p, struct outcome *outcomes);

// Writes the outcomes of one problem to the CSV and the table. Prints a note if the clock changed.
bool write_down(struct session *s, const struct problem *p, const struct outcome *outcomes);
// Discards the counters of the contender's kernels.
void forget_counters(const struct backend *backend, const struct contender *c);
