// The expander's state, and functions shared by expand.c and directives.c.
#pragma once

#include "linetext.h"
#include "names.h"
#include "program.h"

#include <stdarg.h>
#include <stdio.h>

struct source_line {
    const char *text;  // the line without its comment
    int end;           // of a .for, .if or .macro: index of its .end line
    int next;          // of an .if, .elif or .else: index of the next branch or of the .end line
    bool disassembled; // true if `sass dis` printed this .kernel line
};

struct macro {
    const char *name;
    const char *parameters[MAX_ARGUMENTS];
    int parameter_count;
    int line; // index of the .macro line
};

struct call {
    struct macro_call call;
    const struct macro *macro;
    const char *arguments[MAX_ARGUMENTS];
};

struct expander {
    struct names names;
    struct source_line *lines;
    int line_count;
    const struct macro **macros;
    size_t macro_count;
    struct asm_program *program;
    struct program_kernel *kernel; // the kernel that is being read; NULL before the first one
    struct call *call;             // the macro call that is being expanded; NULL outside macros
    struct line_text line;         // the line that is being read
    struct line_text scratch[2];
    int number; // number of the line that is being read, from 1
    int kept;   // lines of the expanded source so far
    int work;   // lines executed so far; a repeated line counts each time
    struct error *error;
};

bool expand_failed(struct expander *x, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Returns the position of the first character from `at` on that is no blank.
size_t expand_skip(const struct expander *x, size_t at);
// Checks that nothing but blanks follows in the line; otherwise sets the error.
bool expand_end(struct expander *x, size_t at);
const struct macro *find_macro(const struct expander *x, const char *name, size_t length);

// --- directives.c: each function executes a directive whose name ends at `at` in x->line ---------
bool obey_let(struct expander *x, size_t at);
bool obey_def(struct expander *x, size_t at);
bool obey_macro(struct expander *x, size_t at);
bool obey_error(struct expander *x, size_t at);
bool obey_kernel(struct expander *x, size_t at);
bool obey_threads(struct expander *x, size_t at);
bool obey_shared(struct expander *x, size_t at);
bool obey_registers(struct expander *x, size_t at);
bool obey_param(struct expander *x, size_t at);
bool obey_global(struct expander *x, size_t at);
bool obey_scoreboards(struct expander *x, size_t at);
bool obey_reg(struct expander *x, size_t at);
bool obey_ureg(struct expander *x, size_t at);
bool obey_pred(struct expander *x, size_t at);
bool obey_upred(struct expander *x, size_t at);
bool obey_free(struct expander *x, size_t at);
