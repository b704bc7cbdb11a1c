// Kernels for shapes that do not suit lesson 10's tiles, and `dispatch`, which chooses among these
// and lesson 10's. All have the symbol of lesson 10's kernels.
#include "../rules/dispatch.h"
#include "extras.h"

// Shared memory of four stages of lesson 10's kernel, in bytes.
#define STAGES4(m, n) (4 * 8 * ((m) + 4 + (n)) * (int)sizeof(float))
// Shared memory of two stages of slim.h, in bytes.
#define SLIM_SHARED(stride) (2 * (64 * (64 + 4) + (64 + 8) * (stride)) * (int)sizeof(float))
// Least number of new columns per block: a tile has 128 columns, but may begin up to seven columns
// further to the left (sectors.h).
#define SECTOR_COLUMNS 121

static const struct extras row = {.grid.linear = true};
static const struct extras row_2048 = {.grid.linear = true, .grid.max_blocks = 2048};

// Lesson 10's kernel with other tiles. On sm_90 `sass reuse` rewrites it, as in lesson 09.
#define TILES \
    .build.source = "steps/10_block_order/kernel.cu", .build.passes = "banks,order,flags,trim", \
    .build.passes_optional = true
static const struct extras tiles_1024 = {TILES, .grid.linear = true, .grid.max_blocks = 1024};
static const struct extras tiles_2048 = {TILES, .grid.linear = true, .grid.max_blocks = 2048};

static const char *const all[] = {"10_block_order", "shapes", NULL};

static const struct variant variants[] = {
    {"thin",
     "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=4 -DWARPS_K=2 -DAHEAD=16 "
     "-DMIN_BLOCKS=2 -DSLOTS=2048",
     "4 rows, 512 columns, B directly into registers: for few rows", 4, 512, 256, .registers = 126,
     .extras = &row_2048},
    {"thin_deep",
     "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DAHEAD=16 "
     "-DMIN_BLOCKS=2 -DSLOTS=2048",
     "thin with 128 columns and eight warps that divide K: for few blocks", 4, 128, 256,
     .registers = 125, .extras = &row_2048},
    {"thin_16",
     "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DAHEAD=8 "
     "-DMIN_BLOCKS=4 -DSLOTS=2048",
     "thin with 16 rows, 128 columns and four warps that divide K", 16, 128, 128, .registers = 128,
     .extras = &row_2048},
    {"thin_20",
     "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 -DAHEAD=8 "
     "-DMIN_BLOCKS=3 -DSLOTS=2048",
     "thin with 20 rows, 128 columns and four warps that divide K", 20, 128, 128, .registers = 166,
     .extras = &row_2048},
    {"thin_24",
     "-DRASTER=Y_MAJOR -DTHIN -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=3 -DAHEAD=8 "
     "-DMIN_BLOCKS=4 -DSLOTS=2048",
     "thin with 24 rows, 128 columns and three warps that divide K", 24, 128, 96, .registers = 168,
     .extras = &row_2048},
    {"narrow",
     "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=8 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=4 "
     "-DGROUP=2 -DMIN_BLOCKS=2 -DSLOTS=2048",
     "64 rows, 4 columns, A directly into registers, lanes along K: for few columns", 64, 4, 256,
     .registers = 121, .extras = &row_2048},
    {"narrow_8",
     "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=8 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=4 "
     "-DGROUP=2 -DMIN_BLOCKS=2 -DSLOTS=2048",
     "narrow with 8 columns", 64, 8, 256, .registers = 128, .extras = &row_2048},
    {"narrow_long",
     "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=4 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=8 "
     "-DGROUP=8 -DPARTS_FIRST=1 -DMIN_BLOCKS=2 -DSLOTS=2048",
     "narrow_8 with 32 rows and pieces of A's rows four times as long; a tile's parts are "
     "neighbouring blocks: for a large A",
     32, 8, 256, .registers = 126, .extras = &row_2048},
    {"narrow_16",
     "-DRASTER=X_MAJOR -DNARROW -DBM=%m -DBN=%n -DTM=4 -DWARPS_M=8 -DWARPS_N=1 -DSTEPS=8 "
     "-DGROUP=4 -DMIN_BLOCKS=2 -DSLOTS=2048",
     "narrow with 32 rows, 16 columns and longer pieces of A's rows", 32, 16, 256, .registers = 121,
     .extras = &row_2048},
    {"slim_20",
     "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=5 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 "
     "-DCHUNK=64 -DSTAGES=2 -DMIN_BLOCKS=4 -DSLOTS=2048",
     "64 rows, 20 columns, A by whole sectors to shared memory, four warps that divide K: for many "
     "rows",
     64, 20, 128, 128, SLIM_SHARED(24), &row_2048},
    {"slim_24",
     "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=6 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 "
     "-DCHUNK=64 -DSTAGES=2 -DMIN_BLOCKS=4 -DSLOTS=2048",
     "slim_20 with 24 columns", 64, 24, 128, 128, SLIM_SHARED(24), &row_2048},
    {"slim_32",
     "-DRASTER=X_MAJOR -DSLIM -DBM=%m -DBN=%n -DTN=8 -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=4 "
     "-DCHUNK=64 -DSTAGES=2 -DMIN_BLOCKS=3 -DSLOTS=2048",
     "slim_20 with 32 columns", 64, 32, 128, 168, SLIM_SHARED(40), &row_2048},
    {"row",
     "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=1 "
     "-DAHEAD=8 -DMIN_BLOCKS=3 -DSLOTS=2048",
     "vector times matrix: 128 columns of one row, eight warps along K", 1, 128, 256,
     .registers = 76, .extras = &row_2048},
    {"row_8",
     "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=4 "
     "-DAHEAD=16 -DMIN_BLOCKS=3 -DSLOTS=2048",
     "row with 8 columns, and lanes along K as well: for a short row", 1, 8, 256, .registers = 56,
     .extras = &row_2048},
    {"row_32",
     "-DRASTER=Y_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=16 -DLANES_K=1 "
     "-DAHEAD=16 -DMIN_BLOCKS=2 -DSLOTS=2048",
     "row with 32 columns and sixteen warps along K: for hundreds of columns", 1, 32, 512,
     .registers = 56, .extras = &row_2048},
    {"column",
     "-DRASTER=X_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=8 -DWARPS_N=1 -DWARPS_K=1 -DLANES_K=32 "
     "-DAHEAD=8 -DMIN_BLOCKS=3 -DSLOTS=2048",
     "matrix times vector: 32 rows of one column, four rows per warp, lanes along K", 32, 1, 256,
     .registers = 72, .extras = &row_2048},
    {"column_deep",
     "-DRASTER=X_MAJOR -DVECTOR -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=1 -DWARPS_K=8 -DLANES_K=32 "
     "-DAHEAD=8 -DMIN_BLOCKS=3 -DSLOTS=2048",
     "column with 4 rows and eight warps that divide K: for a short column", 4, 1, 256,
     .registers = 72, .extras = &row_2048},
    {"flat",
     "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=16 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=3 "
     "-DSLOTS=0",
     "for a small K: 64 rows, 128 columns, C written 512 bytes at a time", 64, 128, 256,
     .registers = 80, .extras = &row},
    {"long",
     "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=16 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=4 "
     "-DSLOTS=0",
     "flat with 128 rows, 16 columns: for a small K and few columns", 128, 16, 256, .registers = 48,
     .extras = &row},
    {"long_32",
     "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=32 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=4 "
     "-DSLOTS=0",
     "long with 32 columns, and 32 k's at a time", 128, 32, 256, .registers = 64, .extras = &row},
    {"wide",
     "-DRASTER=X_MAJOR -DFLAT -DBM=%m -DBN=%n -DDEPTH=32 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=5 "
     "-DSLOTS=0",
     "flat with 32 rows, 64 columns, 32 k's at a time: for a small K and few rows", 32, 64, 256,
     .registers = 48, .extras = &row},
    {"sectors",
     "-DRASTER=X_MAJOR -DSECTORS -DBM=%m -DDEPTH=8 -DWARPS_M=8 -DWARPS_N=1 -DMIN_BLOCKS=3 "
     "-DSLOTS=0",
     "for a K of up to 8: 64 rows, 128 columns, C stored by whole sectors whatever its alignment",
     64, SECTOR_COLUMNS, 256, .registers = 80, .extras = &row},
    {"panel",
     "-DRASTER=X_MAJOR -DPANEL -DBM=%m -DBN=%n -DDEPTH=20 -DROWS=2 -DWARPS_M=2 -DWARPS_N=1 "
     "-DMIN_BLOCKS=8 -DSLOTS=0",
     "for a K of 5 to 20: B stays in registers", 64, 128, 64, .registers = 127, .extras = &row},
    {"64x32",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=1 -DSTAGES=4 -DCOPY_K=2 "
     "-DMIN_BLOCKS=10 -DSLOTS=2048",
     "8 x 4 elements per thread, two warps: for 17 to 32 columns, or few blocks", 64, 32, 64, 96,
     STAGES4(64, 32), &tiles_2048},
    {"32x64",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 "
     "-DMIN_BLOCKS=10 -DSLOTS=2048",
     "64x32 with rows and columns exchanged: for 17 to 32 rows", 32, 64, 64, 96, STAGES4(32, 64),
     &tiles_2048},
    {"128x64",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=4 -DWARPS_N=1 -DSTAGES=4 -DCOPY_K=2 "
     "-DMIN_BLOCKS=3 -DSLOTS=1024",
     "8 x 8 elements per thread, K split", 128, 64, 128, 168, STAGES4(128, 64), &tiles_1024},
    {"64x128",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=2 -DWARPS_N=2 -DSTAGES=4 -DCOPY_K=1 "
     "-DMIN_BLOCKS=3 -DSLOTS=1024",
     "8 x 8 elements per thread, K split", 64, 128, 128, 150, STAGES4(64, 128), &tiles_1024},
    {"48x96",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=3 -DSTAGES=4 -DCOPY_K=2 "
     "-DMIN_BLOCKS=5 -DSLOTS=2048",
     "12 x 4 elements per thread: for 33 to 48 rows", 48, 96, 96, 128, STAGES4(48, 96),
     &tiles_2048},
    {"96x48",
     "-DRASTER=GROUPED -DBM=%m -DBN=%n -DWARPS_M=1 -DWARPS_N=3 -DLANES_M=8 -DSTAGES=4 -DCOPY_K=2 "
     "-DMIN_BLOCKS=5 -DSLOTS=2048",
     "48x96 with rows and columns exchanged: for 33 to 48 columns", 96, 48, 96, 128,
     STAGES4(96, 48), &tiles_2048},
    {"dispatch", NULL, "chooses the launches for a shape by measured costs", .block_m = 4,
     .extras = &(const struct extras){.choice.choose = choose_plan,
                                      .choice.among = all,
                                      .choice.is_candidate = is_candidate,
                                      .choice.expects = expected_time,
                                      .choice.costs_from = costs_from}},
    {0},
};

static const struct step shapes = {
    "shapes",
    "sgemm_block_order",
    "Shapes",
    "a kernel for every shape: few rows, few columns, a small K, other tiles",
    .variants = variants,
    .extras = &(const struct step_extras){.folder = "library/shapes", .needs = "10_block_order"}};

REGISTER_STEP(shapes);
