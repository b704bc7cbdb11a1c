// A kernel whose device functions have sections of their own, as nvcc -G makes them, put together as the driver does it.
#pragma once

#include "variables.h"

// A copy of the kernel, with the code of all that it calls behind its own and their addresses filled in. Tells the variables where
// functions are, and which addresses of variables the code wants (in bank LINK_BANK). NULL: the error says why.
enum { LINK_BANK = 7 };
struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct sim_error *error);
void link_close(struct sass_kernel *kernel);
