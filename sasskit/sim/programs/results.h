// Examines a kernel's results: NaN despite finite inputs, elements never written, and a comparison
// with a reference.
#pragma once

#include "arguments.h"

struct results;
// Computes the reference that `expect` names (the value of --expect, or NULL) and examines the
// inputs, which the kernel may overwrite. Requires: called before the launch. On failure returns
// NULL and sets *error.
struct results *results_open(const char *expect, const struct argument *arguments, int count,
                             const struct sim_memory *memory, struct error *error);
// Prints what was found after the launch. Returns false if an output is not as expected.
bool results_look(const struct results *results, const char *kernel, const struct argument *arguments, int count,
                  const struct sim_memory *memory);
void results_close(struct results *results);
