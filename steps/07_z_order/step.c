// The variants of step 07.
#include "extras.h"

#define BLOCK 128, 128, 256 // block_m, block_n, threads

static const struct extras other = {.build.source = "variants.cu"};

static const struct variant variants[] = {
    {"off", "-DPATCHES=0 -DZ_LANES=0",
     "as in step 06: 8 neighbouring rows and columns a lane, lanes row by row", BLOCK,
     .registers = 119, .extras = &other},
    {"z_lanes", "-DPATCHES=0 -DZ_LANES=1", "lanes in z's: 8 neighbours each", BLOCK,
     .registers = 119, .extras = &other},
    {"patches", "-DPATCHES=1 -DZ_LANES=0", "four patches per lane: 4 x 4 each, lanes row by row",
     BLOCK, .registers = 119, .extras = &other},
    {"z_order", "", "z's and patches: four 4 x 4 patches a lane, lanes in z-order", BLOCK,
     .registers = 117},
    {0},
};

static const struct step z_order = {
    "07_z_order",
    "sgemm_z_order",
    "z-order",
    "lanes in z-shaped order, each with four 4 x 4 patches: half the wavefronts for a fragment",
    .variants = variants,
    .figure = "wavefronts_per_ffma"};

REGISTER_STEP(z_order);
