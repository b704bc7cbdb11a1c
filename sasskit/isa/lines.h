// Source lines: the DWARF 2 line program that nvcc -lineinfo writes into .debug_line.
#pragma once

#include "cubin.h"

struct line_reader {
    const uint8_t *bytes; // the contents of .debug_line
    size_t size;
    // Returns the kernel to which the relocation at this offset of .debug_line refers; NULL if
    // unknown. Sets *address to the address in the kernel.
    struct sass_kernel *(*owner)(const void *context, uint64_t offset, uint64_t *address);
    const void *context;
    // Returns a copy of a file's name that lives as long as the cubin.
    const char *(*keep)(void *storage, const char *directory, const char *name);
    void *storage;
};

// Adds the lines to the kernels. A malformed line program ends silently, because lines are only a
// convenience.
void read_lines(const struct line_reader *reader);
// Sorts the lines by address, and keeps only the last of several lines at one address.
void sort_lines(struct sass_kernel *kernel);
