// A look at what a kernel has left behind: NaN out of finite inputs, elements that nothing has written, and a comparison with what is
// expected.
#pragma once

#include "arguments.h"

struct results;
// Before the launch: keeps what is needed of the inputs. expect: of --expect, NULL without. NULL with an error.
struct results *results_open(const char *expect, const struct argument *arguments, int count,
                             const struct sim_memory *memory, struct sim_error *error);
// After it: prints what was found. False: an output is not what was expected.
bool results_look(const struct results *results, const char *kernel, const struct argument *arguments, int count,
                  const struct sim_memory *memory);
void results_close(struct results *results);
