// Step 14: C in pieces, one per GPU. Its program is main.c; its schemes are in schemes.c.
#include "extras.h"

static const struct variant none[] = {{0}};

static const struct step several_gpus = {
    .name = "14_several_gpus",
    .title = "Several GPUs",
    .idea = "C in pieces, one per GPU: what is sent, when, and behind which work it hides",
    .variants = none,
    .extras = &(const struct step_extras){.needs = "09_reuse_sass shapes 13_tensor_cores",
                                          .not_in_ladder = "runs on several GPUs"},
};

REGISTER_STEP(several_gpus);
