// Assembler source to a whole sm_90 cubin.
#ifndef SASS_ASSEMBLE_H
#define SASS_ASSEMBLE_H

#include "program.h"

// One kernel's code, ready to be written.
struct assembled {
    const struct program_kernel *source;
    struct sass_instruction *code;
    const struct program_line **lines; // of each instruction, NULL: added by the assembler
    bool *automatic;                   // its control column is for the assembler to fill in
    bool *label;                       // something branches here
    size_t count;
    int registers; // a thread
    int barriers;  // named barriers used
};

struct assemble_options {
    const char *path; // of the source: its name goes into the line table
    const struct program_define *defines;
    int define_count;
    bool lint; // hazards are errors
};

// The cubin's bytes, for the caller to free; NULL on an error, whose place is in the source.
uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size, struct sass_error *error);

// Fills in the control fields of automatic lines (schedule.c).
bool schedule(struct assembled *kernel, struct sass_error *error);

// The file around the code (emit.c).
uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct sass_error *error);

#endif
