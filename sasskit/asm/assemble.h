// Assembler source to a whole cubin.
#pragma once

#include "program.h"

struct assemble_options {
    const char *path; // of the source: its name goes into the line table
    const struct program_define *defines;
    int define_count;
    bool lint;                    // hazards are errors
    const struct sass_chip *chip; // NULL: sm_90
};

// The cubin's bytes, for the caller to free; NULL on an error, whose place is in the source.
uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size, struct sass_error *error);
