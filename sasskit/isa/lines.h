// Source lines: the DWARF 2 line program that nvcc -lineinfo writes into .debug_line.
#pragma once

#include "sass.h"

struct line_reader {
    const uint8_t *bytes; // of .debug_line
    size_t size;
    // Which kernel the address at this offset of .debug_line belongs to (its relocation); NULL unknown.
    struct sass_kernel *(*owner)(const void *context, uint64_t offset, uint64_t *address);
    const void *context;
    // Keeps a file's name for as long as the cubin lives.
    const char *(*keep)(void *storage, const char *directory, const char *name);
    void *storage;
};

// Adds lines to the kernels. A malformed program ends quietly: lines are a convenience.
void read_lines(const struct line_reader *reader);
// Orders what was read by address.
void sort_lines(struct sass_kernel *kernel);
