#include "step.h"

static const struct step exercise = {
    .name = "04b_interleaved",
    .kernel = "sgemm_exercise",
    .title = "Exercise 04b",
    .idea = "interleaved columns",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
