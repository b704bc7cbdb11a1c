// Assembles source to a whole cubin.
#pragma once

#include "program.h"

struct assemble_options {
    const char *path; // path of the source, whose name goes into the line table
    const struct program_define *defines;
    int define_count;
    bool lint;                    // report hazards as errors
    const struct sass_chip *chip; // the target chip; NULL for sm_90
};

// Returns the cubin's bytes, which the caller frees; NULL after setting *error, with the source
// position if it has one.
uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size,
                  struct error *error);
