#include "step.h"

static const struct step exercise = {
    .name = "01a_lanes_4x8",
    .kernel = "sgemm_exercise",
    .title = "Exercise 01a",
    .idea = "lanes 4 x 8",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 32, .block_n = 32, .threads = 1024, .registers = 64}},
};

REGISTER_STEP(exercise);
