#include "step.h"

static const struct step exercise = {
    .name = "08b_ring_of_three",
    .kernel = "sgemm_exercise",
    .title = "Exercise 08b",
    .idea = "a ring of three",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 32, .block_n = 32, .threads = 1024, .registers = 64}},
};

REGISTER_STEP(exercise);
