#include "step.h"

static const struct step double_buffer = {
    .name = "08_double_buffer",
    .kernel = "sgemm_double_buffer",
    .title = "Double buffer",
    .idea = "the next tile and the next fragments are on their way while this one is computed",
    .variants =
        {
            {
                .name = "fragments",
                .idea = "two fragment buffers, one tile buffer",
                .flags = "-DASYNC=0 -DSHARED_BUFFERS=1 -DFRAG_BUFFERS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 117,
            },
            {
                .name = "tiles",
                .idea = "two tile buffers, one fragment buffer: half the barriers, global loads in flight meanwhile",
                .flags = "-DASYNC=0 -DSHARED_BUFFERS=2 -DFRAG_BUFFERS=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 128,
            },
            {
                .name = "both",
                .idea = "two tile buffers and two fragment buffers",
                .flags = "-DASYNC=0 -DSHARED_BUFFERS=2 -DFRAG_BUFFERS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 127,
            },
            {
                .name = "cp_async",
                .idea = "both, the tiles copied by cp.async, bypassing the registers",
                .flags = "-DASYNC=1 -DSTAGES=3 -DBM=%m -DBN=%n -DWARPS_N=2 -DCOPY_K=3 -DMIN_BLOCKS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .shared_bytes = 3 * 8 * (128 + 4 + 128) * sizeof(float),
                .registers = 128,
            },
            {
                .name = "wide",
                .idea = "cp.async, block tile 128 x 256, 16 x 8 elements per thread, one block on an SM",
                .flags = "-DASYNC=1 -DSTAGES=4 -DBM=%m -DBN=%n -DWARPS_N=4 -DCOPY_K=2 -DMIN_BLOCKS=1",
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = 4 * 8 * (128 + 4 + 256) * sizeof(float),
                .registers = 224,
            },
        },
};

REGISTER_STEP(double_buffer);
