#include "step.h"

static const struct step exercise = {
    .name = "02b_two_elements",
    .kernel = "sgemm_exercise",
    .title = "Exercise 02b",
    .idea = "two elements a thread",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 32, .block_n = 32, .threads = 512, .registers = 64}},
};

REGISTER_STEP(exercise);
