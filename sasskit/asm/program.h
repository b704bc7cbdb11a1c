// An assembler source after expansion: per kernel its attributes and its lines with every name, expression, loop and
// macro replaced.
#pragma once

#include "isa/arena.h"
#include "isa/chip.h"

#include <stdbool.h>

enum { MAX_PARAMETERS = 256, MAX_VARIABLES = 16, ALL_SCOREBOARDS = 0x3f };

// A macro call that is being expanded: for messages.
struct macro_call {
    const struct macro_call *caller; // NULL: the file itself
    const char *name;
    int line; // where it was called
};

enum program_line_kind { PROGRAM_LABEL, PROGRAM_WORD, PROGRAM_INSTRUCTION };

struct program_line {
    enum program_line_kind kind;
    const char *text;
    const int *columns; // of each character of text, where it comes from in the source line; one more for the end
    int line;           // of the source, from 1
    const struct macro_call *call;
};

struct program_parameter {
    int offset, size; // bytes
};

struct program_variable {
    const char *name;
    int64_t bytes;
};

struct program_kernel {
    const char *name;
    int line;
    bool disassembled;   // by sass dis: parameters and shared memory are not in the text
    int threads;         // at most so many in a block, 0 unknown
    int shared_bytes;    // static shared memory, without what the chip reserves
    int registers;       // 0: what the code needs
    uint8_t scoreboards; // bit set: those that automatic lines may use
    struct program_parameter parameters[MAX_PARAMETERS];
    int parameter_count, parameter_bytes;
    struct program_variable variables[MAX_VARIABLES];
    int variable_count;
    struct program_line *lines;
    size_t line_count;
};

struct program {
    const struct sass_chip *chip; // that it is for
    struct arena arena;
    struct program_kernel *kernels;
    size_t kernel_count;
};

struct program_define { // -D NAME=VALUE
    const char *text;
};

void program_clear(struct program *program);
// Fills the place of an error: a character of a line; the calls around it.
void program_place(const struct program_line *line, size_t index, struct sass_error *error);
void program_place_calls(const struct macro_call *call, struct sass_error *error);
