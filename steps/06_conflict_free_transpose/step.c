#include "step.h"

static const struct step conflict_free_transpose = {
    .name = "06_conflict_free_transpose",
    .kernel = "sgemm_conflict_free_transpose",
    .title = "Conflict-free transpose",
    .idea = "A is stored transposed without two lanes meeting in a bank",
    .variants =
        {
            {
                .name = "conflicts",
                .idea = "as it comes: every store of A takes two wavefronts",
                .flags = "-DTRANSPOSE=0",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 117,
            },
            {
                .name = "padded",
                .idea = "rows of the A tile padded by four floats",
                .flags = "-DTRANSPOSE=1",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 117,
            },
            {
                .name = "mapped",
                .idea = "no padding: rows 4 to 7 keep their columns XOR 16",
                .flags = "-DTRANSPOSE=2",
                .block_m = 128,
                .block_n = 128,
                .threads = 256,
                .registers = 119,
            },
        },
};

REGISTER_STEP(conflict_free_transpose);
