#include "step.h"

// 8 x 8 elements a thread, 4 warps below each other, two blocks on an SM.
#define TILE  "-DBM=%m -DBN=%n -DBK=8 -DWARPS_M=4 -DWARPS_N=1 -DMIN_BLOCKS=2"
#define STAGE ((int)(8 * (128 + 4 + 64) * sizeof(double)))

// Twice as wide and deep, 4 x 2 warps, one block on an SM: a third fewer copies for a multiply-add, half as many barriers.
#define WIDE       "-DBM=%m -DBN=%n -DBK=16 -DWARPS_M=4 -DWARPS_N=2 -DMIN_BLOCKS=1"
#define WIDE_STAGE ((int)(16 * (128 + 4 + 128) * sizeof(double)))

#define TENSOR_STAGES(m, n, stages) ((int)((stages) * ((m) * (16 + 4) + 16 * ((n) + 4)) * sizeof(double)))

static const struct step dgemm = {
    .name = "11_dgemm",
    .kernel = "dgemm_ladder",
    .title = "DGEMM",
    .idea = "the same ladder in double precision",
    .element = FP64,
    .variants =
        {
            {
                .name = "unroll",
                .idea = "8 x 8 a thread, the k loop unrolled, the next tile fetched ahead into registers; 64-bit loads",
                .flags = TILE " -DACCESS=1 -DFRAGMENTS=1 -DSTAGES=1 -DPADDED=0",
                .block_m = 128,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = STAGE,
                .registers = 222,
            },
            {
                .name = "access_128",
                .idea = "the same with 128-bit loads from shared memory",
                .flags = TILE " -DACCESS=2 -DFRAGMENTS=1 -DSTAGES=1 -DPADDED=0",
                .block_m = 128,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = STAGE,
                .registers = 226,
            },
            {
                .name = "fragments",
                .idea = "access_128, and the fragments of k + 1 are loaded before the FMAs of k",
                .flags = TILE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=1 -DPADDED=0",
                .block_m = 128,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = STAGE,
                .registers = 250,
            },
            {
                .name = "double_buffer",
                .idea = "access_128 with a ring of tiles filled by cp.async: one barrier a tile",
                .flags = TILE " -DACCESS=2 -DFRAGMENTS=1 -DSTAGES=4 -DPADDED=0",
                .block_m = 128,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = 4 * STAGE,
                .registers = 222,
            },
            {
                .name = "padded",
                .idea = "all, borders left out: it runs on copies of A, B and C padded with zeros to whole tiles",
                .flags = WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .shared_bytes = 3 * WIDE_STAGE,
                .registers = 232,
                .padded.kernel = "pad_matrix",
                .padded.block_k = 16,
            },
            {
                .name = "all",
                .idea = "128-bit loads, fragments ahead, ring of tiles, and a block tile of 128 x 128 x 16",
                .flags = WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=0",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .shared_bytes = 3 * WIDE_STAGE,
                .registers = 242,
            },
            {
                .name = "reuse",
                .idea = "all, its DFMAs in an order in which neighbours share an operand (sass reuse)",
                .flags = WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=0",
                .passes = "order,flags",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .shared_bytes = 3 * WIDE_STAGE,
                .registers = 242,
            },
            {
                .name = "tensor",
                .idea = "FP64 tensor cores by mma.sync.m16n8k16; block tile 64 x 128, two blocks on an SM",
                .flags = "-DTENSOR -DBM=%m -DBN=%n -DSTAGES=3 -DMIN_BLOCKS=2",
                .block_m = 64,
                .block_n = 128,
                .threads = 128,
                .shared_bytes = TENSOR_STAGES(64, 128, 3),
                .row = true,
                .registers = 243,
                .capability = 90,
            },
            {
                .name = "hand",
                .idea = "written in machine code: one operand of each DFMA from the reuse cache; block tile 128 x 128",
                .source = "hand.sass",
                .flags = "-DTM=8",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .shared_bytes = 4 * 0x8000 - 0x400,
                .persistent = true,
                .registers = 210,
            },
            {
                .name = "hand_12x8",
                .idea = "the same, 12 x 8 elements a thread; block tile 96 x 256",
                .source = "hand.sass",
                .flags = "-DTM=12",
                .block_m = 96,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = 4 * 0x8000 - 0x400,
                .persistent = true,
                .registers = 250,
            },
        },
};

REGISTER_STEP(dgemm);
