#include "step.h"

static const struct step exercise = {
    .name = "05a_mend_split",
    .kernel = "sgemm_exercise",
    .title = "Exercise 05a",
    .idea = "mend `split`",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
