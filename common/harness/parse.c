// Parses values on the command line.
#include "parse.h"
#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads a whole number at *text and advances *text.
static bool read_integer(const char **text, long long *value) {
    char *end;
    if (!isdigit((unsigned char)**text) && **text != '-') return false;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    if (end == *text || errno == EINVAL) return false;
    if (errno == ERANGE) *value = **text == '-' ? LLONG_MIN : LLONG_MAX;
    *text = end;
    return true;
}

bool parse_ints(const char *option, const char *text, int low, int high, int *values, int *count,
                int most) {
    const char *at = text;
    for (;;) {
        long long value;
        if (!read_integer(&at, &value) || (*at != ',' && *at != '\0')) {
            return say_error("%s %s: expected whole numbers separated by commas, as in %s 1,2",
                             option, text, option);
        }
        if (value < low || value > high) {
            return say_error("%s %s: %lld is out of range, expected %d to %d", option, text, value,
                             low, high);
        }
        if (*count == most)
            return say_error("%s %s: expected at most %d values", option, text, most);
        values[(*count)++] = (int)value;
        if (*at++ == '\0') return true;
    }
}

bool parse_one(const char *option, const char *text, int low, int high, int *value) {
    int count = 0;
    return parse_ints(option, text, low, high, value, &count, 1);
}

bool parse_reals(const char *option, const char *text, double *values, int *count, int most) {
    const char *at = text;
    for (;;) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || isspace((unsigned char)*at) || (*end != ',' && *end != '\0') ||
            !isfinite((float)value)) {
            return say_error("%s %s: expected finite numbers separated by commas, as in %s 1,0.5",
                             option, text, option);
        }
        if (*count == most)
            return say_error("%s %s: expected at most %d values", option, text, most);
        values[(*count)++] = value;
        if (*end == '\0') return true;
        at = end + 1;
    }
}

// Writes the words as "on, off or only".
static const char *list_words(const char *const *words, char *list, size_t size) {
    size_t used = 0;
    for (int w = 0; words[w] && used < size; w++) {
        const char *before = w == 0 ? "" : words[w + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, size - used, "%s%s", before, words[w]);
    }
    return list;
}

bool parse_word(const char *option, const char *text, const char *const *words, int *value) {
    char list[256];
    for (int w = 0; words[w]; w++) {
        if (strcmp(words[w], text) != 0) continue;
        *value = w;
        return true;
    }
    return say_error("%s %s: expected %s", option, text, list_words(words, list, sizeof list));
}

bool parse_backend(const char *text, const char **backend) {
    int which;
    *backend = text;
    return parse_word("--backend", text, (const char *const[]){"auto", "gpu", "sim", NULL}, &which);
}

// Parses "MxNxK", each in [0, INT_MAX].
static bool parse_shape(const char *option, const char *text, struct shape *shape) {
    int *const dimensions[] = {&shape->m, &shape->n, &shape->k};
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        long long value;
        if (!read_integer(&at, &value) || *at != (i < 2 ? 'x' : '\0')) {
            return say_error("%s %s: expected MxNxK, three whole numbers, as in %s 128x256x64",
                             option, text, option);
        }
        if (value < 0 || value > INT_MAX) {
            return say_error("%s %s: %lld is out of range, expected 0 to %d", option, text, value,
                             INT_MAX);
        }
        *dimensions[i] = (int)value;
        at++;
    }
    return true;
}

static bool add_shape(const char *option, struct shape shape, struct shape *shapes, int *count,
                      int most) {
    if (*count == most) return say_error("%s: expected at most %d problems", option, most);
    shapes[(*count)++] = shape;
    return true;
}

bool parse_sizes(const char *text, int low, struct shape *shapes, int *count, int most) {
    enum { MOST_SIZES = 32 };
    int sizes[MOST_SIZES], n = 0;
    bool good = parse_ints("--size", text, low, INT_MAX, sizes, &n, MOST_SIZES);
    for (int i = 0; good && i < n; i++)
        good =
            add_shape("--size", (struct shape){sizes[i], sizes[i], sizes[i]}, shapes, count, most);
    return good;
}

bool parse_next_shape(const char *text, struct shape *shapes, int *count, int most) {
    struct shape shape;
    return parse_shape("--shape", text, &shape) && add_shape("--shape", shape, shapes, count, most);
}

bool parse_seed(const char *option, const char *text, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && *end == '\0' && errno == 0) return true;
    return say_error("%s %s: expected a whole number from 0 to 2^64 - 1", option, text);
}

// Reads a stride at *text and advances *text.
static bool read_stride(const char **text, struct stride *stride) {
    long long value;
    const char sign = **text;
    if (sign == '+' || sign == '%') (*text)++;
    if (!isdigit((unsigned char)**text) || !read_integer(text, &value) || value > INT_MAX)
        return false;
    stride->kind = sign == '+' ? STRIDE_MORE : sign == '%' ? STRIDE_MULTIPLE : STRIDE_EXACT;
    stride->value = (int)value;
    return stride->kind == STRIDE_MORE || value > 0;
}

bool parse_strides(const char *option, const char *text, struct stride strides[3]) {
    const char *at = text;
    int count = 0;
    do {
        if (count == 3 || !read_stride(&at, &strides[count])) break;
        count++;
    } while (*at == ',' && *at++);
    if (*at == '\0' && count == 1) strides[1] = strides[2] = strides[0];
    return (*at == '\0' && at > text && at[-1] != ',' && (count == 1 || count == 3)) ||
           say_error("%s %s: expected one leading dimension for all or one each for A, B and C, "
                     "as in %s %%4,+1,1028: the next multiple of 4, one more than the columns, "
                     "1028 elements",
                     option, text, option);
}

bool parse_shifts(const char *option, const char *text, int most, int shifts[3]) {
    int count = 0;
    if (!parse_ints(option, text, 0, most, shifts, &count, 3)) return false;
    if (count == 1) shifts[1] = shifts[2] = shifts[0];
    return count != 2 ||
           say_error(
               "%s %s: expected one number for all or one each for A, B and C, as in %s 0,1,3",
               option, text, option);
}

int64_t stride_of(struct stride stride, int64_t cols) {
    const int64_t least = cols > 0 ? cols : 1, value = stride.value;
    if (stride.kind == STRIDE_EXACT) return value;
    if (stride.kind == STRIDE_MULTIPLE) return (least + value - 1) / value * value;
    return cols + value > 0 ? cols + value : 1;
}

bool shape_is_sane(const char *option, const struct shape *shape, const struct layout *layout) {
    const int64_t rows[] = {shape->m, shape->k, shape->m}, cols[] = {shape->k, shape->n, shape->n};
    for (int i = 0; i < 3; i++) {
        const int64_t ld = stride_of(layout->ld[i], cols[i]);
        if (ld > INT_MAX) {
            return say_error(
                "%s %dx%dx%d: the leading dimension of %c is %lld, expected at most %d", option,
                shape->m, shape->n, shape->k, "ABC"[i], (long long)ld, INT_MAX);
        }
        if (ld < cols[i]) {
            return say_error("--ld: %lld is less than the %lld columns of %c for %s %dx%dx%d",
                             (long long)ld, (long long)cols[i], "ABC"[i], option, shape -> m,
                             shape -> n, shape -> k);
        }
        if (rows[i] * ld > INT64_C(1) << 40) {
            return say_error("%s %dx%dx%d: matrix %c has more than 2^40 elements: choose smaller "
                             "sides or strides",
                             option, shape->m, shape->n, shape->k, "ABC"[i]);
        }
    }
    return true;
}
