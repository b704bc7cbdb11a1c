// Writes a cubin around assembled code.
#pragma once

#include "assembled.h"

// Returns the bytes of a cubin, which the caller frees; NULL on an error. The line table gets the
// name of the source file `path`.
uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct error *error);
