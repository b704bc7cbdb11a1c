#include "step.h"
#include "../../library/rules/dispatch.h"

// The kernel of step 08's `wide`, in four orders.
#define LARGE         "-DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=4 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=1 -DSLOTS=0"
#define STAGES4(m, n) (4 * 8 * ((m) + 4 + (n)) * (int)sizeof(float))
#define STREAM_SHARED (4 * 0x4000 - 0x400)

// On sm_90 the compiled tiles go through `sass reuse`, as in step 09.
#define REUSE "banks,order,flags,trim"

static const struct step block_order = {
    .name = "10_block_order",
    .kernel = "sgemm_block_order",
    .title = "Block order",
    .is_candidate = is_candidate,
    .idea = "which block computes what: orders of the tiles, parts of K, and a kernel for every shape",
    .variants =
        {
            {
                .name = "x_major",
                .idea = "block tile 128 x 256, tiles taken row by row",
                .flags = "-DRASTER=X_MAJOR " LARGE,
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = STAGES4(128, 256),
                .row = true,
                .registers = 220,
            },
            {
                .name = "y_major",
                .idea = "the same, column by column",
                .flags = "-DRASTER=Y_MAJOR " LARGE,
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = STAGES4(128, 256),
                .row = true,
                .registers = 220,
            },
            {
                .name = "grouped",
                .idea = "eight rows of tiles at a time, column by column in each group",
                .flags = "-DRASTER=GROUPED " LARGE,
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = STAGES4(128, 256),
                .row = true,
                .registers = 220,
            },
            {
                .name = "z_order",
                .idea = "along the z-curve, quarter by quarter",
                .flags = "-DRASTER=Z_ORDER " LARGE,
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = STAGES4(128, 256),
                .row = true,
                .registers = 234,
            },
            {
                .name = "64x64",
                .idea = "block tile 64 x 64, 8 x 4 elements a thread, K split",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 -DMIN_BLOCKS=5 "
                    "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 64,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = STAGES4(64, 64),
                .row = true,
                .slots = 2048,
                .registers = 96,
            },
            {
                .name = "128x128",
                .idea = "16 x 8 elements a thread, K split",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=2 "
                    "-DSLOTS=512",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 128,
                .block_n = 128,
                .threads = 128,
                .shared_bytes = STAGES4(128, 128),
                .row = true,
                .slots = 512,
                .registers = 254,
            },
            {
                .name = "stream_16x8",
                .idea = "machine code, stream-K: every block the same share of the work; block tile 128 x 256",
                .source = "steps/09_reuse_sass/hand.sass",
                .capability = 80,
                .flags = "-DSTREAM=1 -DTN=8 -DWARPS_N=1 -DLANES_M=1",
                .block_m = 128,
                .block_n = 256,
                .threads = 256,
                .shared_bytes = STREAM_SHARED,
                .persistent = true,
                .slots = 4096,
                .registers = 186,
            },
            {
                .name = "stream_16x12",
                .idea = "the same with 16 x 12 elements a thread, block tile 256 x 192",
                .source = "steps/09_reuse_sass/hand.sass",
                .capability = 80,
                .flags = "-DSTREAM=1 -DTN=12 -DWARPS_N=2",
                .block_m = 256,
                .block_n = 192,
                .threads = 256,
                .shared_bytes = STREAM_SHARED,
                .persistent = true,
                .slots = 4096,
                .registers = 250,
            },
#include "../../library/shapes/variants.def"
        },
};

REGISTER_STEP(block_order);
