// `sass tune`: searches for a faster order of a kernel's instructions.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

enum { TUNE_MAX_TRIALS = 16 };

struct judge_table; // judge.h

// The program's judges in order of preference; NULL ends the list. sasskit/programs/judges.c
// defines it, or another file of the program.
extern const struct judge_table *const sass_judges[];

struct tune_options {
    // the timed launch, in simrun's options: "--grid 132 --block 256 --arg i32:5 ..."
    const char *problem;
    // launches after which the result must have the original kernel's bits in the simulator; if
    // there are none, `problem` is the only one
    const char *trials[TUNE_MAX_TRIALS];
    int trial_count;
    const struct judge_table *const *judges; // the available judges, ended by NULL
    const char *judge;                       // name of the judge; NULL for the first available one
    double seconds;                          // how long to search, in seconds
    uint64_t seed;
    FILE *out, *log; // `log` gets a CSV of accepted changes; NULL for none
};

// Searches, and writes the best order into the cubin's bytes. On failure, returns false with an
// error and leaves the bytes unchanged.
bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin,
                 struct sass_kernel *kernel, struct error *error);
