#include "step.h"

static const struct step naive = {
    .name = "01_naive",
    .kernel = "sgemm_naive",
    .title = "Naive",
    .idea = "one thread, one element of C; which element decides whether a warp's loads coalesce",
    .variants =
        {
            {
                .name = "uncoalesced",
                .idea = "threadIdx.x runs down the rows: a warp reads one column of A, 32 rows apart",
                .flags = "-DROW_FASTEST=1",
                .block_m = 32,
                .block_n = 32,
                .threads = 1024,
                .registers = 32,
            },
            {
                .name = "coalesced",
                .idea = "threadIdx.x runs along the rows: a warp reads 32 consecutive floats of B",
                .flags = "-DROW_FASTEST=0",
                .block_m = 32,
                .block_n = 32,
                .threads = 1024,
                .registers = 32,
            },
        },
};

REGISTER_STEP(naive);
