// Finds the ranges of magnitudes in the rows of A and the columns of B.
#include "extent.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1024 };

static void add(struct extent *e, double value) {
    if (!isfinite(value)) {
        e->not_finite = true;
    } else if (value != 0) {
        const int exponent = ilogb(value);
        if (exponent > e->largest) e->largest = exponent;
        if (exponent < e->smallest) e->smallest = exponent;
    }
}

void matrix_extents(const struct matrix *m, struct extent *extents) {
    const bool by_row = m->kind == MATRIX_A;
    double values[CHUNK];
    for (int64_t i = 0; i < (by_row ? m->rows : m->cols); i++)
        extents[i] = (struct extent){INT_MIN, INT_MAX, false};
    for (int64_t row = 0; row < m->rows; row++) {
        for (int64_t first = 0; first < m->cols; first += CHUNK) {
            const int64_t count = m->cols - first < CHUNK ? m->cols - first : CHUNK;
            matrix_row(m, row, first, count, values);
            for (int64_t i = 0; i < count; i++) add(&extents[by_row ? row : first + i], values[i]);
        }
    }
}
