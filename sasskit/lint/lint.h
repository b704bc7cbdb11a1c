// Checks a kernel's registers and control fields (stall counts, scoreboards, reuse flags) without
// running it.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

struct lint_options {
    FILE *out; // receives findings and loops; NULL to print nothing
    bool all;  // print each bank conflict, and each idle reuse flag of a loop, too
    // if a pair's least distance is unknown, report a pair that is closer than the table's guess
    bool guesses;
    // 2 or 4 to count operand reads of each loop's FFMAs by the rules of an H200 or of Maxwell; 0
    // to count none
    int banks;
    // number of registers that an operand slot keeps under Maxwell's rules; 0 means two
    int keep;
    // Called for each hazard with the instruction's index and a message; may be NULL.
    void (*found)(void *context, size_t index, const char *message);
    void *context;
};

// Returns the number of hazards plus the number of unknown instructions. The error describes the
// first unknown instruction.
int lint_kernel(const struct lint_options *options, const struct sass_kernel *kernel,
                struct error *error);
