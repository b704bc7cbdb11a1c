// One kernel on its way through the assembler.
#pragma once

#include "program.h"

// One kernel's code, ready to be written.
struct assembled {
    struct arena memory; // of the code and what is beside it
    const struct program_kernel *source;
    const struct sass_chip *chip;
    struct sass_instruction *code;
    const struct program_line **lines; // of each instruction, NULL: added by the assembler
    bool *automatic;                   // its control column is for the assembler to fill in
    bool *label;                       // something branches here
    size_t count;
    int registers; // a thread
    int barriers;  // named barriers used
};
