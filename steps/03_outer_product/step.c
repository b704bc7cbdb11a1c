// The variants of step 03.
#include "extras.h"

#define BLOCK 128, 128, 256 // block_m, block_n, threads

static const struct extras inner = {.build.source = "dot.cu"};

static const struct variant variants[] = {
    {"dot_rolled", "-DUNROLL=1 -DMIN_BLOCKS=2",
     "inner product, loop rolled: two loads for each FMA", BLOCK, .registers = 127,
     .extras = &inner},
    {"dot", "-DUNROLL=8 -DMIN_BLOCKS=1",
     "inner product, unrolled: the compiler finds the sharing; for one block per SM", BLOCK,
     .registers = 156, .extras = &inner},
    {"outer_rolled", "-DUNROLL=1", "outer product, loop rolled", BLOCK, .registers = 121},
    {"outer", "-DUNROLL=8",
     "outer product, unrolled: the sharing is written down; for two blocks per SM", BLOCK,
     .registers = 128},
    {0},
};

static const struct step outer_product = {
    "03_outer_product",
    "sgemm_outer_product",
    "Outer product",
    "a thread computes 8 x 8 elements: 16 values from shared memory feed 64 FMAs",
    .variants = variants,
    .figure = "wavefronts_per_ffma"};

REGISTER_STEP(outer_product);
