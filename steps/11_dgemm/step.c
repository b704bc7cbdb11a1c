// The variants of step 11.
#include "extras.h"

// 8 x 8 elements per thread, 4 warps below each other, two blocks per SM.
#define TILE  "-DBM=%m -DBN=%n -DBK=8 -DWARPS_M=4 -DWARPS_N=1 -DMIN_BLOCKS=2"
#define STAGE ((int)(8 * (128 + 4 + 64) * sizeof(double)))

// Tiles twice as wide and deep, 4 x 2 warps, one block per SM: a third fewer copies per
// multiply-add, and half as many barriers.
#define WIDE       "-DBM=%m -DBN=%n -DBK=16 -DWARPS_M=4 -DWARPS_N=2 -DMIN_BLOCKS=1"
#define WIDE_STAGE ((int)(16 * (128 + 4 + 128) * sizeof(double)))

#define TENSOR_STAGES(m, n, stages) \
    ((int)((stages) * ((m) * (16 + 4) + 16 * ((n) + 4)) * sizeof(double)))

static const struct variant variants[] = {
    {"unroll", TILE " -DACCESS=1 -DFRAGMENTS=1 -DSTAGES=1 -DPADDED=0",
     "k loop unrolled: 8 x 8 per thread, the next tile loaded ahead into registers; 64-bit loads",
     128, 64, 128, .registers = 222, .shared_bytes = STAGE},
    {"access_128", TILE " -DACCESS=2 -DFRAGMENTS=1 -DSTAGES=1 -DPADDED=0",
     "unroll, 128-bit shared loads", 128, 64, 128, .registers = 226, .shared_bytes = STAGE},
    {"fragments", TILE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=1 -DPADDED=0",
     "access_128, fragments ahead: those of k + 1 are loaded before the FMAs of k", 128, 64, 128,
     .registers = 250, .shared_bytes = STAGE},
    {"double_buffer", TILE " -DACCESS=2 -DFRAGMENTS=1 -DSTAGES=4 -DPADDED=0",
     "access_128, ring of tiles: filled by cp.async, one barrier per tile", 128, 64, 128,
     .registers = 222, .shared_bytes = 4 * STAGE},
    {"padded", WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=1",
     "all, borders left out: it runs on copies of A, B and C padded with zeros to whole tiles", 128,
     128, 256, 232, 3 * WIDE_STAGE,
     &(const struct extras){.padded.kernel = "pad_matrix", .padded.block_k = 16}},
    {"all", WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=0",
     "all of these ideas: 128-bit loads, fragments ahead, ring, block tile 128 x 128 x 16", 128,
     128, 256, .registers = 242, .shared_bytes = 3 * WIDE_STAGE},
    {"reuse", WIDE " -DACCESS=2 -DFRAGMENTS=2 -DSTAGES=3 -DPADDED=0",
     "all, DFMAs in another order: neighbours share an operand (sass reuse)", 128, 128, 256, 242,
     3 * WIDE_STAGE, &(const struct extras){.build.passes = "order,flags"}},
    {"tensor", "-DTENSOR -DBM=%m -DBN=%n -DSTAGES=3 -DMIN_BLOCKS=2",
     "FP64 tensor cores: mma.sync.m16n8k16; block tile 64 x 128, two blocks per SM", 64, 128, 128,
     243, TENSOR_STAGES(64, 128, 3),
     &(const struct extras){.build.capability = 90, .grid.linear = true}},
    {"hand", "-DTM=8",
     "written in machine code: one operand of each DFMA from the reuse cache; block tile 128 x 128",
     128, 128, 256, 210, 4 * 0x8000 - 0x400,
     &(const struct extras){
         .build.source = "hand.sass", .build.capability = 80, .grid.persistent = true}},
    {"hand_12x8", "-DTM=12", "hand, 12 x 8 sums: block tile 96 x 256", 96, 256, 256, 250,
     4 * 0x8000 - 0x400,
     &(const struct extras){
         .build.source = "hand.sass", .build.capability = 80, .grid.persistent = true}},
    {0},
};

static const struct step dgemm = {"11_dgemm",
                                  "dgemm_ladder",
                                  "DGEMM",
                                  "the ladder in double precision",
                                  .variants = variants,
                                  .figure = "wavefronts_per_dfma",
                                  .extras = &(const struct step_extras){.element = FP64}};

REGISTER_STEP(dgemm);
