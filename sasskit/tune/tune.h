// `sass tune`: searches for a faster order of a kernel's instructions.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

enum { TUNE_MAX_TRIALS = 16 };

struct judge_table; // judge.h

// The judges of the program, ended by NULL, in order of preference. sasskit/programs/judges.c
// defines them, or the program itself.
extern const struct judge_table *const sass_judges[];

struct tune_options {
    // the timed launch, in simrun's options: "--grid 132 --block 256 --arg i32:5 ..."
    const char *problem;
    // launches for which the result must keep the original kernel's bits in the simulator; if there
    // are none, `problem` is the only one
    const char *trials[TUNE_MAX_TRIALS];
    int trial_count;
    const struct judge_table *const *judges; // the judges that are available, ended by NULL
    const char *judge;                       // name of the judge; NULL for the first one available
    double seconds;                          // how long to search
    uint64_t seed;
    FILE *out, *log; // `log` gets a CSV of accepted changes; NULL for none
};

// Searches and writes the best order into the cubin's bytes. Returns false with an error, leaving
// the bytes unchanged.
bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin,
                 struct sass_kernel *kernel, struct error *error);
