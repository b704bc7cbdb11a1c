// Variables on a thread's stack, most of them arrays, which nvcc -G describes in .debug_info.
#pragma once

#include "cubin.h"

struct debug_sections {
    // The sections .debug_info, .debug_abbrev and .debug_str; `strings` may be NULL.
    const uint8_t *info, *abbreviations, *strings;
    size_t info_size, abbreviation_size, string_size;
};

// Adds to each kernel the stack variables of the kernel and of the device functions in its code.
// Reading ends silently at anything malformed or unknown, as the variables are a convenience.
void read_arrays(const struct debug_sections *sections, struct sass_cubin *cubin);
