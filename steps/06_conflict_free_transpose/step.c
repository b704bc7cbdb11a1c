// The variants of step 06.
#include "extras.h"

#define BLOCK 128, 128, 256 // block_m, block_n, threads

static const struct extras other = {.build.source = "variants.cu"};

static const struct variant variants[] = {
    {"conflicts", "-DAS_STRIDE=128", "stores as they come: every store of A takes two wavefronts",
     BLOCK, .registers = 117, .extras = &other},
    {"padded", "-DAS_STRIDE=132", "rows four floats longer: those of the A tile", BLOCK,
     .registers = 117, .extras = &other},
    {"mapped", "", "columns exchanged, no padding: those of rows 4 to 7 XOR 16", BLOCK,
     .registers = 119},
    {0},
};

static const struct step conflict_free_transpose = {
    "06_conflict_free_transpose", "sgemm_conflict_free_transpose",
    "Conflict-free transpose",    "A is stored transposed without two lanes meeting in a bank",
    .variants = variants,         .figure = "store_conflicts"};

REGISTER_STEP(conflict_free_transpose);
