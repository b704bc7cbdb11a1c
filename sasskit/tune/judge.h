// What times kernels: a GPU, or the model of an SM. Each judge takes the problem anew.
#pragma once

#include "isa/sass.h"

#include <stdbool.h>

struct judge;
// "gpu", "model", or NULL: the GPU if there is one. NULL: the error says why.
struct judge *judge_open(const char *name, const char *problem, const struct sass_cubin *cubin, const char *kernel,
                         struct sass_error *error);
void judge_close(struct judge *judge);
const char *judge_name(const struct judge *judge);
bool judge_is_model(const struct judge *judge);

// How often each of the kernel's `count` instructions is issued in a launch, by the model; to be freed. NULL: the error says why.
uint64_t *judge_counts(const char *launch, const struct sass_cubin *cubin, const char *kernel, size_t count,
                       struct sass_error *error);

// Milliseconds of two cubins, in turns, the medians of so many launches each (of the model: one).
bool judge_compare(struct judge *judge, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                   double milliseconds[2], struct sass_error *error);
// Whether the GPU computes the same bits by both; the model computes none and says yes.
bool judge_same(struct judge *judge, const struct sass_cubin *a, const struct sass_cubin *b, bool *same,
                struct sass_error *error);
