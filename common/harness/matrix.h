// Matrices in device memory: their layout and their values.
//
//     image: | guard | row 0, gap | row 1, gap | ... | last row | guard |
//
// The image is one allocation, counted in elements. Guards and gaps hold the canary word, a NaN:
// the check finds a kernel that reads it into its result or overwrites it. The last row has no
// gap. If the device itself checks addresses, there are no guards: the allocation ends with the
// last element.
//
// The values depend on seed, kind, row and column only, so any part of any image can be made
// again; the host keeps no copy. A piece of a matrix has the values of the whole matrix there,
// except with special inputs.
//
// If a gap is longer than FAR_GAP, only its ends are canaries, FAR_EDGE elements each: a leading
// dimension of 2^30 costs little on a device whose memory is lazy.
#pragma once

#include "../backend/backend.h"

enum matrix_kind { MATRIX_A, MATRIX_B, MATRIX_C };

// The kinds of inputs. Those from INPUTS_POSITIVE on are hard for kernels that split or scale their
// operands; with them, C is uniform.
enum inputs {
    INPUTS_UNIFORM,     // uniform in [-1, 1)
    INPUTS_SPECIAL,     // uniform, with zeros of both signs; NaN, Inf, -Inf: one each per 97 rows
    INPUTS_EXACT,       // few bits: products and sums are exact for K <= EXACT_MOST_K
    INPUTS_POSITIVE,    // uniform in [0, 1]: nothing cancels, so a bias of rounding shows
    INPUTS_NORMAL,      // normal distribution, standard deviation 1
    INPUTS_WIDE,        // normal, each element times its own power of ten, 10^-6 to 10^6
    INPUTS_GRADED,      // normal; column k of A is multiplied by 10^x, row k of B divided by it
    INPUTS_CONSTANT,    // 1/3: every product is rounded in the same direction
    INPUTS_WORST_SPLIT, // 0x3f800ffd, which loses most when split into two pieces of 11 bits
    INPUTS_SUBNORMAL,   // uniform, every third row of A times 2^-130, B times 2^100
    INPUTS_HUGE,        // uniform, A times the largest float, B times 2^-100
    INPUTS_SCALED,      // uniform, each row of A and column of B times its own power, 2^-40 to 2^40
    INPUTS_SPARSE,      // uniform, 15 of 16 elements are zero
    INPUTS_SPOTS,       // uniform; one of 128 rows of A and columns of B has 1/16 times 2^-40
    INPUTS_CANCELLING,  // the products of two neighbouring k nearly cancel
    INPUTS_KINDS
};

// The names in --inputs, "uniform"; the last is NULL.
extern const char *const inputs_names[INPUTS_KINDS + 1];

enum { GUARD_ELEMENTS = 1024, FAR_EDGE = 1024, FAR_GAP = 1 << 16, EXACT_MOST_K = 1 << 12 };

// 32-bit words: one is a NaN as a float, two are a NaN as a double.
#define CANARY_WORD    UINT32_C(0x7ff8cafe)
#define UNWRITTEN_WORD UINT32_C(0x7ff8dead) // fills C before a launch with beta = 0

struct matrix {
    enum matrix_kind kind;
    enum element element;
    int64_t rows, cols;
    int64_t first_row, first_col; // position in the whole matrix, if this is a piece of it
    int64_t ld;                   // leading dimension, at least 1
    int64_t guard;                // elements of each guard
    int64_t shift;                // elements between a 256-byte boundary and element (0, 0)
    uint64_t seed;
    enum inputs inputs;
    bool unwritten;        // every element is UNWRITTEN_WORD
    bool absolute;         // elements are the magnitudes of the values
    device_pointer buffer; // the image on the device
};

// A part of an image: rows [first_row, first_row + row_count) with the guards beside them.
struct window {
    int64_t offset, count; // in elements of the image
    int64_t first_row, row_count;
};

int64_t matrix_elements(const struct matrix *matrix);      // size of the image
int64_t matrix_bytes(const struct matrix *matrix);         // size of the image
int64_t matrix_written_bytes(const struct matrix *matrix); // size of all windows together
int64_t matrix_start(const struct matrix *matrix);         // index of element (0, 0) in the image

// Returns the device address of element (row, 0).
device_pointer matrix_address(const struct matrix *, int64_t row);

// True if the windows leave out the middle of the gaps.
bool matrix_is_far(const struct matrix *matrix);

// Sets values[0..count) to columns [first, first + count) of a row: exactly, or NaN if unwritten.
void matrix_row(const struct matrix *matrix, int64_t row, int64_t first, int64_t count, double *values);

// Returns element `at` of an image or a part of one.
double image_value(const void *image, enum element element, int64_t at);
// True if every 32-bit word of element `at` is `word`.
bool image_holds(const void *image, enum element element, int64_t at, uint32_t word);

// Moves to the next window, whole rows of about `elements` elements. The first call requires a
// zeroed window. Returns false behind the last window.
bool matrix_next_window(const struct matrix *matrix, int64_t elements, struct window *window);

// Returns the index within the window at which row r of the window begins.
int64_t window_row(const struct matrix *matrix, const struct window *window, int64_t r);
// Returns the index at which the gap or guard behind row r ends.
int64_t window_row_end(const struct matrix *matrix, const struct window *window, int64_t r);

// Returns the size of the largest window, in elements.
int64_t matrix_window_elements(const struct matrix *matrix, int64_t elements);

// Writes the window's part of the image to `image`.
void matrix_fill_window(const struct matrix *matrix, const struct window *window, void *image);
