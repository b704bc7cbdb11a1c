#include "step.h"

static const struct step exercise = {
    .name = "07b_another_order",
    .kernel = "sgemm_exercise",
    .title = "Exercise 07b",
    .idea = "another order",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
