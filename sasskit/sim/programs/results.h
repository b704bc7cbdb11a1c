// Examines a kernel's results: NaNs despite finite inputs, elements that were never written, and
// differences from a reference.
#pragma once

#include "arguments.h"

struct results;
// Computes the reference that `expect` names (the value of --expect, or NULL), and examines the
// inputs. Must be called before the launch, because that may overwrite the inputs. Returns NULL and
// sets *error on failure.
struct results *results_open(const char *expect, const struct argument *arguments, int count,
                             const struct sim_memory *memory, struct error *error);
// Examines the results after the launch and prints findings. `races` is true if device memory was
// checked for races. Returns false if a finding is an error.
bool results_look(const struct results *results, const struct sim_kernel *kernel,
                  const struct argument *arguments, int count, const struct sim_memory *memory,
                  bool races);
// Prints that no mistake was found, and the first elements of the output.
void results_tell(const struct results *results, const char *kernel,
                  const struct argument *arguments, const struct sim_memory *memory);
void results_close(struct results *results);
