// The variants of step 12.
#include "extras.h"

#define BLOCK 128, 128, 256 // block_m, block_n, threads

static const struct extras textures = {.textures = true};
static const struct extras ordered = {.build.source = "orders.sass", .build.capability = 80};

static const struct variant variants[] = {
    {"threads_64", "-DTHREADS=64", "CUDA C, tile 64 x 64: one warp loads A and the other B", 64, 64,
     64, .registers = 128},
    {"threads_256", "-DTHREADS=256", "CUDA C, tile 128 x 128: four warps load A and four B", BLOCK,
     .registers = 128},
    {"read_only", "-DTHREADS=256 -DREAD_ONLY=1",
     "threads_256, loads by __ldg: A and B as read-only data", BLOCK, .registers = 128},
    {"textures_64", "-DTHREADS=64 -DTEXTURES=1",
     "threads_64, loads from textures: as his kernel did", 64, 64, 64, 128, .extras = &textures},
    {"textures", "-DTHREADS=256 -DTEXTURES=1", "threads_256, loads from textures", BLOCK, 128,
     .extras = &textures},
    {"rows", "-DORDER=0", "FFMAs row by row: machine code, Scott Gray's registers", BLOCK, 128,
     .extras = &ordered},
    {"swirl", "-DORDER=2", "FFMAs in his swirl: reuse flags where the next FFMA can use them",
     BLOCK, 128, .extras = &ordered},
    {"swirl_keep_2", "-DORDER=2 -DKEEP=2",
     "swirl, his reuse flags: for a cache of two registers per slot", BLOCK, 128,
     .extras = &ordered},
    {"swirl_two_banks", "-DORDER=2 -DBANKS=2",
     "swirl for two register banks: accumulators moved to suit them", BLOCK, 128,
     .extras = &ordered},
    {"back_and_forth", "-DORDER=1", "FFMAs back and forth: along the rows, with his registers",
     BLOCK, 128, .extras = &ordered},
    {0},
};

static const struct step maxas = {"12_maxas",
                                  "sgemm_maxas",
                                  "maxas",
                                  "Scott Gray's kernel for Maxwell: its loads, thread map and "
                                  "registers, its FFMAs in three orders",
                                  .variants = variants,
                                  .figure = "register_bank_cycles_per_ffma"};

REGISTER_STEP(maxas);
