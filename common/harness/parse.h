// Parses values on the command line. On failure, the functions that return bool complain in one
// line that names the option, and return false.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct shape {
    int m, n, k;
};

// Parses whole numbers in [low, high], "8" or "8,16,32", and appends them to values[0..*count),
// which has room for `most`. parse_one() sets *value to a single number.
bool parse_ints(const char *option, const char *text, int low, int high, int *values, int *count,
                int most);
bool parse_one(const char *option, const char *text, int low, int high, int *value);

// Parses "1" or "0,1,-1,0.5", each finite as a float, and appends like parse_ints().
bool parse_reals(const char *option, const char *text, double *values, int *count, int most);

// Sets *value to the index of `text` in the array `words`, which ends with NULL.
bool parse_word(const char *option, const char *text, const char *const *words, int *value);
bool parse_backend(const char *text, const char **backend); // auto, gpu or sim

// These parse --shape MxNxK, and --size 8,16 with sides of at least `low`. Both append to
// shapes[0..*count), which has room for `most`.
bool parse_next_shape(const char *text, struct shape *shapes, int *count, int most);
bool parse_sizes(const char *text, int low, struct shape *shapes, int *count, int most);

// Parses a whole number from 0 to 2^64 - 1.
bool parse_seed(const char *option, const char *text, uint64_t *seed);

// A leading dimension, made from the number of columns: that number plus `value` (STRIDE_MORE), or
// rounded up to a multiple of `value` (STRIDE_MULTIPLE), or just `value` (STRIDE_EXACT).
enum stride_kind { STRIDE_MORE, STRIDE_MULTIPLE, STRIDE_EXACT };
struct stride {
    enum stride_kind kind;
    int value;
};

// The layouts of A, B and C in memory.
struct layout {
    struct stride ld[3];
    int shift[3]; // distance of the first element from a 256-byte boundary, in elements
};

// Parses "A,B,C", or one value for all three; each is like "+4", "%4" or "1028".
bool parse_strides(const char *option, const char *text, struct stride strides[3]);

// Parses "A,B,C", or one value for all three: whole numbers from 0 to `most`.
bool parse_shifts(const char *option, const char *text, int most, int shifts[3]);

// Returns the leading dimension, at least 1, of a matrix with `cols` columns. With STRIDE_EXACT it
// may be less than `cols`; see shape_is_sane().
int64_t stride_of(struct stride stride, int64_t cols);

// Returns true if every leading dimension fits an int and is at least the number of columns, and no
// matrix has more than 2^40 elements, gaps between rows included. Otherwise complains.
bool shape_is_sane(const char *option, const struct shape *shape, const struct layout *layout);
