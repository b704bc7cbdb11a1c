// Checks a kernel's control fields and registers without running it.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

struct lint_options {
    FILE *out; // receives findings and loops; NULL if nothing is printed
    bool all;  // also prints each bank conflict and idle reuse flag of the loops
    // also reports a pair whose distance is not known unless it is as far apart as automatic lines
    bool guesses;
    // 2 or 4: counts operand reads of each loop's FFMAs by the rules of an H200 or of Maxwell; 0:
    // none
    int banks;
    int keep; // registers that an operand slot keeps under Maxwell's rules; 0: two
    // Called for each hazard with the instruction's index and a message; may be NULL.
    void (*found)(void *context, size_t index, const char *message);
    void *context;
};

// Returns the number of hazards plus unknown instructions; the error describes the first unknown
// one.
int lint_kernel(const struct lint_options *options, const struct sass_kernel *kernel, struct error *error);
