// The variants of step 04.
#include "step.h"

static const struct variant variants[] = {
    // name, flags, idea, block_m, block_n, threads
    {"lanes_1x32", "-DLANES_M=1 -DLANES_N=32 -DBM=%m -DBN=%n",
     "warp tile 8 x 256: 264 values for 2048 FMAs (block tile 64 x 256)", 64, 256, 256,
     .registers = 128},
    {"lanes_2x16", "-DLANES_M=2 -DLANES_N=16",
     "warp tile 16 x 128: 144 values for 2048 FMAs, as step 03 had it", 128, 128, 256,
     .registers = 128},
    {"lanes_4x8", "-DLANES_M=4 -DLANES_N=8", "warp tile 32 x 64: 96 values for 2048 FMAs", 128, 128,
     256, .registers = 128},
    {0},
};

static const struct step warp_tiling = {"04_warp_tiling",
                                        "sgemm_warp_tiling",
                                        "Warp tiling",
                                        "the lanes of a warp are arranged 4 x 8, so that the warp "
                                        "reads fewer different values for each FMA",
                                        .variants = variants,
                                        .figure = "wavefronts_per_ffma"};

REGISTER_STEP(warp_tiling);
