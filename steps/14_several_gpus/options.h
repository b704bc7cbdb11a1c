// The command line of a lesson on several GPUs.
#pragma once

#include "harness/matrix.h"
#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_SHAPES = 64, MOST_VALUES = 16, MOST_COUNTS = 16 };

struct gpus_options {
    // --- what runs
    const char *variants, *kernel, *backend;
    int gpus[MOST_COUNTS], gpus_count; // several numbers are allowed only with --predict
    int leave;                         // number of SMs that products leave free for NCCL
    int channels;                      // number of NCCL's thread blocks; -1 if measure.c decides
    int panel;                         // most rows of B, or columns of A, that are sent at once
    const char *meet; // file by which processes find each other; NULL if none was given

    // --- the problems
    struct shape shapes[MOST_SHAPES];
    int shape_count;
    int pads[MOST_VALUES], pad_count;
    double alphas[MOST_VALUES], betas[MOST_VALUES];
    int alpha_count, beta_count;
    int inputs; // enum inputs
    uint64_t seed;

    // --- what is done
    bool check, time, predict, links, list, force, wide;
    int repeat;
    int rounds;                         // number of timed runs; 0 if the time of one run decides
    double limit;                       // most seconds per run; 0 if the prediction decides
    int tiles[MOST_COUNTS], tile_count; // tile sizes for cublasXt

    // --- predictions
    double tflops; // TFLOP/s of one GPU; 0: speed.h finds the speed of the chosen kernel
    // GB/s that a GPU receives; 0: the bandwidth measured on two H200s, by message size
    double bandwidth;

    // --- files
    const char *csv, *details, *timeline;
    const char *json; // a file name; "" for the standard output; NULL for no JSON lines
};

// Reads the command line; --help ends the program. Complains and returns false if it is wrong.
bool gpus_options_parse(int argc, char **argv, struct gpus_options *options);
