// Describes matrices in device memory: their layout and their values.
//
//     image: | guard | row 0, gap | row 1, gap | ... | last row | guard |
//
// This image of a matrix is one allocation; its size is counted in elements. Guards and gaps hold
// the canary word, which is a NaN: the check finds a kernel that overwrites it, or reads it into
// its result. The last row has no gap. If the device itself checks addresses, there are no guards,
// and the allocation ends with the last element.
//
// A value depends only on the members of struct matrix, row and column, so any part of any image
// can be computed again, and the host keeps no copy. A piece of a matrix has the values that the
// whole matrix has there, except with special inputs.
//
// If a gap has more than FAR_GAP elements, only FAR_EDGE elements at each of its ends are canaries.
// So a leading dimension of 2^30 costs little on a device whose memory is allocated lazily.
#pragma once

#include "../backend/backend.h"

enum matrix_kind { MATRIX_A, MATRIX_B, MATRIX_C };

// The kinds of inputs. Those from INPUTS_POSITIVE on are hard for kernels that split or scale their
// operands. The hard kinds concern A and B only; C is uniform.
enum inputs {
    INPUTS_UNIFORM,  // uniform in [-1, 1)
    INPUTS_SPECIAL,  // uniform, with zeros of both signs; per 97 rows one NaN, one Inf, one -Inf
    INPUTS_EXACT,    // values whose products and sums are exact for K <= EXACT_MOST_K
    INPUTS_POSITIVE, // uniform in [0, 1]: nothing cancels, so a bias in rounding becomes visible
    INPUTS_NORMAL,   // normal distribution, standard deviation 1
    INPUTS_WIDE,     // normal, where each element has its own factor from 10^-6 to 10^6
    // normal, where column k of A is multiplied by 10^x and row k of B is divided by it
    INPUTS_GRADED,
    INPUTS_CONSTANT, // 1/3: every product is rounded in the same direction
    // 0x3f800ffd, the value with the largest error if it is split into two pieces of 11 bits
    INPUTS_WORST_SPLIT,
    INPUTS_SUBNORMAL, // uniform, with every third row of A times 2^-130 and B times 2^100
    INPUTS_HUGE,      // uniform, with A times the largest float and B times 2^-100
    // uniform, where each row of A and each column of B has its own factor from 2^-40 to 2^40
    INPUTS_SCALED,
    INPUTS_SPARSE, // uniform, with zero in 15 of 16 elements
    // uniform, but in 1 of 128 rows of A and columns of B, 1 of 16 elements is multiplied by 2^-40
    INPUTS_SPOTS,
    INPUTS_CANCELLING, // the products of k = 2 i and k = 2 i + 1 nearly cancel each other
    INPUTS_KINDS
};

// The names in --inputs, "uniform"; the last is NULL.
extern const char *const inputs_names[INPUTS_KINDS + 1];

enum { GUARD_ELEMENTS = 1024, FAR_EDGE = 1024, FAR_GAP = 1 << 16, EXACT_MOST_K = 1 << 12 };

// A 32-bit word that is a NaN as a float; two of them are a NaN as a double.
#define CANARY_WORD    UINT32_C(0x7ff8cafe)
#define UNWRITTEN_WORD UINT32_C(0x7ff8dead) // fills C before a launch with beta = 0

struct matrix {
    enum matrix_kind kind;
    enum element element;
    int64_t rows, cols;
    int64_t first_row, first_col; // position in the whole matrix, if this is a piece of it
    int64_t ld;                   // leading dimension, at least 1
    int64_t guard;                // number of elements in each guard
    int64_t shift; // distance of element (0, 0) from a 256-byte boundary, in elements
    uint64_t seed;
    enum inputs inputs;
    bool unwritten;        // true if every element is UNWRITTEN_WORD
    bool absolute;         // true if the elements are the magnitudes of the values
    device_pointer buffer; // the image on the device
};

// A part of an image: rows [first_row, first_row + row_count), their gaps and adjacent guards.
struct window {
    int64_t offset, count; // in elements of the image
    int64_t first_row, row_count;
};

int64_t matrix_elements(const struct matrix *matrix);      // size of the image, in elements
int64_t matrix_bytes(const struct matrix *matrix);         // size of the image, in bytes
int64_t matrix_written_bytes(const struct matrix *matrix); // upper bound of all windows' bytes
int64_t matrix_start(const struct matrix *matrix);         // index of element (0, 0) in the image

// Returns the device address of element (row, 0).
device_pointer matrix_address(const struct matrix *, int64_t row);

// Returns true if the windows leave out the middle of the gaps.
bool matrix_is_far(const struct matrix *matrix);

// Sets values[0..count) to columns [first, first + count) of a row: the exact values, or NaN if the
// matrix is unwritten.
void matrix_row(const struct matrix *matrix, int64_t row, int64_t first, int64_t count,
                double *values);

// Returns element `at` of `image`, which is an image or a part of one.
double image_value(const void *image, enum element element, int64_t at);
// Returns true if every 32-bit word of element `at` is `word`.
bool image_holds(const void *image, enum element element, int64_t at, uint32_t word);

// Moves to the next window, which consists of whole rows with about `elements` elements. The first
// call requires a zeroed window. Returns false after the last window.
bool matrix_next_window(const struct matrix *matrix, int64_t elements, struct window *window);

// Returns the index within the window at which row r of the window begins.
int64_t window_row(const struct matrix *matrix, const struct window *window, int64_t r);
// Returns the index in the window at which the gap or guard after row r ends.
int64_t window_row_end(const struct matrix *matrix, const struct window *window, int64_t r);

// Returns an upper bound, in elements, of the windows of matrix_next_window() for `elements`.
int64_t matrix_window_elements(const struct matrix *matrix, int64_t elements);

// Writes the window's part of the image to `image`.
void matrix_fill_window(const struct matrix *matrix, const struct window *window, void *image);
