#include "step.h"

static const struct step exercise = {
    .name = "06a_pad_8",
    .kernel = "sgemm_exercise",
    .title = "Exercise 06a",
    .idea = "padding by 8",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
