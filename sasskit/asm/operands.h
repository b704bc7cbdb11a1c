// Replaces expressions and the names of registers, kernel parameters and constants in a line.
#pragma once

#include "linetext.h"
#include "names.h"

// Evaluates the expression at position *at of the line, and advances *at past it.
bool line_number(const struct line_text *line, size_t *at, struct names *names, int64_t *value,
                 struct error *error);
// Replaces every {EXPR} by its value or text. A set of scoreboards, as in DEPBAR.LE SB0, 0x0,
// {1,0}, stays unchanged.
bool expand_braces(const struct line_text *line, struct names *names, struct line_text *out,
                   struct error *error);
// Replaces the names of registers, parameters and constants in an instruction's operands, and
// (EXPR) by its value.
bool expand_operands(const struct line_text *line, struct names *names, struct line_text *out,
                     struct error *error);

// A register given as R12, NAME or NAME[EXPR]. `step` is the step of NAME's registers, 1 for R12.
struct register_place {
    enum register_file file;
    int number, step;
};
bool line_register(const struct line_text *line, size_t *at, struct names *names,
                   struct register_place *place, struct error *error);
// Parses R12, UR3, P0 or UP0. Returns the length; 0 if the text is no register. *number may exceed
// the last register's number.
size_t register_literal(const char *text, enum register_file *file, long *number);
