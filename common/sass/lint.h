// A check of a kernel's control fields and registers, without running it.
#ifndef SASS_LINT_H
#define SASS_LINT_H

#include "sass.h"

#include <stdio.h>

// Prints findings and the kernel's loops; returns the number of hazards, -1 when an instruction is not known.
int lint_kernel(FILE *out, const struct sass_kernel *kernel, struct sass_error *error);

#endif
