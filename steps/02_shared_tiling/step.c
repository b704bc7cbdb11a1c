#include "step.h"

static const struct step shared_tiling = {
    .name = "02_shared_tiling",
    .kernel = "sgemm_shared_tiling",
    .title = "Shared tiling",
    .idea = "a block keeps a tile of A and of B in shared memory, so that global memory is read once per tile",
    .variants =
        {
            {
                .name = "tile16",
                .idea = "16 x 16 tiles: every element loaded serves 16 threads",
                .flags = "-DTILE=%m",
                .block_m = 16,
                .block_n = 16,
                .threads = 256,
                .registers = 32,
            },
            {
                .name = "tile32",
                .idea = "32 x 32 tiles: every element loaded serves 32 threads",
                .flags = "-DTILE=%m",
                .block_m = 32,
                .block_n = 32,
                .threads = 1024,
                .registers = 32,
            },
        },
};

REGISTER_STEP(shared_tiling);
