#include "step.h"
#include "rules.h"

// The kernel of step 08's `wide`, in four orders.
#define LARGE               "-DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=4 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=1 -DSLOTS=0"
#define STAGES4(m, n)       (4 * 8 * ((m) + 4 + (n)) * (int)sizeof(float))
#define SLIM_SHARED(stride) (2 * (64 * (64 + 4) + (64 + 8) * (stride)) * (int)sizeof(float)) // two stages
#define STREAM_SHARED       (4 * 0x4000 - 0x400)
#define SECTOR_COLUMNS                                                                                                 \
    121 // of 128: the launch has room for tiles that begin up to seven columns to the left (sectors.h)

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
                .name = "thin",
                .idea = "4 rows, 512 columns, B straight into registers: for few rows",
                .flags = "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=4 -DWARPS_K=2 -DAHEAD=16 "
                         "-DMIN_BLOCKS=2 "
                         "-DSLOTS=2048",
                .block_m = 4,
                .block_n = 512,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 126,
            },
            {
                .name = "thin_deep",
                .idea = "the same with 128 columns, and eight warps that share K: for a short row of blocks",
                .flags = "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DAHEAD=16 "
                         "-DMIN_BLOCKS=2 "
                         "-DSLOTS=2048",
                .block_m = 4,
                .block_n = 128,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 125,
            },
            {
                .name = "thin_16",
                .idea = "the same with 16 rows, and four warps that share K",
                .flags = "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DAHEAD=8 "
                         "-DMIN_BLOCKS=4 "
                         "-DSLOTS=2048",
                .block_m = 16,
                .block_n = 128,
                .threads = 128,
                .row = true,
                .slots = 2048,
                .registers = 128,
            },
            {
                .name = "thin_20",
                .idea = "the same with 20 rows",
                .flags = "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DAHEAD=8 "
                         "-DMIN_BLOCKS=3 "
                         "-DSLOTS=2048",
                .block_m = 20,
                .block_n = 128,
                .threads = 128,
                .row = true,
                .slots = 2048,
                .registers = 166,
            },
            {
                .name = "thin_24",
                .idea = "the same with 24 rows, and three warps that share K",
                .flags = "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=3 -DAHEAD=8 "
                         "-DMIN_BLOCKS=4 "
                         "-DSLOTS=2048",
                .block_m = 24,
                .block_n = 128,
                .threads = 96,
                .row = true,
                .slots = 2048,
                .registers = 168,
            },
            {
                .name = "narrow",
                .idea = "64 rows, 4 columns, A straight into registers, lanes along K: for few columns",
                .flags = "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=8 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=4 -DGROUP=2 "
                         "-DMIN_BLOCKS=2 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 4,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 121,
            },
            {
                .name = "narrow_8",
                .idea = "the same with 8 columns",
                .flags = "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=8 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=4 -DGROUP=2 "
                         "-DMIN_BLOCKS=2 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 8,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 128,
            },
            {
                .name = "narrow_long",
                .idea =
                    "the same with 32 rows, pieces of A's rows four times as long, and a tile's parts side by side: "
                    "for a large A",
                .flags = "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=4 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=8 -DGROUP=8 "
                         "-DPARTS_FIRST=1 -DMIN_BLOCKS=2 -DSLOTS=2048",
                .block_m = 32,
                .block_n = 8,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 126,
            },
            {
                .name = "narrow_16",
                .idea = "the same with 32 rows, 16 columns, and longer pieces of A's rows",
                .flags = "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=4 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=8 -DGROUP=4 "
                         "-DMIN_BLOCKS=2 -DSLOTS=2048",
                .block_m = 32,
                .block_n = 16,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 121,
            },
            {
                .name = "slim_16",
                .idea = "64 rows, 16 columns, A in whole sectors to shared memory, four warps that share K: for a long "
                        "column of blocks",
                .flags =
                    "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=4 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DCHUNK=64 "
                    "-DSTAGES=2 -DMIN_BLOCKS=4 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 16,
                .threads = 128,
                .shared_bytes = SLIM_SHARED(24),
                .row = true,
                .slots = 2048,
                .registers = 120,
            },
            {
                .name = "slim_20",
                .idea = "the same with 20 columns",
                .flags =
                    "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=5 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DCHUNK=64 "
                    "-DSTAGES=2 -DMIN_BLOCKS=4 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 20,
                .threads = 128,
                .shared_bytes = SLIM_SHARED(24),
                .row = true,
                .slots = 2048,
                .registers = 128,
            },
            {
                .name = "slim_24",
                .idea = "the same with 24 columns",
                .flags =
                    "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=6 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DCHUNK=64 "
                    "-DSTAGES=2 -DMIN_BLOCKS=4 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 24,
                .threads = 128,
                .shared_bytes = SLIM_SHARED(24),
                .row = true,
                .slots = 2048,
                .registers = 128,
            },
            {
                .name = "slim_32",
                .idea = "the same with 32 columns",
                .flags =
                    "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=8 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DCHUNK=64 "
                    "-DSTAGES=2 -DMIN_BLOCKS=3 -DSLOTS=2048",
                .block_m = 64,
                .block_n = 32,
                .threads = 128,
                .shared_bytes = SLIM_SHARED(40),
                .row = true,
                .slots = 2048,
                .registers = 168,
            },
            {
                .name = "row",
                .idea = "a matrix by a vector: 128 columns of one row, eight warps along K",
                .flags = "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=1 "
                         "-DAHEAD=8 -DMIN_BLOCKS=3 "
                         "-DSLOTS=2048",
                .block_m = 1,
                .block_n = 128,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 76,
            },
            {
                .name = "row_8",
                .idea = "the same with 8 columns, and lanes along K too: for a short row",
                .flags = "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=4 "
                         "-DAHEAD=16 -DMIN_BLOCKS=3 "
                         "-DSLOTS=2048",
                .block_m = 1,
                .block_n = 8,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 56,
            },
            {
                .name = "row_32",
                .idea = "the same with 32 columns, and sixteen warps along K: for hundreds of columns",
                .flags = "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=16 -DLANES_K=1 "
                         "-DAHEAD=16 -DMIN_BLOCKS=2 "
                         "-DSLOTS=2048",
                .block_m = 1,
                .block_n = 32,
                .threads = 512,
                .row = true,
                .slots = 2048,
                .registers = 56,
            },
            {
                .name = "column",
                .idea = "a matrix by a vector: 32 rows of one column, four a warp, lanes along K",
                .flags = "-DRASTER=X_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=8 -DWARPS_N=1 -DWARPS_K=1 -DLANES_K=32 "
                         "-DAHEAD=8 -DMIN_BLOCKS=3 "
                         "-DSLOTS=2048",
                .block_m = 32,
                .block_n = 1,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 72,
            },
            {
                .name = "column_deep",
                .idea = "the same with 4 rows, and eight warps that share K: for a short column",
                .flags = "-DRASTER=X_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=32 "
                         "-DAHEAD=8 -DMIN_BLOCKS=3 "
                         "-DSLOTS=2048",
                .block_m = 4,
                .block_n = 1,
                .threads = 256,
                .row = true,
                .slots = 2048,
                .registers = 72,
            },
            {
                .name = "flat",
                .idea = "for a small K: 64 rows, 128 columns, C written 512 bytes at a time",
                .flags = "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=16 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=3 "
                         "-DSLOTS=0",
                .block_m = 64,
                .block_n = 128,
                .threads = 256,
                .row = true,
                .registers = 80,
            },
            {
                .name = "long",
                .idea = "the same with 128 rows, 16 columns: for small K and few columns",
                .flags = "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=16 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=4 "
                         "-DSLOTS=0",
                .block_m = 128,
                .block_n = 16,
                .threads = 256,
                .row = true,
                .registers = 48,
            },
            {
                .name = "long_32",
                .idea = "the same with 32 columns, and a K of 32 at once",
                .flags = "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=32 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=4 "
                         "-DSLOTS=0",
                .block_m = 128,
                .block_n = 32,
                .threads = 256,
                .row = true,
                .registers = 64,
            },
            {
                .name = "wide",
                .idea = "the same with 32 rows, 64 columns: for small K and few rows",
                .flags = "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=32 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=5 "
                         "-DSLOTS=0",
                .block_m = 32,
                .block_n = 64,
                .threads = 256,
                .row = true,
                .registers = 48,
            },
            {
                .name = "sectors",
                .idea = "for a K of up to 8: 64 rows, 128 columns, C stored by whole sectors whatever its alignment",
                .flags = "-DRASTER=X_MAJOR -DSECTORS -DBM=%m -DDEPTH=8 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=3 "
                         "-DSLOTS=0",
                .block_m = 64,
                .block_n = SECTOR_COLUMNS,
                .threads = 256,
                .row = true,
                .registers = 80,
            },
            {
                .name = "panel",
                .idea = "for a K of 5 to 20: B stays in registers",
                .flags = "-DRASTER=X_MAJOR -DPANEL -DBM=%m -DBN=%n -DDEPTH=20 -DROWS=2 -DWARPS_M=2 -DWARPS_N=1 "
                         "-DMIN_BLOCKS=8 -DSLOTS=0",
                .block_m = 64,
                .block_n = 128,
                .threads = 64,
                .row = true,
                .registers = 127,
            },
            {
                .name = "64x32",
                .idea = "8 x 4 elements a thread, two warps: for 17 to 32 columns, or few blocks",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=1 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=10 "
                    "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 64,
                .block_n = 32,
                .threads = 64,
                .shared_bytes = STAGES4(64, 32),
                .row = true,
                .slots = 2048,
                .registers = 96,
            },
            {
                .name = "32x64",
                .idea = "the same with rows and columns changed: for 17 to 32 rows",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 -DMIN_BLOCKS=10 "
                    "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 32,
                .block_n = 64,
                .threads = 64,
                .shared_bytes = STAGES4(32, 64),
                .row = true,
                .slots = 2048,
                .registers = 96,
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
                .name = "64x64_8x8",
                .idea = "the same with 8 x 8 elements a thread: half the threads",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=1 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=6 "
                    "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 64,
                .block_n = 64,
                .threads = 64,
                .shared_bytes = STAGES4(64, 64),
                .row = true,
                .slots = 2048,
                .registers = 154,
            },
            {
                .name = "128x64",
                .idea = "8 x 8 elements a thread, K split",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=4 -DWARPS_N=1 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=3 "
                    "-DSLOTS=1024",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 128,
                .block_n = 64,
                .threads = 128,
                .shared_bytes = STAGES4(128, 64),
                .row = true,
                .slots = 1024,
                .registers = 168,
            },
            {
                .name = "64x128",
                .idea = "8 x 8 elements a thread, K split",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 -DMIN_BLOCKS=3 "
                    "-DSLOTS=1024",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 64,
                .block_n = 128,
                .threads = 128,
                .shared_bytes = STAGES4(64, 128),
                .row = true,
                .slots = 1024,
                .registers = 150,
            },
            {
                .name = "48x96",
                .idea = "12 x 4 elements a thread: for 33 to 48 rows",
                .flags =
                    "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=3 -DSTAGES=4 -DCOPY_K=2 -DMIN_BLOCKS=5 "
                    "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 48,
                .block_n = 96,
                .threads = 96,
                .shared_bytes = STAGES4(48, 96),
                .row = true,
                .slots = 2048,
                .registers = 128,
            },
            {
                .name = "96x48",
                .idea = "the same with rows and columns changed: for 33 to 48 columns",
                .flags = "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=3 -DLANES_M=8 -DSTAGES=4 -DCOPY_K=2 "
                         "-DMIN_BLOCKS=5 "
                         "-DSLOTS=2048",
                .passes = REUSE,
                .passes_optional = true,
                .block_m = 96,
                .block_n = 48,
                .threads = 96,
                .shared_bytes = STAGES4(96, 48),
                .row = true,
                .slots = 2048,
                .registers = 128,
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
                .source = "stream.sass",
                .capability = 80,
                .flags = "-DTN=8 -DWARPS_N=1 -DLANES_M=1",
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
                .source = "stream.sass",
                .capability = 80,
                .flags = "-DTN=12 -DWARPS_N=2",
                .block_m = 256,
                .block_n = 192,
                .threads = 256,
                .shared_bytes = STREAM_SHARED,
                .persistent = true,
                .slots = 4096,
                .registers = 250,
            },
            {
                .name = "dispatch",
                .idea = "chooses one of these by the shape, from measured costs",
                .block_m = 4,
                .choice.choose = choose_plan,
                .choice.expects = expected_time,
                .choice.costs_from = costs_from,
            },
        },
};

REGISTER_STEP(block_order);
