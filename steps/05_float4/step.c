#include "step.h"

static const struct step float4 = {
    .name = "05_float4",
    .kernel = "sgemm_float4",
    .title = "float4",
    .idea = "128 bits with each load: a quarter of the instructions; A is transposed in shared memory",
    .variants =
        {
            {
                .name = "shared",
                .idea = "128-bit loads from shared memory only",
                .flags = "-DSHARED128=1 -DGLOBAL=0",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 128,
            },
            {
                .name = "global",
                .idea = "128-bit loads from global memory only",
                .flags = "-DSHARED128=0 -DGLOBAL=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 126,
            },
            {
                .name = "split",
                .idea = "the four floats of a global float4 by four 32-bit loads: sectors fetched four times",
                .flags = "-DSHARED128=1 -DGLOBAL=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 115,
            },
            {
                .name = "both",
                .idea = "128-bit loads from shared and from global memory",
                .flags = "-DSHARED128=1 -DGLOBAL=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 117,
            },
        },
};

REGISTER_STEP(float4);
