// From names to numbers in a line: {EXPR}, registers, kernel parameters, constants.
#pragma once

#include "linetext.h"
#include "names.h"

// Evaluates the number that stands at *at of the line, which moves behind it.
bool line_number(const struct line_text *line, size_t *at, struct names *names, int64_t *value,
                 struct sass_error *error);
// Replaces every {EXPR} by its value or text. Sets of scoreboards as DEPBAR has them, {1,0}, stay.
bool expand_braces(const struct line_text *line, struct names *names, struct line_text *out, struct sass_error *error);
// Replaces the names of registers, parameters and constants in an instruction's operands, and (EXPR).
bool expand_operands(const struct line_text *line, struct names *names, struct line_text *out,
                     struct sass_error *error);

// A register as .reg gives it: R12, NAME or NAME[EXPR]; step is the name's, or 1.
struct register_place {
    enum register_file file;
    int number, step;
};
bool line_register(const struct line_text *line, size_t *at, struct names *names, struct register_place *place,
                   struct sass_error *error);
// R12, UR3, P0, UP0: *number may be beyond the file. Returns the length, 0: no such thing here.
size_t register_literal(const char *text, enum register_file *file, long *number);
