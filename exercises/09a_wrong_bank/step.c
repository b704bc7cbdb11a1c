#include "step.h"

static const struct step exercise = {
    .name = "09a_wrong_bank",
    .kernel = "sgemm_reuse_sass",
    .title = "Exercise 09a",
    .idea = "an accumulator in the wrong bank",
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
