// simrun --list: the kernels of a cubin, what each takes, and the call that runs it.
#pragma once

#include "sim/sim.h"

#include <stdio.h>

// Prints the kernels of the file. False: the error says why it cannot be read.
bool list_kernels(const char *path, FILE *out, struct sim_error *error);
