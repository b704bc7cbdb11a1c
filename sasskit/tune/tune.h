// `sass tune`: a kernel's instructions in a faster order.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

enum { TUNE_MAX_TRIALS = 16 };

struct judge_table; // judge.h

// The judges of the program that is linked, ended by NULL, in order of preference: sasskit/programs/judges.c or the program's own.
extern const struct judge_table *const sass_judges[];

struct tune_options {
    const char *problem;                 // what is timed: options of simrun, "--grid 132 --block 256 --arg i32:5 ..."
    const char *trials[TUNE_MAX_TRIALS]; // what is compared bit by bit on the simulator; none: the problem
    int trial_count;
    const struct judge_table *const *judges; // what may time it, ended by NULL
    const char *judge;                       // the name of one of them; NULL: the first that is there
    double seconds;                          // of the search
    uint64_t seed;
    FILE *out, *log; // log: CSV of what was kept; NULL: none
};

// Searches, and puts the best order into the cubin's bytes. False: the error says why, the bytes are as they were.
bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin, struct sass_kernel *kernel,
                 struct sass_error *error);
