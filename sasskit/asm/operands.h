// Replaces names by numbers in a line: {EXPR}, registers, kernel parameters, constants.
#pragma once

#include "linetext.h"
#include "names.h"

// Evaluates the number at position *at of the line, and advances *at past it.
bool line_number(const struct line_text *line, size_t *at, struct names *names, int64_t *value,
                 struct error *error);
// Replaces every {EXPR} by its value or text. A set of scoreboards, {1,0} as DEPBAR has it, stays.
bool expand_braces(const struct line_text *line, struct names *names, struct line_text *out,
                   struct error *error);
// Replaces the names of registers, parameters and constants in an instruction's operands, and
// (EXPR) by its value.
bool expand_operands(const struct line_text *line, struct names *names, struct line_text *out,
                     struct error *error);

// A register as .reg writes it: R12, NAME or NAME[EXPR]. `step` is that of the name, otherwise 1.
struct register_place {
    enum register_file file;
    int number, step;
};
bool line_register(const struct line_text *line, size_t *at, struct names *names,
                   struct register_place *place, struct error *error);
// Parses R12, UR3, P0 or UP0; *number may exceed the file. Returns the length; 0 if not a register.
size_t register_literal(const char *text, enum register_file *file, long *number);
