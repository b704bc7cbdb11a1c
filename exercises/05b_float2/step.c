#include "step.h"

static const struct step exercise = {
    .name = "05b_float2",
    .kernel = "sgemm_exercise",
    .title = "Exercise 05b",
    .idea = "float2",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
