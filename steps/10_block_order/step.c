// The variants of step 10.
#include "extras.h"

// The flags of step 08's `wide`, for four orders of tiles.
#define LARGE \
    "-DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=4 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=1 -DSLOTS=0"
#define STAGES4(m, n) (4 * 8 * ((m) + 4 + (n)) * (int)sizeof(float))
#define STREAM_SHARED (4 * 0x4000 - 0x400)

// On sm_90 `sass reuse` rewrites the compiled kernel `64x64`, as in step 09.
#define REUSE .build.passes = "banks,order,flags,trim", .build.passes_optional = true

static const struct extras row = {.grid.linear = true};
static const struct extras split_2048 = {REUSE, .grid.linear = true, .grid.max_blocks = 2048};
static const struct extras stream = {.build.source = "steps/09_reuse_sass/hand.sass",
                                     .build.capability = 75,
                                     .grid.persistent = true,
                                     .grid.max_blocks = 4096};
static const struct extras whole = {.build.source = "steps/09_reuse_sass/hand.sass",
                                    .build.capability = 75,
                                    .grid.persistent = true};
static const struct extras whole_80 = {.build.source = "steps/09_reuse_sass/hand.sass",
                                       .build.capability = 80,
                                       .grid.persistent = true};

static const struct variant variants[] = {
    {"x_major", "-DRASTER=X_MAJOR " LARGE, "tiles row by row: block tile 128 x 256", 128, 256, 256,
     220, STAGES4(128, 256), &row},
    {"y_major", "-DRASTER=Y_MAJOR " LARGE, "tiles column by column: otherwise as x_major", 128, 256,
     256, 220, STAGES4(128, 256), &row},
    {"grouped", "-DRASTER=GROUPED " LARGE,
     "eight rows at a time: tiles column by column in each group", 128, 256, 256, 220,
     STAGES4(128, 256), &row},
    {"z_order", "-DRASTER=Z_ORDER " LARGE, "tiles along the z-curve: quarter by quarter", 128, 256,
     256, 234, STAGES4(128, 256), &row},
    {"64x64",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 "
     "-DMIN_BLOCKS=5 -DSLOTS=2048",
     "block tile 64 x 64: 8 x 4 elements per thread, K split", 64, 64, 128, 96, STAGES4(64, 64),
     &split_2048},
    {"stream_16x8", "-DSTREAM=1 -DTN=8 -DWARPS_N=1 -DLANES_M=1",
     "stream-K, by hand: equal shares of work for all blocks; block tile 128 x 256", 128, 256, 256,
     186, STREAM_SHARED, &stream},
    {"whole_16x8", "-DORDER=1 -DTN=8 -DWARPS_N=1 -DLANES_M=1",
     "step 09's hand_16x8_row: best if every SM gets a tile", 128, 256, 256, 186, STREAM_SHARED,
     &whole},
    {"whole_16x12", "-DORDER=1 -DTN=12 -DWARPS_N=2", "step 09's hand_16x12: block tile 256 x 192",
     256, 192, 256, 250, STREAM_SHARED, &whole_80},
    {0},
};

static const struct step block_order = {
    "10_block_order", "sgemm_block_order", "Block order",
    "which block computes what: orders of the tiles, and parts of K", .variants = variants};

REGISTER_STEP(block_order);
