// A check of a kernel's control fields and registers, without running it.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

struct lint_options {
    FILE *out; // findings and loops are printed here; NULL: nothing is
    bool all;  // each bank conflict and idle reuse flag of the loops, too
    int banks; // 2, 4: count the operand reads of each loop's FFMAs by the rules of an H200, of Maxwell; 0: do not
    int keep;  // registers that a slot keeps under Maxwell's rules; 0: two
    // Told of each hazard: the instruction's index, and what is wrong. NULL: nobody is.
    void (*found)(void *context, size_t index, const char *message);
    void *context;
};

// Returns the number of hazards and of instructions that are not known, the first of these in the error.
int lint_kernel(const struct lint_options *options, const struct sass_kernel *kernel, struct sass_error *error);
