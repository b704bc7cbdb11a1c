#include "step.h"

static const struct step z_order = {
    .name = "07_z_order",
    .kernel = "sgemm_z_order",
    .title = "z-order",
    .idea = "lanes in z-shaped order, each with four 4 x 4 patches: half the wavefronts for a fragment",
    .variants =
        {
            {
                .name = "off",
                .idea = "8 neighbouring rows and columns a lane, lanes row by row: step 06",
                .flags = "-DPATCHES=0 -DZ_LANES=0",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 119,
            },
            {
                .name = "z_lanes",
                .idea = "lanes in z-order, 8 neighbours each",
                .flags = "-DPATCHES=0 -DZ_LANES=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 119,
            },
            {
                .name = "patches",
                .idea = "four 4 x 4 patches a lane, lanes row by row",
                .flags = "-DPATCHES=1 -DZ_LANES=0",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 119,
            },
            {
                .name = "z_order",
                .idea = "four 4 x 4 patches a lane, lanes in z-order",
                .flags = "-DPATCHES=1 -DZ_LANES=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 117,
            },
        },
};

REGISTER_STEP(z_order);
