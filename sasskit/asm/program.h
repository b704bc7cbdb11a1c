// An expanded assembler source: per kernel its attributes, and its lines with every name,
// expression, loop and macro replaced.
#pragma once

#include "isa/arena.h"
#include "isa/chip.h"

#include <stdbool.h>

enum { MAX_PARAMETERS = 256, MAX_VARIABLES = 16, ALL_SCOREBOARDS = 0x3f };

// A macro call in progress, for messages.
struct macro_call {
    const struct macro_call *caller; // the call whose body contains this one; NULL if none does
    const char *name;
    int line; // number of the source line that calls the macro
};

enum program_line_kind { PROGRAM_LABEL, PROGRAM_WORD, PROGRAM_INSTRUCTION };

struct program_line {
    enum program_line_kind kind;
    const char *text;
    // for each character of the text, and for its end: the column in the source line
    const int *columns;
    int line;                      // number of the source line, from 1
    const struct macro_call *call; // the macro call that the line comes from; NULL if none
};

struct program_parameter {
    int offset, size; // in bytes
};

struct program_variable {
    const char *name;
    int64_t bytes;
};

struct program_kernel {
    const char *name;
    int line;
    bool disassembled;   // true if `sass dis` printed the .kernel line
    int threads;         // largest number of threads per block; 0 if unknown
    int shared_bytes;    // static shared memory, without the chip's reserved part
    int registers;       // registers per thread; 0 for as many as the code needs
    uint8_t scoreboards; // mask of the scoreboards that automatic lines may use
    struct program_parameter parameters[MAX_PARAMETERS];
    int parameter_count, parameter_bytes;
    struct program_variable variables[MAX_VARIABLES];
    int variable_count;
    struct program_line *lines;
    size_t line_count;
};

struct asm_program {
    const struct sass_chip *chip;
    struct arena arena;
    struct program_kernel *kernels;
    size_t kernel_count;
};

// A definition -D NAME=VALUE.
struct program_define {
    const char *text;
};

void program_clear(struct asm_program *program);
// Sets the position of an error: a character of a line, and the macro calls in which the line
// stands.
void program_place(const struct program_line *line, size_t index, struct error *error);
void program_place_calls(const struct macro_call *call, struct error *error);
