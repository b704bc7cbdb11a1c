#include "step.h"

static const struct step exercise = {
    .name = "06b_another_mask",
    .kernel = "sgemm_exercise",
    .title = "Exercise 06b",
    .idea = "another mask",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
