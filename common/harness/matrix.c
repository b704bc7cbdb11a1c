// The matrices as they lie in device memory, and the values in them.
#include "matrix.h"

#include <math.h>
#include <string.h>

enum { SPECIAL_ROWS = 97, PARALLEL_ELEMENTS = 1 << 16, CHUNK = 256 };

int64_t matrix_start(const struct matrix *m) {
    return GUARD_ELEMENTS + m->shift;
}

int64_t matrix_elements(const struct matrix *m) {
    return matrix_start(m) + m->rows * m->ld + GUARD_ELEMENTS;
}

int64_t matrix_bytes(const struct matrix *m) {
    return matrix_elements(m) * element_bytes(m->element);
}

device_pointer matrix_address(const struct matrix *m, int64_t row) {
    return m->buffer + (uint64_t)((matrix_start(m) + row * m->ld) * element_bytes(m->element));
}

double image_value(const void *image, enum element element, int64_t at) {
    return element == FP64 ? ((const double *)image)[at] : (double)((const float *)image)[at];
}

bool image_holds(const void *image, enum element element, int64_t at, uint32_t word) {
    uint32_t words[2];
    const int bytes = element_bytes(element);
    memcpy(words, (const char *)image + at * bytes, (size_t)bytes);
    return words[0] == word && (element == FP32 || words[1] == word);
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

// Uniform in [-1, 1), a multiple of 2^-23, or of 2^-52: as fine as the element type has it everywhere in that range.
static double value_at(enum element element, uint64_t key, int64_t col) {
    const uint64_t bits = mix(key + (uint64_t)col * UINT64_C(0x9e3779b97f4a7c15));
    if (element == FP64) return (double)((int64_t)(bits >> 11) - (INT64_C(1) << 52)) * 0x1p-52;
    return (double)((int32_t)(bits >> 40) - (1 << 23)) * 0x1p-23;
}

// Puts in the special values whose places, one of each kind in every SPECIAL_ROWS rows, fall into this part of the row.
static void sprinkle(const struct matrix *m, int64_t row, int64_t first, int64_t count, double *values) {
    const double special[] = {NAN, INFINITY, -INFINITY};
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

void matrix_row(const struct matrix *m, int64_t row, int64_t first, int64_t count, double *values) {
    const uint64_t key = row_key(m, row);
    for (int64_t i = 0; i < count; i++) values[i] = m->unwritten ? NAN : value_at(m->element, key, first + i);
    if (m->special && !m->unwritten) sprinkle(m, row, first, count, values);
    for (int64_t i = 0; m->absolute && i < count; i++) values[i] = fabs(values[i]);
}

bool matrix_next_window(const struct matrix *m, int64_t elements, struct window *w) {
    const int64_t total = matrix_elements(m), rows_at_once = elements / m->ld > 1 ? elements / m->ld : 1;
    if (w->count > 0 && w->offset + w->count == total) return false;
    w->first_row += w->row_count;
    w->offset += w->count;
    w->row_count = m->rows - w->first_row < rows_at_once ? m->rows - w->first_row : rows_at_once;
    const int64_t last_row = w->first_row + w->row_count;
    w->count = (last_row == m->rows ? total : matrix_start(m) + last_row * m->ld) - w->offset;
    return true;
}

int64_t matrix_window_elements(const struct matrix *m, int64_t elements) {
    const int64_t rows = elements > m->ld ? elements : m->ld;
    const int64_t whole = matrix_elements(m);
    return whole < rows + 2 * GUARD_ELEMENTS + 4 ? whole : rows + 2 * GUARD_ELEMENTS + 4;
}

// Makes `count` elements from element `at` of an image that word.
static void fill_word(void *image, enum element element, int64_t at, int64_t count, uint32_t word) {
    const int words = element_bytes(element) / 4;
    char *to = (char *)image + at * words * 4;
    for (int64_t i = 0; i < count * words; i++) memcpy(to + i * 4, &word, sizeof word);
}

// Makes the elements of one row, from element `at` of the image on.
static void fill_row(const struct matrix *m, int64_t row, void *image, int64_t at) {
    double values[CHUNK];
    for (int64_t first = 0; first < m->cols; first += CHUNK) {
        const int64_t count = m->cols - first < CHUNK ? m->cols - first : CHUNK;
        matrix_row(m, row, first, count, values);
        if (m->element == FP64) {
            memcpy((double *)image + at + first, values, (size_t)count * sizeof *values);
        } else {
            for (int64_t i = 0; i < count; i++) ((float *)image)[at + first + i] = (float)values[i];
        }
    }
}

void matrix_fill_window(const struct matrix *m, const struct window *w, void *image) {
    const int64_t before = matrix_start(m) + w->first_row * m->ld - w->offset;
    const int64_t after = before + w->row_count * m->ld;
    fill_word(image, m->element, 0, before, CANARY_WORD);
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t at = before + r * m->ld;
        if (m->unwritten) {
            fill_word(image, m->element, at, m->cols, UNWRITTEN_WORD);
        } else {
            fill_row(m, w->first_row + r, image, at);
        }
        fill_word(image, m->element, at + m->cols, m->ld - m->cols, CANARY_WORD);
    }
    fill_word(image, m->element, after, w->count - after, CANARY_WORD);
}
