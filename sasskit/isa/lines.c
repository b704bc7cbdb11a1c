// Source lines of a cubin: executes the DWARF 2 line program of .debug_line.
//
// Limits: DWARF 2 as nvcc 13.0 writes it (no version 5 tables). In a chain of inlined functions, an
// address keeps three lines: the innermost, the innermost in the kernel's own file, and the
// outermost, which is the kernel's own.
#include "lines.h"
#include "dwarf.h"

#include <stdlib.h>

enum { MAX_FILES = 256, MAX_LINES = 1 << 20 };

struct line_program {
    const char *directories[MAX_FILES];
    const char *files[MAX_FILES];
    int directory_count, file_count;
    int minimum, base, range, first_special;
    const uint8_t *arguments; // arguments[k - 1]: number of arguments of operation k
};

static void read_files(const struct line_reader *reader, struct cursor *cursor,
                       struct line_program *program) {
    for (const char *name; !cursor->bad && *(name = string(cursor));) {
        if (program->directory_count < MAX_FILES)
            program->directories[program->directory_count++] = name;
    }
    for (const char *name; !cursor->bad && *(name = string(cursor));) {
        const uint64_t directory = leb(cursor, false);
        leb(cursor, false);
        leb(cursor, false);
        if (program->file_count == MAX_FILES) continue;
        const bool known = directory > 0 && directory <= (uint64_t)program->directory_count;
        program->files[program->file_count++] =
            reader->keep(reader->storage, known ? program->directories[directory - 1] : NULL, name);
    }
}

// Adds a line. For a line of an inlined function, kernel->lines[caller - 1] is the line that calls
// it; otherwise `caller` is 0.
static void add_line(struct sass_kernel *kernel, uint64_t address, int64_t line, const char *file,
                     int caller) {
    if (!kernel || address >= kernel->count * SASS_BYTES || kernel->line_count >= MAX_LINES) return;
    if ((kernel->line_count & (kernel->line_count - 1)) == 0) {
        const size_t room = kernel->line_count ? 2 * (size_t)kernel->line_count : 1;
        struct sass_line *lines = realloc(kernel->lines, room * sizeof *lines);
        if (!lines) return;
        kernel->lines = lines;
    }
    struct sass_line *new = &kernel->lines[kernel->line_count++];
    *new = (struct sass_line){(uint32_t)address, (uint32_t)line, file,
                              (uint32_t)line,    file,           (uint32_t)line};
    if (caller <= 0 || caller >= kernel->line_count) return;
    new->call_line = kernel->lines[caller - 1].call_line;
    if (kernel->lines[caller - 1].own_file == file) return;
    new->own_line = kernel->lines[caller - 1].own_line;
    new->own_file = kernel->lines[caller - 1].own_file;
}

static void run(const struct line_reader *reader, struct cursor *cursor,
                const struct line_program *program) {
    // nvcc's own operation: the following lines are of an inlined function. The argument is the
    // number of the line entry that calls it, counted from 1 in this sequence; 0 ends the function.
    enum { INLINED = 0x90 };
    uint64_t address = 0, file = 1;
    int64_t line = 1;
    int caller = 0, before = 0;
    struct sass_kernel *kernel = NULL;
    while (!cursor->bad && cursor->at < cursor->end) {
        const int code = (int)number(cursor, 1);
        bool emit = false;
        if (code >= program->first_special) {
            const int special = code - program->first_special;
            address += (uint64_t)(special / program->range) * (uint64_t)program->minimum;
            line += program->base + special % program->range;
            emit = true;
        } else if (code == 0) {
            const uint64_t length = leb(cursor, false);
            if (length == 0 || length > (uint64_t)(cursor->end - cursor->at)) return;
            const uint8_t *const next = cursor->at + length;
            const int extended = (int)number(cursor, 1);
            if (extended == 2 && length == 9) {
                kernel = reader->owner(reader->context, (uint64_t)(cursor->at - reader->bytes),
                                       &address);
                before = kernel ? kernel->line_count : 0;
            } else if (extended == INLINED) {
                caller = (int)(leb(cursor, false) & 0xffffff);
            } else if (extended == 1) {
                address = 0, file = 1, line = 1, caller = 0, kernel = NULL;
            }
            cursor->at = next;
        } else if (code == 1) {
            emit = true;
        } else if (code == 2) {
            address += leb(cursor, false) * (uint64_t)program->minimum;
        } else if (code == 3) {
            line = (int64_t)((uint64_t)line + leb(cursor, true));
        } else if (code == 4) {
            file = leb(cursor, false);
        } else if (code == 8) {
            address += (uint64_t)((255 - program->first_special) / program->range) *
                       (uint64_t)program->minimum;
        } else if (code == 9) {
            address += number(cursor, 2);
        } else {
            for (int i = 0; i < program->arguments[code - 1]; i++) leb(cursor, false);
        }
        if (emit) {
            const bool known = file > 0 && file <= (uint64_t)program->file_count;
            add_line(kernel, address, line, known ? program->files[file - 1] : "?",
                     caller ? before + caller : 0);
        }
    }
}

static int by_address(const void *left, const void *right) {
    const struct sass_line *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

void read_lines(const struct line_reader *reader) {
    struct cursor all = {reader->bytes, reader->bytes + reader->size, false};
    while (!all.bad && all.end - all.at > 10) {
        const uint64_t length = number(&all, 4);
        if (length < 10 || length > (uint64_t)(all.end - all.at)) return;
        struct cursor unit = {all.at, all.at + length, false};
        struct line_program *program = calloc(1, sizeof *program);
        if (!program) return;
        all.at += length;
        const unsigned version = (unsigned)number(&unit, 2);
        const uint64_t prologue = number(&unit, 4);
        const bool sized = prologue <= (uint64_t)(unit.end - unit.at);
        const uint8_t *const start = sized ? unit.at + prologue : unit.end;
        program->minimum = (int)number(&unit, 1);
        number(&unit, 1);
        program->base = (int8_t)number(&unit, 1);
        program->range = (int)number(&unit, 1);
        program->first_special = (int)number(&unit, 1);
        program->arguments = skip(&unit, program->first_special - 1);
        if (sized && version >= 2 && version <= 4 && program->range &&
            program->first_special >= 10 && !unit.bad) {
            read_files(reader, &unit, program);
            unit.at = start;
            if (!unit.bad) run(reader, &unit, program);
        }
        free(program);
    }
}

void sort_lines(struct sass_kernel *kernel) {
    int kept = 0;
    if (kernel->line_count)
        qsort(kernel->lines, (size_t)kernel->line_count, sizeof *kernel->lines, by_address);
    for (int i = 0; i < kernel->line_count; i++) {
        if (kept && kernel->lines[kept - 1].address == kernel->lines[i].address) kept--;
        kernel->lines[kept++] = kernel->lines[i];
    }
    kernel->line_count = kept;
}
