// `sass reuse`: rewrites a compiled kernel's hot loops so that FFMAs wait less for registers.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

enum {
    REUSE_BANKS = 1,
    REUSE_ORDER = 2,
    REUSE_FLAGS = 4,
    REUSE_TRIM = 8,
    REUSE_PAIRS = 16, // like REUSE_ORDER, using both reuse-cache entries of an operand slot
    REUSE_ALL = REUSE_BANKS | REUSE_PAIRS | REUSE_FLAGS | REUSE_TRIM
};

// Returns the passes in a list of "banks", "pairs", "order", "flags" and "trim", separated by
// commas; 0 if the list is invalid.
unsigned reuse_passes(const char *list);

// Rewrites the kernel's code and register count in the cubin's bytes, and prints what changed. On
// failure, returns false with an error and leaves the bytes unchanged.
bool reuse_kernel(FILE *out, struct sass_cubin *cubin, struct sass_kernel *kernel, unsigned passes,
                  struct error *error);

// Runs the pass `trim` alone: removes instructions that never execute from innermost loops, and
// puts as many NOPs in front of the loops. Sets *removed to their number, or to 0 if a hazard would
// result: then the code is unchanged. Returns false with an error if decoding or encoding fails.
bool trim_kernel(const struct sass_kernel *kernel, int *removed, struct error *error);
