// An instruction of a kernel as a place of a finding.
#pragma once

#include "base/finding.h"
#include "sass.h"

// Fills the address, the text and the source lines; nobody has executed it yet.
struct code_place place_of(const struct sass_kernel *kernel, uint32_t index);
// The line of the kernel's own file that an instruction belongs to; 0: not known.
uint32_t place_own_line(const struct sass_kernel *kernel, uint32_t index);
