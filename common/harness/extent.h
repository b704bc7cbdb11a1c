// What the rows of A and the columns of B hold: the ranges that decide whether kernels which scale their operands can hold them.
#pragma once

#include "matrix.h"
#include "more.h"

// Fills (rows) extents of A's rows, or (cols) of B's columns. `matrix` is A or B.
void matrix_extents(const struct matrix *matrix, struct extent *extents);
