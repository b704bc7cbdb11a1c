// Matrices in device memory: their layout and their values.
#include "matrix.h"
#include "base/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SPECIAL_ROWS = 97, PARALLEL_ELEMENTS = 1 << 16, CHUNK = 256 };

// Returns the number of rows; 0 if the rows have no elements.
static int64_t real_rows(const struct matrix *m) {
    return m->cols > 0 ? m->rows : 0;
}

const char *const inputs_names[INPUTS_KINDS + 1] = {
    "uniform",     "special",   "exact", "positive", "normal", "wide",  "graded",    "constant",
    "worst_split", "subnormal", "huge",  "scaled",   "sparse", "spots", "cancelling"};

int64_t matrix_start(const struct matrix *m) {
    return m->guard;
}

int64_t matrix_elements(const struct matrix *m) {
    const int64_t rows = real_rows(m);
    return 2 * m->guard + (rows > 0 ? (rows - 1) * m->ld + m->cols : 0);
}

int64_t matrix_bytes(const struct matrix *m) {
    return matrix_elements(m) * element_bytes(m->element);
}

bool matrix_is_far(const struct matrix *m) {
    return m->ld - m->cols > FAR_GAP;
}

int64_t matrix_written_bytes(const struct matrix *m) {
    const int64_t written = 2 * m->guard + real_rows(m) * (m->cols + 2 * FAR_EDGE);
    return matrix_is_far(m) ? written * element_bytes(m->element) : matrix_bytes(m);
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

static uint64_t row_key(const struct matrix *m, int64_t row) {
    return random_mix(random_mix(m->seed * 4 + (uint64_t)m->kind) + (uint64_t)row);
}

static uint64_t bits_at(uint64_t key, int64_t col) {
    return random_mix(key + (uint64_t)col * RANDOM_STEP);
}

// Returns a value uniform in [-1, 1): a multiple of 2^-23, or of 2^-52 in FP64, which the element
// type represents exactly.
static double uniform(enum element element, uint64_t bits) {
    if (element == FP64) return (double)((int64_t)(bits >> 11) - (INT64_C(1) << 52)) * 0x1p-52;
    return (double)((int32_t)(bits >> 40) - (1 << 23)) * 0x1p-23;
}

static double zero(uint64_t bits) {
    return bits >> 63 ? -0.0 : 0.0;
}

// Returns an odd multiple of 2^-12 (FP64: 2^-30) between -1 and 1, or, one time in 16, zero. About
// half of the FP32 values need more than the 11 bits of TF32's significand, and nearly all FP64
// values more than the 24 bits of a float.
static double wide_bits(enum element element, uint64_t bits) {
    const int width = element == FP64 ? 30 : 12;
    const double odd = (double)((bits >> 8 & ((UINT64_C(1) << width) - 1)) | 1);
    if (bits % 16 == 0) return zero(bits);
    return ldexp(bits >> 63 ? -odd : odd, -width);
}

// Returns 1, -1 or, one time in four, zero.
static double narrow_bits(uint64_t bits) {
    return bits % 4 == 0 ? zero(bits) : bits >> 63 ? -1 : 1;
}

// Returns an element of exact inputs. One factor of each product has many bits, the other few: for
// even k, A has the many bits, for odd k, B.
static double exact(const struct matrix *m, int64_t row, int64_t col, uint64_t bits) {
    const bool narrow =
        (m->kind == MATRIX_A && col % 2 == 1) || (m->kind == MATRIX_B && row % 2 == 0);
    return narrow ? narrow_bits(bits) : wide_bits(m->element, bits);
}

// Returns a value uniform in (0, 1].
static double fraction(uint64_t bits) {
    return (double)((bits >> 11) + 1) * 0x1p-53;
}

// Returns a value with a normal distribution, by the Box-Muller transform.
static double normal(uint64_t bits) {
    return sqrt(-2 * log(fraction(bits))) *
           cos(2 * 3.14159265358979323846 * fraction(random_mix(bits)));
}

// Returns 10^x with x uniform in (-6, 6].
static double power_of_ten(uint64_t bits) {
    return pow(10, 12 * fraction(bits) - 6);
}

// Returns an element of cancelling inputs. They come in pairs along k: k = 0 and 1, k = 2 and 3.
// In A, the second element of a pair is the first times 1 + 2^-20; in B, the first negated.
static double cancelling(const struct matrix *m, int64_t row, int64_t col) {
    const bool a = m->kind == MATRIX_A;
    const int64_t k = a ? col : row, first = k / 2 * 2;
    const double value = uniform(m->element, bits_at(row_key(m, a ? row : first), a ? first : col));
    if (k == first) return value;
    return a ? value * (1 + 0x1p-20) : -value;
}

// Returns an element of A or B for one of the hard kinds of inputs (matrix.h).
static double hard(const struct matrix *m, int64_t row, int64_t col, uint64_t bits) {
    const bool a = m->kind == MATRIX_A;
    const double grade = power_of_ten(bits_at(random_mix(m->seed + 77), a ? col : row));
    // random bits that all elements of a row of A, or of a column of B, share
    const uint64_t own = bits_at(random_mix(m->seed + 78 + a), a ? row : col);
    switch (m->inputs) {
    case INPUTS_POSITIVE:
        return fabs(uniform(m->element, bits));
    case INPUTS_NORMAL:
        return normal(bits);
    case INPUTS_WIDE:
        return normal(bits) * power_of_ten(random_mix(bits + 1));
    case INPUTS_GRADED:
        return a ? normal(bits) * grade : normal(bits) / grade;
    case INPUTS_CONSTANT:
        return 1.0 / 3;
    case INPUTS_WORST_SPLIT:
        return 1 + 0xffd * 0x1p-23;
    case INPUTS_SUBNORMAL:
        return uniform(m->element, bits) * (a ? row % 3 == 1 ? 0x1p-130 : 1 : 0x1p100);
    case INPUTS_HUGE:
        return uniform(m->element, bits) * (a ? FLT_MAX : 0x1p-100);
    case INPUTS_SCALED:
        return ldexp(uniform(m->element, bits), (int)(own % 81) - 40);
    case INPUTS_SPARSE:
        return bits % 16 == 0 ? uniform(m->element, bits) : zero(bits);
    case INPUTS_SPOTS:
        return uniform(m->element, bits) * (own % 128 == 0 && bits % 16 == 0 ? 0x1p-40 : 1);
    default: // INPUTS_CANCELLING
        return cancelling(m, row, col);
    }
}

static double value_at(const struct matrix *m, uint64_t key, int64_t row, int64_t col) {
    const uint64_t bits = bits_at(key, col);
    if (m->inputs == INPUTS_EXACT) return exact(m, row, col, bits);
    if (m->inputs == INPUTS_SPECIAL && bits % 16 == 0) return zero(bits);
    if (m->inputs >= INPUTS_POSITIVE && m->kind != MATRIX_C) {
        const double value = hard(m, row, col, bits);
        return m->element == FP64 ? value : (float)value;
    }
    return uniform(m->element, bits);
}

// Writes the special values that lie in columns [first, first + count) of a row: NaN, Inf and -Inf.
// Each occurs once per SPECIAL_ROWS rows.
static void sprinkle(const struct matrix *m, int64_t row, int64_t first, int64_t count,
                     double *values) {
    const double special[] = {NAN, INFINITY, -INFINITY};
    if (m->cols == 0) return;
    const int64_t group = row / SPECIAL_ROWS, group_start = group * SPECIAL_ROWS;
    const int64_t group_rows =
        m->rows - group_start < SPECIAL_ROWS ? m->rows - group_start : SPECIAL_ROWS;
    for (uint64_t i = 0; i < 3; i++) {
        const uint64_t place = random_mix(row_key(m, -1 - group) + i);
        const int64_t special_row = group_start + (int64_t)((place >> 32) % (uint64_t)group_rows);
        const int64_t special_col = (int64_t)((place & UINT32_MAX) % (uint64_t)m->cols);
        if (special_row == row && special_col >= first && special_col < first + count) {
            values[special_col - first] = special[i];
        }
    }
}

void matrix_row(const struct matrix *m, int64_t row, int64_t first, int64_t count, double *values) {
    const int64_t whole_row = row + m->first_row, whole_col = first + m->first_col;
    const uint64_t key = row_key(m, whole_row);
    for (int64_t i = 0; i < count; i++)
        values[i] = m->unwritten ? NAN : value_at(m, key, whole_row, whole_col + i);
    if (m->inputs == INPUTS_SPECIAL && !m->unwritten) sprinkle(m, row, first, count, values);
    for (int64_t i = 0; m->absolute && i < count; i++) values[i] = fabs(values[i]);
}

bool matrix_next_window(const struct matrix *m, int64_t elements, struct window *w) {
    const int64_t rows = real_rows(m), next = w->first_row + w->row_count,
                  total = matrix_elements(m);
    const bool far = matrix_is_far(m);
    const int64_t rows_at_once = far ? 1 : elements / m->ld > 1 ? elements / m->ld : 1;
    if (total == 0 || (w->count > 0 && next == rows)) return false;
    w->first_row = next;
    w->row_count = rows - next < rows_at_once ? rows - next : rows_at_once;
    const int64_t last = next + w->row_count, start = matrix_start(m);
    w->offset = next == 0 ? 0 : start + next * m->ld - (far ? FAR_EDGE : 0);
    const int64_t end = last == rows ? total
                        : far        ? start + next * m->ld + m->cols + FAR_EDGE
                                     : start + last * m->ld;
    w->count = end - w->offset;
    return true;
}

int64_t window_row(const struct matrix *m, const struct window *w, int64_t r) {
    return matrix_start(m) + (w->first_row + r) * m->ld - w->offset;
}

int64_t window_row_end(const struct matrix *m, const struct window *w, int64_t r) {
    return r + 1 < w->row_count ? window_row(m, w, r + 1) : w->count;
}

int64_t matrix_window_elements(const struct matrix *m, int64_t elements) {
    const int64_t row = matrix_is_far(m) ? m->cols + 2 * FAR_EDGE : m->ld;
    const int64_t most = (elements > row ? elements : row) + 2 * m->guard,
                  whole = matrix_elements(m);
    return whole < most ? whole : most;
}

// Fills elements [at, at + count) of an image with a word.
static void fill_word(void *image, enum element element, int64_t at, int64_t count, uint32_t word) {
    const int words = element_bytes(element) / 4;
    char *to = (char *)image + at * words * 4;
    for (int64_t i = 0; i < count * words; i++) memcpy(to + i * 4, &word, sizeof word);
}

// Writes one row, which begins at element `at` of the image.
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
    fill_word(image, m->element, 0, w->row_count > 0 ? window_row(m, w, 0) : w->count, CANARY_WORD);
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t at = window_row(m, w, r), after = at + m->cols;
        if (m->unwritten) {
            fill_word(image, m->element, at, m->cols, UNWRITTEN_WORD);
        } else {
            fill_row(m, w->first_row + r, image, at);
        }
        fill_word(image, m->element, after, window_row_end(m, w, r) - after, CANARY_WORD);
    }
}
