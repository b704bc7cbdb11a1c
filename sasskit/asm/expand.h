// Expands assembler source to lines without names.
#pragma once

#include "program.h"

// Expands a source. On an error, error->line, column and context have the position.
bool program_expand(const char *source, const struct program_define *defines, int define_count, struct program *out,
                    struct sass_error *error);
