// The matrices as they lie in device memory, and the values in them.
//
//     image: | guard | shift | row 0, gap | row 1, gap | ... | row (rows - 1), gap | guard |
//
// One allocation, in floats. Guards, shift and gaps hold the canary word, which is a NaN: a kernel that reads it into
// its result or writes over it is found out. The values depend on seed, kind, row and column alone, so any part of any
// image can be made again at any time: no copy is kept on the host.
#ifndef HARNESS_MATRIX_H
#define HARNESS_MATRIX_H

#include "../backend/backend.h"

enum matrix_kind { MATRIX_A, MATRIX_B, MATRIX_C };

enum { GUARD_FLOATS = 1024 };

#define CANARY_WORD    UINT32_C(0x7fc0cafe) // a NaN
#define UNWRITTEN_WORD UINT32_C(0x7fc0dead) // what C starts as when beta is 0, a NaN too

struct matrix {
    enum matrix_kind kind;
    int64_t rows, cols;
    int64_t ld;    // leading dimension, at least 1
    int64_t shift; // floats between a 256-byte boundary and element (0, 0), 0 to 3
    uint64_t seed;
    bool special;          // NaN, Inf and -Inf sprinkled in: one of each in every 97 rows
    bool unwritten;        // every element is UNWRITTEN_WORD
    bool absolute;         // the values' magnitudes
    device_pointer buffer; // the image on the device
};

// Rows [first_row, first_row + row_count) with what lies before the first and after the last row of the matrix.
struct window {
    int64_t offset, count; // in floats of the image
    int64_t first_row, row_count;
};

int64_t matrix_floats(const struct matrix *matrix);                // of the whole image
int64_t matrix_start(const struct matrix *matrix);                 // of element (0, 0) in the image
device_pointer matrix_address(const struct matrix *, int64_t row); // of element (row, 0) on the device

// The values of columns [first, first + count) of one row.
void matrix_row(const struct matrix *matrix, int64_t row, int64_t first, int64_t count, float *values);

// Moves to the next window of whole rows, of about `floats` floats; start with a zeroed window. False at the end.
bool matrix_next_window(const struct matrix *matrix, int64_t floats, struct window *window);

// The floats a buffer needs that is to hold any window.
int64_t matrix_window_floats(const struct matrix *matrix, int64_t floats);

// Makes the part of the image that `window` names.
void matrix_fill_window(const struct matrix *matrix, const struct window *window, float *image);

#endif
