// The position of an instruction in a kernel, for findings.
#pragma once

#include "base/finding.h"
#include "cubin.h"

// Returns a place with address, text and source lines, but without a thread.
struct code_place place_of(const struct sass_kernel *kernel, uint32_t index);
// Returns the instruction's line in the kernel's own file; 0 if unknown.
uint32_t place_own_line(const struct sass_kernel *kernel, uint32_t index);
// Returns true if the instruction lies in a function of a toolkit's header that is not inlined
// (nvcc -G).
bool place_is_library(const struct sass_kernel *kernel, uint32_t index);
