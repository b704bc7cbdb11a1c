// The variants of step 05.
#include "extras.h"

#define BLOCK 128, 128, 256 // block_m, block_n, threads

static const struct extras other = {.build.source = "variants.cu"};

static const struct variant variants[] = {
    {"shared", "-DSHARED128=1 -DGLOBAL=0", "128-bit loads, shared memory only", BLOCK,
     .registers = 128, .extras = &other},
    {"global", "-DSHARED128=0 -DGLOBAL=1", "128-bit loads, global memory only", BLOCK,
     .registers = 126, .extras = &other},
    {"split", "-DSHARED128=1 -DGLOBAL=2",
     "four loads per global float4: 32 bits each, sectors fetched four times", BLOCK,
     .registers = 115, .extras = &other},
    {"both", "", "128-bit loads from both memories", BLOCK, .registers = 117},
    {0},
};

static const struct step float4 = {
    "05_float4",
    "sgemm_float4",
    "float4",
    "128 bits with each load: a quarter of the instructions; A is transposed in shared memory",
    .variants = variants,
    .figure = "instructions_per_ffma"};

REGISTER_STEP(float4);
