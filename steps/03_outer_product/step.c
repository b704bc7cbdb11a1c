#include "step.h"

static const struct step outer_product = {
    .name = "03_outer_product",
    .kernel = "sgemm_outer_product",
    .title = "Outer product",
    .idea = "a thread computes 8 x 8 elements: 16 values from shared memory feed 64 FMAs",
    .variants =
        {
            {
                .name = "dot_rolled",
                .idea = "inner product, loop over k rolled: two loads for each FMA",
                .flags = "-DDOT=1 -DUNROLL=1 -DMIN_BLOCKS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 127,
            },
            {
                .name = "dot",
                .idea = "inner product, unrolled: the compiler finds the sharing; for one block per SM",
                .flags = "-DDOT=1 -DUNROLL=8 -DMIN_BLOCKS=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 156,
            },
            {
                .name = "outer_rolled",
                .idea = "outer product, loop over k rolled",
                .flags = "-DDOT=0 -DUNROLL=1 -DMIN_BLOCKS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 121,
            },
            {
                .name = "outer",
                .idea = "outer product, unrolled: the sharing is written down; for two blocks per SM",
                .flags = "-DDOT=0 -DUNROLL=8 -DMIN_BLOCKS=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 128,
            },
        },
};

REGISTER_STEP(outer_product);
