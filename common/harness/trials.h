// The problems on which every kernel is checked before those that the user asked for: small ones, chosen for a kernel's tile, of
// odd shapes and layouts, with inputs that leave no room for error.
#ifndef HARNESS_TRIALS_H
#define HARNESS_TRIALS_H

#include "contender.h"

struct trial {
    int tiles_m, tiles_n; // C has so many whole tiles
    int over_m, over_n;   // and so many rows and columns more
    int k;
    struct layout layout;
    double alpha, beta;
    enum inputs inputs;
    enum { FOR_ALL, FOR_ROWS, FOR_PARTS, FOR_FEW_BLOCKS, FOR_PHASES } who;
    int parts;  // FOR_PARTS: blocks that share a tile
    int blocks; // FOR_FEW_BLOCKS: as if the device ran so many at once
    enum {
        NEAR,
        BEYOND_2_31,
        BELOW_2_25,
        BELOW_2_26
    } distance; // of rows: matrices pass 2^31 elements, or ld nearly is 2^25
};

extern const struct trial trials[];
extern const int trial_count;

// Whether the trial is for the kernels of such a variant. FOR_ROWS: those launched as one row of blocks; FOR_PARTS: whose blocks
// may share a tile; FOR_FEW_BLOCKS: persistent ones; FOR_PHASES: of several launches.
bool trial_is_for(const struct trial *trial, const struct variant *variant);

// The trial's problem for a variant's tile: shape, layout, inputs.
void trial_plan(const struct trial *trial, const struct variant *variant, const struct device_info *info,
                struct problem_plan *plan);

// Whether the device has the memory for it, twice over.
bool trial_fits(const struct problem_plan *plan, const struct device_info *info);

#endif
