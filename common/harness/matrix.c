// The matrices as they lie in device memory, and the values in them.
#include "matrix.h"

#include <math.h>
#include <string.h>

enum { SPECIAL_ROWS = 97, PARALLEL_FLOATS = 1 << 16 };

int64_t matrix_start(const struct matrix *m) {
    return GUARD_FLOATS + m->shift;
}

int64_t matrix_floats(const struct matrix *m) {
    return matrix_start(m) + m->rows * m->ld + GUARD_FLOATS;
}

device_pointer matrix_address(const struct matrix *m, int64_t row) {
    return m->buffer + (uint64_t)(matrix_start(m) + row * m->ld) * sizeof(float);
}

// The finalizer of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t row_key(const struct matrix *m, int64_t row) {
    return mix(mix(m->seed * 4 + (uint64_t)m->kind) + (uint64_t)row);
}

// Uniform in [-1, 1), a multiple of 2^-23.
static float value_at(uint64_t key, int64_t col) {
    const uint64_t bits = mix(key + (uint64_t)col * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    return (float)((int32_t)bits - (1 << 23)) * 0x1p-23f;
}

// Puts in the special values whose places, one of each kind in every SPECIAL_ROWS rows, fall into this part of the row.
static void sprinkle(const struct matrix *m, int64_t row, int64_t first, int64_t count, float *values) {
    const float special[] = {NAN, INFINITY, -INFINITY};
    if (m->cols == 0) return;
    const int64_t group = row / SPECIAL_ROWS, group_start = group * SPECIAL_ROWS;
    const int64_t group_rows = m->rows - group_start < SPECIAL_ROWS ? m->rows - group_start : SPECIAL_ROWS;
    for (uint64_t i = 0; i < 3; i++) {
        const uint64_t place = mix(row_key(m, -1 - group) + i);
        const int64_t special_row = group_start + (int64_t)((place >> 32) % (uint64_t)group_rows);
        const int64_t special_col = (int64_t)((place & UINT32_MAX) % (uint64_t)m->cols);
        if (special_row == row && special_col >= first && special_col < first + count) {
            values[special_col - first] = special[i];
        }
    }
}

static void fill_word(float *to, uint32_t word, int64_t count) {
    for (int64_t i = 0; i < count; i++) memcpy(&to[i], &word, sizeof word);
}

void matrix_row(const struct matrix *m, int64_t row, int64_t first, int64_t count, float *values) {
    const uint64_t key = row_key(m, row);
    if (m->unwritten) {
        fill_word(values, UNWRITTEN_WORD, count);
        return;
    }
    for (int64_t i = 0; i < count; i++) values[i] = value_at(key, first + i);
    if (m->special) sprinkle(m, row, first, count, values);
    for (int64_t i = 0; m->absolute && i < count; i++) values[i] = fabsf(values[i]);
}

bool matrix_next_window(const struct matrix *m, int64_t floats, struct window *w) {
    const int64_t total = matrix_floats(m), rows_at_once = floats / m->ld > 1 ? floats / m->ld : 1;
    if (w->count > 0 && w->offset + w->count == total) return false;
    w->first_row += w->row_count;
    w->offset += w->count;
    w->row_count = m->rows - w->first_row < rows_at_once ? m->rows - w->first_row : rows_at_once;
    const int64_t last_row = w->first_row + w->row_count;
    w->count = (last_row == m->rows ? total : matrix_start(m) + last_row * m->ld) - w->offset;
    return true;
}

int64_t matrix_window_floats(const struct matrix *m, int64_t floats) {
    const int64_t rows = floats > m->ld ? floats : m->ld;
    const int64_t whole = matrix_floats(m);
    return whole < rows + 2 * GUARD_FLOATS + 4 ? whole : rows + 2 * GUARD_FLOATS + 4;
}

void matrix_fill_window(const struct matrix *m, const struct window *w, float *image) {
    const int64_t before = matrix_start(m) + w->first_row * m->ld - w->offset;
    const int64_t after = before + w->row_count * m->ld;
    fill_word(image, CANARY_WORD, before);
#pragma omp parallel for if (w->count > PARALLEL_FLOATS)
    for (int64_t r = 0; r < w->row_count; r++) {
        float *row = image + before + r * m->ld;
        matrix_row(m, w->first_row + r, 0, m->cols, row);
        fill_word(row + m->cols, CANARY_WORD, m->ld - m->cols);
    }
    fill_word(image + after, CANARY_WORD, w->count - after);
}
