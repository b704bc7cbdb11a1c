// simrun --step: commands, a line each, that run a block's warps an instruction at a time and show what is in them.
#pragma once

#include "sim/run/held.h"

// Opens the launch anew, memory and all, after what it gave before was closed: so one goes back, by doing it again.
typedef struct held *stepper_open(void *context, uint64_t block, struct sim_error *error);

// Commands of a file, "-" the terminal's, until they end. False when something failed; what was reported is no failure, and is told.
bool stepper(const char *commands, stepper_open *open, void *context, struct sim_error *error);
