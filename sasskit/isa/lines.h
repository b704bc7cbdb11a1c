// Source lines: the DWARF 2 line program that nvcc -lineinfo writes into .debug_line.
#pragma once

#include "cubin.h"

struct line_reader {
    const uint8_t *bytes; // the contents of .debug_line
    size_t size;
    // Returns the kernel into which the relocation at `offset` of .debug_line points; NULL if
    // unknown. Sets *address to the code address to which it points.
    struct sass_kernel *(*owner)(const void *context, uint64_t offset, uint64_t *address);
    const void *context;
    // Returns `directory`/`name` as a string that lives as long as the cubin.
    const char *(*keep)(void *storage, const char *directory, const char *name);
    void *storage;
};

// Adds the source lines to the kernels. Reading ends silently at a malformed line program, because
// lines are only a convenience.
void read_lines(const struct line_reader *reader);
// Sorts the lines by address, and keeps only the last of several lines at one address.
void sort_lines(struct sass_kernel *kernel);
