#include "step.h"

static const struct step exercise = {
    .name = "03a_inner_loop",
    .kernel = "sgemm_exercise",
    .title = "Exercise 03a",
    .idea = "the inner loop",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
