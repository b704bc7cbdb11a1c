#include "step.h"

static const struct step exercise = {
    .name = "07a_columns",
    .kernel = "sgemm_exercise",
    .title = "Exercise 07a",
    .idea = "column by column",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
