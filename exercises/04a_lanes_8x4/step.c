#include "step.h"

static const struct step exercise = {
    .name = "04a_lanes_8x4",
    .kernel = "sgemm_exercise",
    .title = "Exercise 04a",
    .idea = "lanes 8 x 4",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
