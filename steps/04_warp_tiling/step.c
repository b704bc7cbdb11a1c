#include "step.h"

static const struct step warp_tiling = {
    .name = "04_warp_tiling",
    .kernel = "sgemm_warp_tiling",
    .title = "Warp tiling",
    .idea = "the lanes of a warp stand 4 x 8, so that the warp reads fewer different values for each FMA",
    .variants =
        {
            {
                .name = "lanes_1x32",
                .idea = "warp tile 8 x 256: 264 values for 2048 FMAs (block tile 64 x 256)",
                .flags = "-DLANES_M=1 -DLANES_N=32 -DBM=%m -DBN=%n",
                .block_m = 64,
                .block_n = 256,
                .threads = 256,
                .registers = 128,
            },
            {
                .name = "lanes_2x16",
                .idea = "warp tile 16 x 128: 144 values for 2048 FMAs, as step 03 had it",
                .flags = "-DLANES_M=2 -DLANES_N=16",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 128,
            },
            {
                .name = "lanes_4x8",
                .idea = "warp tile 32 x 64: 96 values for 2048 FMAs",
                .flags = "-DLANES_M=4 -DLANES_N=8",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 128,
            },
        },
};

REGISTER_STEP(warp_tiling);
