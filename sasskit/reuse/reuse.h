// `sass reuse`: a compiled kernel's hot loops rewritten so that FFMAs do not wait for the register file.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

enum {
    REUSE_BANKS = 1,
    REUSE_ORDER = 2,
    REUSE_FLAGS = 4,
    REUSE_TRIM = 8,
    REUSE_PAIRS = 16, // instead of order, which leaves a place of the reuse cache unused
    REUSE_ALL = REUSE_BANKS | REUSE_PAIRS | REUSE_FLAGS | REUSE_TRIM
};

// "banks,pairs,flags,trim" or some of them, "order"; 0: a name is not known.
unsigned reuse_passes(const char *list);

// Rewrites the kernel's code and register count in the cubin's bytes, and reports one line a loop. False: the error says
// why, the bytes are unchanged.
bool reuse_kernel(FILE *out, struct sass_cubin *cubin, struct sass_kernel *kernel, unsigned passes,
                  struct sass_error *error);

// The pass `trim` alone: takes instructions that never run out of inner loops. The code keeps its length; nothing changes when
// a hazard would be left. False: not decodable or no memory, the code is unchanged.
bool trim_kernel(const struct sass_kernel *kernel, int *removed, struct sass_error *error);
