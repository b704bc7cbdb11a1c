// Arrays on a thread's stack: the variables that nvcc -G describes in .debug_info.
#pragma once

#include "cubin.h"

struct debug_sections {
    // .debug_info, .debug_abbrev, .debug_str; strings may be NULL.
    const uint8_t *info, *abbreviations, *strings;
    size_t info_size, abbreviation_size, string_size;
};

// Adds the arrays of each kernel, and of the device functions in its code, to the kernels. What is
// malformed or unknown ends the search silently, since arrays are only a convenience.
void read_arrays(const struct debug_sections *sections, struct sass_cubin *cubin);
