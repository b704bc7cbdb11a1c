// An assembler source after expansion: each kernel's attributes, and its lines, in which names,
// expressions, loops and macros are replaced.
#pragma once

#include "isa/arena.h"
#include "isa/chip.h"

#include <stdbool.h>

enum { MAX_PARAMETERS = 256, MAX_VARIABLES = 16, ALL_SCOREBOARDS = 0x3f };

// A macro call. Messages list the calls that led to a line.
struct macro_call {
    const struct macro_call *caller; // the call from whose body this call was made; NULL if none
    const char *name;
    int line; // number of the source line that calls the macro
};

enum program_line_kind { PROGRAM_LABEL, PROGRAM_WORD, PROGRAM_INSTRUCTION };

struct program_line {
    enum program_line_kind kind;
    const char *text;
    // per character of the text, and for its end: the column in the source line
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
    int threads;         // most threads per block; 0 if unknown
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

// The argument NAME=VALUE of an option -D.
struct program_define {
    const char *text;
};

void program_clear(struct asm_program *program);
// Sets an error's line, column and context from character `index` of a line, and from the macro
// calls that led to the line.
void program_place(const struct program_line *line, size_t index, struct error *error);
void program_place_calls(const struct macro_call *call, struct error *error);
