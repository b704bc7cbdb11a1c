#include "step.h"

static const struct step exercise = {
    .name = "08a_one_barrier",
    .kernel = "sgemm_exercise",
    .title = "Exercise 08a",
    .idea = "one barrier, two buffers",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
