// Assembles source text to a whole cubin.
#pragma once

#include "program.h"

struct assemble_options {
    const char *path; // path of the source, for the line table and messages
    const struct program_define *defines;
    int define_count;
    bool lint;                    // report hazards and illegal stall counts as errors
    const struct sass_chip *chip; // the target chip; NULL for sm_90
};

// Returns the cubin's bytes, which the caller frees. On failure returns NULL and sets *error, with
// the position in the source if there is one.
uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size,
                  struct error *error);
