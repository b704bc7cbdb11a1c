// Expands assembler source: replaces all names, expressions, loops and macros in its lines.
#pragma once

#include "program.h"

// Sets *out to the expanded source. On failure returns false and sets *error, with the position in
// `line`, `column` and `context`.
bool program_expand(const char *source, const struct program_define *defines, int define_count,
                    struct asm_program *out, struct error *error);
