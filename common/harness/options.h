// The options of a lesson's program.
#pragma once

#include "matrix.h"
#include "parse.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SHAPES = 1024, MAX_VALUES = 32, MAX_LAYOUTS = 256, MOST_SHIFT = 63 };

// CHECK_DEFAULT remains only with --time and --backend auto: main() then chooses when it knows the
// backend. CHECK_SMALL checks the trials (trials.c) but not the user's problems.
enum check_mode { CHECK_ON, CHECK_OFF, CHECK_ONLY, CHECK_SMALL, CHECK_DEFAULT };
enum time_mode { TIME_BURST, TIME_SUSTAINED };
enum baselines { BASELINE_OFF, BASELINE_ON, BASELINE_BOTH, BASELINE_TUNED };

struct options {
    const char *steps;    // --step
    const char *variants; // --variant; NULL for all
    struct shape shapes[MAX_SHAPES];
    int shape_count; // 0 if none was given
    int pads[MAX_VALUES], pad_count;
    struct stride strides[MAX_VALUES][3]; // --ld
    int stride_count;
    int shifts[MAX_VALUES][3]; // --shift
    int shift_count;
    struct layout layouts[MAX_LAYOUTS]; // all combinations of pads or strides with shifts
    int layout_count;
    double alphas[MAX_VALUES], betas[MAX_VALUES];
    int alpha_count, beta_count;
    const char *backend; // "auto", "gpu", "sim", "model" or "timed"
    int check;           // enum check_mode
    int baseline;        // enum baselines
    int mode;            // enum time_mode
    int inputs;          // enum inputs
    int rounds;          // number of rounds; 0 if the kernel's time decides
    int random;          // number of problems to draw; 0 to run the given problems
    int repeat;          // number of launches that must give equal bits; 0 and 1 compare nothing
    int parts[MAX_VALUES], part_count; // blocks per tile of C (--parts); 0 if the variant decides
    bool candidates; // run only the variants that the step's rules expect to be fast
    bool untried;    // allow machine code that was never run on this kind of chip
    int memory;      // limit of the GPU's memory to use, in GB; 0 for all
    uint64_t seed;
    const char *csv, *counters, *digests; // file names or NULL
    const char *json;    // a file name; "" for the standard output; NULL for no JSON lines
    bool time;           // predict times by the model
    const char *machine; // the model's machine; NULL for the default
    const char *arch;    // architecture of the simulated kernels; NULL for sm_90
    bool wide;           // print all columns of the table
    bool force;          // allow a simulation that takes long
    bool list, commands, codes;
};

// Parses the command line; --help and --version end the program. Complains and returns false if it
// is wrong.
bool options_parse(int argc, char **argv, struct options *options);

// Returns the check mode of a run without --check. `predicted` is true if a model predicts times.
enum check_mode options_default_check(bool predicted);
