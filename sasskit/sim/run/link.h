// Links a kernel, like the driver, with device functions that have sections of their own (nvcc -G).
#pragma once

#include "variables.h"

// Returns a copy of the kernel that has the code of all called functions after its own, with their
// addresses filled in; NULL after setting *error. Registers the functions' addresses in `variables`
// and requests there the variables' addresses that the code needs, in bank LINK_BANK.
enum { LINK_BANK = 7 };
struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct error *error);
void link_close(struct sass_kernel *kernel);
