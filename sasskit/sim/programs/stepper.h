// simrun --step: commands, one per line, that run a block's warps instruction by instruction and
// show their state.
#pragma once

#include "sim/run/held.h"

// Opens the launch anew, with fresh memory, after closing what it returned before. Going back is
// done by running again.
typedef struct held *stepper_open(void *context, uint64_t block, struct error *error);

// Executes the commands of a file ("-": the terminal) until it ends. Returns false if a command
// failed; a finding of the kernel is reported and is not a failure.
bool stepper(const char *commands, stepper_open *open, void *context, struct error *error);
