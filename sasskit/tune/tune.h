// `sass tune`: a kernel's instructions in a faster order.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

enum { TUNE_MAX_TRIALS = 16 };

struct judge_table; // judge.h

// Judges of the linked program, NULL-terminated, in order of preference: those of
// sasskit/programs/judges.c or the program's own.
extern const struct judge_table *const sass_judges[];

struct tune_options {
    // the timed launch, in simrun's options: "--grid 132 --block 256 --arg i32:5 ..."
    const char *problem;
    // launches compared bit by bit in the simulator; none: the problem
    const char *trials[TUNE_MAX_TRIALS];
    int trial_count;
    const struct judge_table *const *judges; // available judges, NULL-terminated
    const char *judge;                       // name of the judge; NULL: the first available one
    double seconds;                          // duration of the search
    uint64_t seed;
    FILE *out, *log; // log: CSV of accepted changes; NULL if there is none
};

// Searches and writes the best order into the cubin's bytes. Returns false with an error, leaving
// the bytes unchanged.
bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin, struct sass_kernel *kernel,
                 struct error *error);
