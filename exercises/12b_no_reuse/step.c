#include "step.h"

static const struct step exercise = {
    .name = "12b_no_reuse",
    .kernel = "sgemm_maxas",
    .title = "Exercise 12b",
    .idea = "without reuse flags",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
