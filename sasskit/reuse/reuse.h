// `sass reuse`: rewrites a compiled kernel's hot loops so that FFMAs do not wait for the register
// file.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

enum {
    REUSE_BANKS = 1,
    REUSE_ORDER = 2,
    REUSE_FLAGS = 4,
    REUSE_TRIM = 8,
    REUSE_PAIRS = 16, // replaces REUSE_ORDER, which leaves one entry of the reuse cache unused
    REUSE_ALL = REUSE_BANKS | REUSE_PAIRS | REUSE_FLAGS | REUSE_TRIM
};

// Parses a list of "banks", "pairs", "order", "flags" and "trim", separated by commas. Returns 0 if
// a name is unknown.
unsigned reuse_passes(const char *list);

// Rewrites the kernel's code and register count in the cubin's bytes, and prints one line per loop.
// Returns false with an error, leaving the bytes unchanged.
bool reuse_kernel(FILE *out, struct sass_cubin *cubin, struct sass_kernel *kernel, unsigned passes,
                  struct error *error);

// Runs the pass `trim` alone, which removes instructions that are never executed from inner loops.
// As many NOPs in front of each loop keep the code's length. Nothing changes if a hazard would
// result. Returns false, leaving the code unchanged, if it cannot be decoded.
bool trim_kernel(const struct sass_kernel *kernel, int *removed, struct error *error);
