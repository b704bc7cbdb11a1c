// Values on the command line. Each function complains in one line, naming the option, and returns false when it cannot.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct shape {
    int m, n, k;
};

// "8" or "8,16,32", each from low to high; appends to values[*count] up to `most` of them.
bool parse_ints(const char *option, const char *text, int low, int high, int *values, int *count, int most);
bool parse_one(const char *option, const char *text, int low, int high, int *value);

// "1" or "0,1,-1,0.5", each finite, as a float too.
bool parse_reals(const char *option, const char *text, double *values, int *count, int most);

// Stores the index of `text` among the words, which end with NULL.
bool parse_word(const char *option, const char *text, const char *const *words, int *value);
bool parse_backend(const char *text, const char **backend); // auto, gpu or sim

// "MxNxK", each from 0 to INT_MAX.
bool parse_shape(const char *option, const char *text, struct shape *shape);
// The same of --shape, and of --size square ones from `low` on, "8,16"; appended to shapes[*count] up to `most` of them.
bool parse_next_shape(const char *text, struct shape *shapes, int *count, int most);
bool parse_sizes(const char *text, int low, struct shape *shapes, int *count, int most);

// A whole number from 0 to 2^64 - 1.
bool parse_seed(const char *option, const char *text, uint64_t *seed);

// A leading dimension: as it must be and so much more, the next multiple, or a number of elements.
enum stride_kind { STRIDE_MORE, STRIDE_MULTIPLE, STRIDE_EXACT };
struct stride {
    enum stride_kind kind;
    int value;
};

// How A, B and C lie in memory. shift: elements from a 256-byte boundary to the first.
struct layout {
    struct stride ld[3];
    int shift[3];
};

// "A,B,C" or one for all three, each "+4", "%4" or "1028".
bool parse_strides(const char *option, const char *text, struct stride strides[3]);

// "A,B,C" or one for all three, whole numbers from 0 to `most`.
bool parse_shifts(const char *option, const char *text, int most, int shifts[3]);

// The leading dimension of a matrix with so many columns, at least 1; less than cols where an exact one is too small.
int64_t stride_of(struct stride stride, int64_t cols);

// Whether the matrices can exist at all: no leading dimension beyond int or below its columns, no matrix beyond 2^40 elements.
bool shape_is_sane(const char *option, const struct shape *shape, const struct layout *layout);
