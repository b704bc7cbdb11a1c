// The position of an instruction in a kernel, for findings.
#pragma once

#include "base/finding.h"
#include "cubin.h"

// Returns the place of an instruction: address, text and source lines. The thread stays unknown.
struct code_place place_of(const struct sass_kernel *kernel, uint32_t index);
// Returns the instruction's line in the kernel's own file; 0 if unknown.
uint32_t place_own_line(const struct sass_kernel *kernel, uint32_t index);
// Returns true if the instruction belongs to a function that was not inlined (nvcc -G) and whose
// file has an absolute path with /include/, as the toolkit's headers have.
bool place_is_library(const struct sass_kernel *kernel, uint32_t index);
