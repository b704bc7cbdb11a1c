// The file around assembled code.
#pragma once

#include "assembled.h"

// The bytes of a cubin, for the caller to free; NULL on an error. path: of the source, its name goes into the line table.
uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct sass_error *error);
