// Finds the ranges of magnitudes in the rows of A and the columns of B. They show whether kernels
// that scale their operands can represent all elements.
#pragma once

#include "extras.h"
#include "matrix.h"

// Sets extents[i] for each row i of A, or for each column i of B. Requires: `matrix` is A or B.
void matrix_extents(const struct matrix *matrix, struct extent *extents);
