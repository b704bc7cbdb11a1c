#include "step.h"

static const struct step exercise = {
    .name = "02a_barriers",
    .kernel = "sgemm_exercise",
    .title = "Exercise 02a",
    .idea = "place the barriers",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 32, .block_n = 32, .threads = 1024, .registers = 64}},
};

REGISTER_STEP(exercise);
