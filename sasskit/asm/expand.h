// From assembler source to lines without names.
#pragma once

#include "program.h"

// On an error, error->line, column and context say where.
bool program_expand(const char *source, const struct program_define *defines, int define_count, struct program *out,
                    struct sass_error *error);
