#include "step.h"

static const struct step reuse_sass = {
    .name = "09_reuse_sass",
    .kernel = "sgemm_reuse_sass",
    .title = "Reuse-aware SASS",
    .idea = "machine code: registers by bank, operands kept in the reuse cache",
    .variants =
        {
            {
                .name = "hand_16x8",
                .idea = "written in machine code: 16 x 8 elements a thread, block tile 128 x 256",
                .source = "hand.sass",
                .flags = "-DTN=8 -DWARPS_N=4",
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = 4 * 0x4000 - 0x400,
                .persistent = true,
                .registers = 186,
            },
            {
                .name = "hand_16x12",
                .idea = "16 x 12 elements a thread, block tile 256 x 192",
                .source = "hand.sass",
                .flags = "-DTN=12 -DWARPS_N=2",
                .block_m = 256,
                .block_n = 192,
                .threads = 256,
                .shared_bytes = 4 * 0x4000 - 0x400,
                .persistent = true,
                .registers = 250,
            },
        },
};

REGISTER_STEP(reuse_sass);
