#include "step.h"

static const struct step exercise = {
    .name = "12a_plain_numbers",
    .kernel = "sgemm_maxas",
    .title = "Exercise 12a",
    .idea = "number c plainly",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
