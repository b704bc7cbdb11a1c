// simrun --list: a cubin's kernels, their parameters, and a command line that runs each.
#pragma once

#include "sim/sim.h"

#include <stdio.h>

// Prints the file's kernels. Returns false if the file cannot be read; the error says why.
bool list_kernels(const char *path, FILE *out, struct error *error);
