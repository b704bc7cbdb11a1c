// Checks a kernel's registers and control fields (stall counts, scoreboards, reuse flags) without
// running it.
#pragma once

#include "isa/cubin.h"
#include "isa/instruction.h"

#include <stdio.h>

struct lint_options {
    FILE *out; // receives findings and loops as text; NULL to print nothing
    bool all;  // true to print each bank conflict and idle reuse flag, too
    // true to report a reader, too, that is closer to its producer than a guessed least distance
    bool guesses;
    // 2: count the operand reads of each loop's FFMAs by an H200's rules; 4: by Maxwell's; 0: none
    int banks;
    // number of registers that an operand slot keeps under Maxwell's rules; 0 for two
    int keep;
    // If not NULL: stronger control fields that the instruction with index `was_at` once had. If
    // there is no hazard, notes say why those that it has are enough.
    const struct sass_control *was;
    size_t was_at;
    // Called for each hazard, one at most per instruction, with its index and a message; or NULL.
    void (*found)(void *context, size_t index, const char *message);
    void *context;
};

// Returns the number of instructions with a hazard plus the number of unknown ones. Sets the error
// to the first unknown instruction's.
int lint_kernel(const struct lint_options *options, const struct sass_kernel *kernel,
                struct error *error);
