#include "step.h"

static const struct step exercise = {
    .name = "xb_five_mistakes",
    .kernel = "sgemm_exercise",
    .title = "Exercise xb",
    .idea = "five mistakes",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 32, .block_n = 32, .threads = 1024, .registers = 64}},
};

REGISTER_STEP(exercise);
