// The variants of step 02.
#include "step.h"

static const struct variant variants[] = {
    // name, flags, idea, block_m, block_n, threads
    {"tile16", "-DTILE=%m", "16 x 16 tiles: every element loaded serves 16 threads", 16, 16, 256,
     .registers = 32},
    {"tile32", "-DTILE=%m", "32 x 32 tiles: every element loaded serves 32 threads", 32, 32, 1024,
     .registers = 32},
    {0},
};

static const struct step shared_tiling = {"02_shared_tiling",
                                          "sgemm_shared_tiling",
                                          "Shared tiling",
                                          "a block keeps a tile of A and of B in shared memory, so "
                                          "that global memory is read once per tile",
                                          .variants = variants,
                                          .figure = "global_loads_per_ffma"};

REGISTER_STEP(shared_tiling);
