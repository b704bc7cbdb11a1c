// Frees an expanded source, and finds the source positions of errors in it.
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void program_place_calls(const struct macro_call *call, struct error *error) {
    size_t used = 0;
    error->context[0] = 0;
    for (; call && used < sizeof error->context; call = call->caller) {
        used += (size_t)snprintf(error->context + used, sizeof error->context - used,
                                 "%sin %s(...), called from line %d", used ? "; " : "", call->name,
                                 call->line);
    }
}

void program_place(const struct program_line *line, size_t index, struct error *error) {
    const size_t length = strlen(line->text);
    error->line = line->line;
    error->column = line->columns[index < length ? index : length];
    program_place_calls(line->call, error);
}

void program_clear(struct asm_program *program) {
    for (size_t i = 0; i < program->kernel_count; i++) free(program->kernels[i].lines);
    free(program->kernels);
    arena_clear(&program->arena);
    *program = (struct asm_program){0};
}
