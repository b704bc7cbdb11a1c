// The variants of step 09.
#include "extras.h"

#define WIDE_SHARED (4 * 8 * (128 + 4 + 256) * (int)sizeof(float))
#define HAND_SHARED (4 * 0x4000 - 0x400)

static const struct extras by_hand = {
    .build.source = "hand.sass", .build.capability = 75, .grid.persistent = true};
// sm_75 has no cp.async: a tile in flight needs registers, and 16 x 12 elements leave none.
static const struct extras by_hand_80 = {
    .build.source = "hand.sass", .build.capability = 80, .grid.persistent = true};

static const struct variant variants[] = {
    {"compiled", NULL, "as ptxas leaves it: step 08's wide form", 128, 256, 256, .registers = 224,
     .shared_bytes = WIDE_SHARED},
    {"banks", NULL, "registers renamed by bank: accumulators in the bank in which b is not", 128,
     256, 256, 224, WIDE_SHARED,
     &(const struct extras){.build.passes = "banks", .build.capability = 75}},
    {"order", NULL, "banks, FFMAs in serpentine order: with the reuse flags of the old order", 128,
     256, 256, 224, WIDE_SHARED,
     &(const struct extras){.build.passes = "banks,order", .build.capability = 75}},
    {"flags", NULL,
     "order, with new reuse flags: and nothing that never runs; all passes of `sass reuse`", 128,
     256, 256, 224, WIDE_SHARED,
     &(const struct extras){.build.passes = "banks,order,flags,trim", .build.capability = 75}},
    {"hand_16x12", "-DTN=12 -DWARPS_N=2",
     "by hand, 16 x 12 sums: machine code, block tile 256 x 192", 256, 192, 256, 250, HAND_SHARED,
     &by_hand_80},
    {"hand_16x8", "-DTN=8 -DWARPS_N=4", "by hand, 16 x 8 sums: block tile 128 x 256", 128, 256, 256,
     186, HAND_SHARED, &by_hand},
    {"hand_16x8_row", "-DTN=8 -DWARPS_N=1 -DLANES_M=1",
     "hand_16x8, lanes side by side: 16 rows of 256 columns", 128, 256, 256, 186, HAND_SHARED,
     &by_hand},
    {0},
};

static const struct step reuse_sass = {
    "09_reuse_sass",      "sgemm_reuse_sass",
    "Reuse-aware SASS",   "machine code: registers by bank, operands kept in the reuse cache",
    .variants = variants, .figure = "register_bank_cycles_per_ffma"};

REGISTER_STEP(reuse_sass);
