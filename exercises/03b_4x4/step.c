#include "step.h"

static const struct step exercise = {
    .name = "03b_4x4",
    .kernel = "sgemm_exercise",
    .title = "Exercise 03b",
    .idea = "4 x 4 elements a thread",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 64, .block_n = 64, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
