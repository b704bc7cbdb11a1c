#include "step.h"

static const struct step exercise = {
    .name = "xc_beat_step_07",
    .kernel = "sgemm_exercise",
    .title = "Exercise xc",
    .idea = "faster than step 07",
    .variants = {{.name = "mine", .idea = "yours", .block_m = 128, .block_n = 128, .threads = 256, .registers = 128}},
};

REGISTER_STEP(exercise);
