// The command line of a lesson on several GPUs.
#pragma once

#include "harness/matrix.h"
#include "harness/parse.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_SHAPES = 64, MOST_VALUES = 16, MOST_COUNTS = 16 };

struct gpus_options {
    const char *variants, *kernel, *backend;
    int gpus[MOST_COUNTS], gpus_count; // of a prediction several
    struct shape shapes[MOST_SHAPES];
    int shape_count;
    int pads[MOST_VALUES], pad_count;
    double alphas[MOST_VALUES], betas[MOST_VALUES];
    int alpha_count, beta_count;
    int inputs; // enum inputs
    uint64_t seed;
    int leave;        // SMs that products leave to what travels
    int channels;     // thread blocks of NCCL's; -1: as many as `leave` where products run beside, else its own choice
    int panel;        // rows of B that travel at once
    double tflops;    // of one GPU, for predictions
    double bandwidth; // GB/s, for predictions; 0: as seen
    bool check, time; // what is done
    int repeat, rounds; // 0 rounds: by the time that one takes
    double limit;       // seconds a launch may take; 0: by its prediction
    const char *meet;   // the file by which processes meet
    const char *csv, *details, *timeline;
    const char *json;                   // NULL: no JSON lines; "": to the standard output; else a file name
    int tiles[MOST_COUNTS], tile_count; // of cublasXt
    bool predict, links, list, force;
};

// Reads the command line; --help ends the program. Complains and returns false when it is wrong.
bool gpus_options_parse(int argc, char **argv, struct gpus_options *options);
