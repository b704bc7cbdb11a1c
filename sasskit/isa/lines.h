// Source lines: the DWARF 2 line program that nvcc -lineinfo writes into .debug_line.
#pragma once

#include "cubin.h"

struct line_reader {
    const uint8_t *bytes; // the contents of .debug_line
    size_t size;
    // Returns the kernel that the address at this offset of .debug_line belongs to, according to
    // its relocation; NULL if unknown.
    struct sass_kernel *(*owner)(const void *context, uint64_t offset, uint64_t *address);
    const void *context;
    // Returns a copy of a file's name that lives as long as the cubin.
    const char *(*keep)(void *storage, const char *directory, const char *name);
    void *storage;
};

// Adds the lines to the kernels. A malformed line program ends silently, because lines are only a
// convenience.
void read_lines(const struct line_reader *reader);
// Sorts the lines by address.
void sort_lines(struct sass_kernel *kernel);
