// Ranges of magnitudes in the rows of A and the columns of B. They decide whether kernels that
// scale their operands can represent them.
#pragma once

#include "extras.h"
#include "matrix.h"

// Sets (rows) extents of A's rows, or (cols) extents of B's columns. Requires `matrix` to be A or
// B.
void matrix_extents(const struct matrix *matrix, struct extent *extents);
