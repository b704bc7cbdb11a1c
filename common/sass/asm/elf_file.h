// The ELF file around sections that are filled.
#pragma once

#include "emitter.h"

// The file's bytes, for the caller to free; NULL: the error says why.
uint8_t *write_file(struct emitter *e, size_t *size);
