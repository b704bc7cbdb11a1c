// The variants of step 01.
#include "step.h"

static const struct variant variants[] = {
    // name, flags, idea, block_m, block_n, threads
    {"uncoalesced", "-DROW_FASTEST=1",
     "lanes down columns of C: a warp reads one column of A, in 32 rows", 32, 32, 1024,
     .registers = 32},
    {"coalesced", "-DROW_FASTEST=0",
     "lanes along rows of C: a warp reads 32 consecutive floats of B", 32, 32, 1024,
     .registers = 32},
    {0},
};

static const struct step naive = {
    "01_naive",
    "sgemm_naive",
    "Naive",
    "one thread, one element of C; which element decides whether a warp's loads coalesce",
    .variants = variants,
    .figure = "sectors_per_load"};

REGISTER_STEP(naive);
