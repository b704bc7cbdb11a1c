// The matrices as they lie in device memory, and the values in them.
//
//     image: | guard | row 0, gap | row 1, gap | ... | last row | guard |
//
// One allocation, in elements. Guards and gaps hold the canary word, which is a NaN: a kernel that reads it into
// its result or writes over it is found out. The last row has no gap, and where the device itself checks addresses there are no
// guards: the allocation ends with the last element. The values depend on seed, kind, row and column alone, so any part of any
// image can be made again at any time: no copy is kept on the host.
// Special inputs know no pieces.
//
// Where rows lie far apart only the ends of a gap are canaries, FAR_EDGE elements each: a leading dimension of 2^30 costs
// little on a device whose memory is lazy.
#pragma once

#include "../backend/backend.h"

enum matrix_kind { MATRIX_A, MATRIX_B, MATRIX_C };

// Uniform in [-1, 1). Special: the same with zeros of either sign, and NaN, Inf and -Inf, one of each in every 97 rows. Exact:
// numbers of few bits, whose products and sums are exact while K is at most EXACT_MOST_K; one factor of each product has more
// bits than the next narrower type holds (TF32, or FP32 for FP64), and zeros of either sign are among them.
//
// The others are hard for kernels that take their operands apart or scale them; C is uniform all the same. Positive: nothing
// cancels, so a bias shows. Normal: deviation 1. Wide: each element times a power of ten of its own, from -6 to 6. Graded: such a
// power for each column of A, and B's row divided by it. Constant: 1/3, every product is rounded the same way. Worst split:
// 0x3f800ffd, the most that two pieces of 11 bits lose. Subnormal: every third row of A times 2^-130, B times 2^100. Huge: A times
// the largest float, B times 2^-100. Scaled: each row of A and each column of B times a power of two of its own, from -40 to 40.
// Sparse: one in 16 is not zero. Spots: in one row of A and one column of B of 128, one element in 16 is times 2^-40. Cancelling: the
// products of neighbouring k's are nearly each other's negatives.
enum inputs {
    INPUTS_UNIFORM,
    INPUTS_SPECIAL,
    INPUTS_EXACT,
    INPUTS_POSITIVE,
    INPUTS_NORMAL,
    INPUTS_WIDE,
    INPUTS_GRADED,
    INPUTS_CONSTANT,
    INPUTS_WORST_SPLIT,
    INPUTS_SUBNORMAL,
    INPUTS_HUGE,
    INPUTS_SCALED,
    INPUTS_SPARSE,
    INPUTS_SPOTS,
    INPUTS_CANCELLING,
    INPUTS_KINDS
};

// As in --inputs, "uniform"; ends with NULL.
extern const char *const inputs_names[INPUTS_KINDS + 1];

enum { GUARD_ELEMENTS = 1024, FAR_EDGE = 1024, FAR_GAP = 1 << 16, EXACT_MOST_K = 1 << 12 };

// Words of 32 bits: a NaN as a float, and two of them a NaN as a double.
#define CANARY_WORD    UINT32_C(0x7ff8cafe)
#define UNWRITTEN_WORD UINT32_C(0x7ff8dead) // what C starts as when beta is 0

struct matrix {
    enum matrix_kind kind;
    enum element element;
    int64_t rows, cols;
    int64_t first_row,
        first_col; // where it begins in the whole matrix, of which it may be a piece: that decides its values
    int64_t ld;    // leading dimension, at least 1
    int64_t guard; // elements before the first and after the last
    int64_t shift; // elements between a 256-byte boundary and element (0, 0)
    uint64_t seed;
    enum inputs inputs;
    bool unwritten;        // every element is UNWRITTEN_WORD
    bool absolute;         // the values' magnitudes
    device_pointer buffer; // the image on the device
};

// Rows [first_row, first_row + row_count) with what lies before the first and after the last row of the matrix.
struct window {
    int64_t offset, count; // in elements of the image
    int64_t first_row, row_count;
};

int64_t matrix_elements(const struct matrix *matrix);              // of the whole image
int64_t matrix_bytes(const struct matrix *matrix);                 // of the whole image
int64_t matrix_written_bytes(const struct matrix *matrix);         // of it, what the windows cover
int64_t matrix_start(const struct matrix *matrix);                 // of element (0, 0) in the image
device_pointer matrix_address(const struct matrix *, int64_t row); // of element (row, 0) on the device
bool matrix_is_far(const struct matrix *matrix); // whether the windows leave out the middle of its gaps

// The values of columns [first, first + count) of one row, which a double holds exactly; NaN where it is unwritten.
void matrix_row(const struct matrix *matrix, int64_t row, int64_t first, int64_t count, double *values);

// Element `at` of an image or a part of one: its value, and whether all its words are `word`.
double image_value(const void *image, enum element element, int64_t at);
bool image_holds(const void *image, enum element element, int64_t at, uint32_t word);

// Moves to the next window of whole rows, of about `elements` elements; start with a zeroed window. False at the end.
bool matrix_next_window(const struct matrix *matrix, int64_t elements, struct window *window);

// Where row r of a window begins within it, and where what follows the row's last column ends: the gap, or the guard.
int64_t window_row(const struct matrix *matrix, const struct window *window, int64_t r);
int64_t window_row_end(const struct matrix *matrix, const struct window *window, int64_t r);

// The elements a buffer needs room for that is to hold any window.
int64_t matrix_window_elements(const struct matrix *matrix, int64_t elements);

// Makes the part of the image that `window` names.
void matrix_fill_window(const struct matrix *matrix, const struct window *window, void *image);
