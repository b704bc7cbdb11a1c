// The variants of step 08.
#include "extras.h"

static const struct extras other = {.build.source = "variants.cu"};
static const struct extras async = {.build.source = "cp_async.cu"};

static const struct variant variants[] = {
    // name, flags, idea, block_m, block_n, threads
    {"fragments", "-DSHARED_BUFFERS=1 -DFRAG_BUFFERS=2", "two fragment buffers; one tile buffer",
     128, 128, 256, .registers = 117, .extras = &other},
    {"tiles", "-DSHARED_BUFFERS=2 -DFRAG_BUFFERS=1",
     "two tile buffers; one fragment buffer: half the barriers, global loads in flight meanwhile",
     128, 128, 256, .registers = 128, .extras = &other},
    {"both", "", "two buffers of each: of tiles and of fragments", 128, 128, 256, .registers = 127},
    {"cp_async", "-DSTAGES=3 -DBM=%m -DBN=%n -DWARPS_N=2 -DCOPY_K=3 -DMIN_BLOCKS=2",
     "both, tiles by cp.async: they bypass the registers", 128, 128, 256, .registers = 128,
     .shared_bytes = 3 * 8 * (128 + 4 + 128) * sizeof(float), .extras = &async},
    {"wide", "-DSTAGES=4 -DBM=%m -DBN=%n -DWARPS_N=4 -DCOPY_K=2 -DMIN_BLOCKS=1",
     "ring and larger tile: cp.async, block tile 128 x 256, 16 x 8 elements per thread, one block "
     "per SM",
     128, 256, 256, .registers = 224, .shared_bytes = 4 * 8 * (128 + 4 + 256) * sizeof(float),
     .extras = &async},
    {0},
};

static const struct step double_buffer = {
    "08_double_buffer",
    "sgemm_double_buffer",
    "Double buffer",
    "the next tile and the next fragments are loaded while this one is computed",
    .variants = variants,
    .figure = "instructions_per_ffma"};

REGISTER_STEP(double_buffer);
