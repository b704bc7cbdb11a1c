// Assembles source to a whole cubin.
#pragma once

#include "program.h"

struct assemble_options {
    const char *path; // of the source; its name goes into the line table
    const struct program_define *defines;
    int define_count;
    bool lint;                    // hazards are errors
    const struct sass_chip *chip; // NULL: sm_90
};

// Returns the cubin's bytes, which the caller frees; NULL on an error, which has a source position.
uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size, struct error *error);
