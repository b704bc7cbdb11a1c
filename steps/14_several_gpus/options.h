// The command line of a lesson on several GPUs.
#pragma once

#include "harness/matrix.h"
#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_SHAPES = 64, MOST_VALUES = 16, MOST_COUNTS = 16 };

struct gpus_options {
    // What runs.
    const char *variants, *kernel, *backend;
    int gpus[MOST_COUNTS], gpus_count; // several only with --predict
    int leave;                         // SMs that products leave free for NCCL
    int channels;                      // NCCL's thread blocks; -1: derived from `leave`
    int panel;                         // rows of B sent at once
    const char *meet;                  // file by which processes find each other; NULL if there is none

    // The problems.
    struct shape shapes[MOST_SHAPES];
    int shape_count;
    int pads[MOST_VALUES], pad_count;
    double alphas[MOST_VALUES], betas[MOST_VALUES];
    int alpha_count, beta_count;
    int inputs; // enum inputs
    uint64_t seed;

    // What is done.
    bool check, time, predict, links, list, force, wide;
    int repeat;
    int rounds;                         // 0: derived from the time of one run
    double limit;                       // seconds per run; 0: derived from the prediction
    int tiles[MOST_COUNTS], tile_count; // tile sizes for cublasXt

    // Predictions.
    double tflops;    // speed of one GPU; 0 if the chosen kernel's, as measured
    double bandwidth; // GB/s that a GPU receives; 0: measured, by the size of the message

    // Files.
    const char *csv, *details, *timeline;
    const char *json; // NULL for no JSON lines; "": to the standard output; else a file name
};

// Reads the command line; --help ends the program. Complains and returns false if it is wrong.
bool gpus_options_parse(int argc, char **argv, struct gpus_options *options);
