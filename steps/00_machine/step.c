// Step 00: microbenchmarks. Its program is main.c, its table of probes is probes.c.
#include "step.h"

static const struct step machine = {
    .name = "00_machine",
    .title = "Know your machine",
    .idea = "microbenchmarks: what the chip can do, and what it takes to get it; run build/00_machine",
    .apart = "multiplies no matrices",
    .variants = {{.name = "probes", .idea = "every probe; its own program is build/00_machine"}},
};

REGISTER_STEP(machine);
