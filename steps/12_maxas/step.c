#include "step.h"

#define C_KERNEL(NAME, IDEA, FLAGS, TILE, THREADS, TEXTURES)                                                           \
    {                                                                                                                  \
        .name = NAME, .idea = IDEA, .flags = FLAGS, .block_m = TILE, .block_n = TILE, .threads = THREADS,              \
        .registers = 128, .textures = TEXTURES,                                                                        \
    }

#define ORDERED(NAME, IDEA, FLAGS)                                                                                     \
    {                                                                                                                  \
        .name = NAME, .idea = IDEA, .source = "orders.sass", .capability = 80, .flags = FLAGS, .block_m = 128,         \
        .block_n = 128, .threads = 256, .registers = 128,                                                              \
    }

static const struct step maxas = {
    .name = "12_maxas",
    .kernel = "sgemm_maxas",
    .title = "maxas",
    .idea = "Scott Gray's kernel for Maxwell: its loads, thread map and registers, its FFMAs in three orders",
    .variants =
        {
            C_KERNEL("threads_64", "CUDA C: 64 x 64 a block, one warp loads A and the other B", "-DTHREADS=64", 64, 64,
                     false),
            C_KERNEL("threads_256", "CUDA C: 128 x 128 a block, four warps load A and four B", "-DTHREADS=256", 128,
                     256, false),
            C_KERNEL("read_only", "threads_256, A and B loaded by __ldg, the load of data that nobody writes",
                     "-DTHREADS=256 -DREAD_ONLY=1", 128, 256, false),
            C_KERNEL("textures_64", "threads_64, A and B fetched from textures, as his kernel did",
                     "-DTHREADS=64 -DTEXTURES=1", 64, 64, true),
            C_KERNEL("textures", "threads_256, A and B fetched from textures", "-DTHREADS=256 -DTEXTURES=1", 128, 256,
                     true),
            ORDERED("rows", "machine code, Scott Gray's registers: the FFMAs row by row", "-DORDER=0"),
            ORDERED("swirl", "in his swirl, reuse flags where the next FFMA can use them", "-DORDER=2"),
            ORDERED("swirl_keep_2", "in his swirl with his reuse flags, for a cache of two registers a slot",
                    "-DORDER=2 -DKEEP=2"),
            ORDERED("swirl_two_banks", "in his swirl, accumulators moved to suit two register banks",
                    "-DORDER=2 -DBANKS=2"),
            ORDERED("back_and_forth", "his registers, the FFMAs back and forth along the rows", "-DORDER=1"),
        },
};

REGISTER_STEP(maxas);
