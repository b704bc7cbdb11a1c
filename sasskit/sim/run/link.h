// Links a kernel with the device functions that have their own sections (nvcc -G), as the driver
// does.
#pragma once

#include "variables.h"

// Returns a copy of the kernel, followed by the code of all called functions, with their addresses
// filled in; NULL after setting *error. Registers the functions' addresses in `variables`, and
// requests the variables' addresses that the code needs in bank LINK_BANK.
enum { LINK_BANK = 7 };
struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct error *error);
void link_close(struct sass_kernel *kernel);
