// One kernel while it is assembled: its instructions, and what the passes know about each of them.
#pragma once

#include "program.h"

struct assembled {
    struct arena memory; // owns the code and the arrays below
    const struct program_kernel *source;
    const struct sass_chip *chip;
    struct sass_instruction *code;
    // per instruction: its source line; NULL if the assembler appended the instruction
    const struct program_line **lines;
    bool *automatic; // per instruction: true if the assembler fills in its control column
    bool *label;     // per instruction: true if a label stands before it or a branch leads to it
    size_t count;
    int registers; // per thread
    int barriers;  // number of named barriers: highest index + 1; 16 if a register holds an index
};
