// simrun --step: commands, one per line, that execute a block's warps instruction by instruction
// and show their state.
#pragma once

#include "sim/run/stepping.h"

// Closes the launch that an earlier call returned, and opens the launch from its start with fresh
// memory. The stepper goes back by running again from the start.
typedef struct stepping *stepper_open(void *context, uint64_t block, struct error *error);

// Executes the commands of a file ("-": standard input) until it ends or says quit. If a command
// fails, goes on at a terminal, otherwise returns false. A finding of the kernel is not a failure.
bool stepper(const char *commands, stepper_open *open, void *context, struct error *error);
