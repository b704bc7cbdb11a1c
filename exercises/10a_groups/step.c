#include "step.h"

static const struct step exercise = {
    .name = "10a_groups",
    .kernel = "sgemm_exercise",
    .title = "Exercise 10a",
    .idea = "groups of tiles",
    .variants = {{.name = "mine",
                  .idea = "yours",
                  .block_m = 32,
                  .block_n = 32,
                  .threads = 1024,
                  .registers = 64,
                  .row = true}},
};

REGISTER_STEP(exercise);
