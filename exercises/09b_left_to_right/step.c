#include "step.h"

static const struct step exercise = {
    .name = "09b_left_to_right",
    .kernel = "sgemm_reuse_sass",
    .title = "Exercise 09b",
    .idea = "rows from left to right",
    .variants = {{.name = "mine",
                  .idea = "yours",
                  .block_m = 256,
                  .block_n = 192,
                  .threads = 256,
                  .shared_bytes = 4 * 0x4000 - 0x400,
                  .persistent = true,
                  .registers = 250}},
};

REGISTER_STEP(exercise);
