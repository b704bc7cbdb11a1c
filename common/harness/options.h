// The command line.
#pragma once

#include "matrix.h"
#include "parse.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SHAPES = 1024, MAX_VALUES = 32, MAX_LAYOUTS = 256, MOST_SHIFT = 63 };

// CHECK_SMALL: the check's own small problems only (trials.c), not the one that is asked for.
enum check_mode { CHECK_ON, CHECK_OFF, CHECK_ONLY, CHECK_SMALL, CHECK_DEFAULT };
enum time_mode { TIME_BURST, TIME_SUSTAINED };
enum baselines { BASELINE_OFF, BASELINE_ON, BASELINE_BOTH, BASELINE_TUNED };

struct options {
    const char *steps;    // --step
    const char *variants; // --variant, NULL for all
    struct shape shapes[MAX_SHAPES];
    int shape_count; // 0 when none was given
    int pads[MAX_VALUES], pad_count;
    struct stride strides[MAX_VALUES][3]; // --ld
    int stride_count;
    int shifts[MAX_VALUES][3]; // --shift
    int shift_count;
    struct layout layouts[MAX_LAYOUTS]; // all that these ask for
    int layout_count;
    double alphas[MAX_VALUES], betas[MAX_VALUES];
    int alpha_count, beta_count;
    const char *backend;               // "auto", "gpu" or "sim"
    int check;                         // enum check_mode
    int baseline;                      // enum baselines
    int mode;                          // enum time_mode
    int inputs;                        // enum inputs
    int rounds;                        // 0 to choose by the kernel's time
    int random;                        // problems to draw; 0: those that are given
    int repeat;                        // launches whose results must be the same bits; 0 and 1: no such check
    int parts[MAX_VALUES], part_count; // blocks a tile of C where a variant allows several; 0 leaves it to the variant
    bool candidates;                   // only what the step's rules expect near the best
    bool untried;                      // machine code that was never run on a chip of this kind, too
    int memory;                        // GB of the GPU's memory at most, 0 for all
    uint64_t seed;
    const char *csv, *counters, *digests; // file names or NULL
    const char *json;                     // NULL: no JSON lines; "": to the standard output; else a file name
    bool time;                            // predict times, on the simulator
    const char *machine;                  // whose, NULL for the default
    const char *arch;                     // of the simulated kernels, NULL for sm_90
    bool wide;                            // every column of the table
    bool force;                           // a long simulation is wanted
    bool list, commands, codes;
};

// Reads the command line; --help and --version end the program. Complains and returns false when it is wrong.
bool options_parse(int argc, char **argv, struct options *options);
