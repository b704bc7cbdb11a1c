// Writes assembled kernels as a cubin.
#pragma once

#include "assembled.h"

// Returns the bytes of a cubin, which the caller frees; NULL after setting *error. `path` is the
// source file, which the line table names.
uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct error *error);
