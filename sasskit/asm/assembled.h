// A kernel in the assembler.
#pragma once

#include "program.h"

// A kernel's code, ready to be written.
struct assembled {
    struct arena memory; // owns the code and the arrays below
    const struct program_kernel *source;
    const struct sass_chip *chip;
    struct sass_instruction *code;
    const struct program_line **lines; // per instruction: its line; NULL: added by the assembler
    bool *automatic;                   // per instruction: the assembler fills in its control column
    bool *label;                       // per instruction: a branch leads here
    size_t count;
    int registers; // per thread
    int barriers;  // number of named barriers used
};
