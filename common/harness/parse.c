// Values on the command line.
#include "parse.h"
#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Reads one whole number at *text and moves past it.
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

bool parse_ints(const char *option, const char *text, int low, int high, int *values, int *count, int most) {
    const char *at = text;
    for (;;) {
        long long value;
        if (!read_integer(&at, &value) || (*at != ',' && *at != '\0')) {
            return complain("%s %s: expected whole numbers separated by commas, as in %s 1,2", option, text, option);
        }
        if (value < low || value > high) {
            return complain("%s %s: %lld is out of range, expected %d to %d", option, text, value, low, high);
        }
        if (*count == most) return complain("%s %s: more than %d values", option, text, most);
        values[(*count)++] = (int)value;
        if (*at++ == '\0') return true;
    }
}

bool parse_reals(const char *option, const char *text, double *values, int *count, int most) {
    const char *at = text;
    for (;;) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || isspace((unsigned char)*at) || (*end != ',' && *end != '\0') || !isfinite((float)value)) {
            return complain("%s %s: expected finite numbers separated by commas, as in %s 1,0.5", option, text, option);
        }
        if (*count == most) return complain("%s %s: more than %d values", option, text, most);
        values[(*count)++] = value;
        if (*end == '\0') return true;
        at = end + 1;
    }
}

bool parse_shape(const char *option, const char *text, struct shape *shape) {
    int *const dimensions[] = {&shape->m, &shape->n, &shape->k};
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        long long value;
        if (!read_integer(&at, &value) || *at != (i < 2 ? 'x' : '\0')) {
            return complain("%s %s: expected MxNxK, three whole numbers, as in %s 128x256x64", option, text, option);
        }
        if (value < 0 || value > INT_MAX) {
            return complain("%s %s: %lld is out of range, expected 0 to %d", option, text, value, INT_MAX);
        }
        *dimensions[i] = (int)value;
        at++;
    }
    return true;
}

bool parse_seed(const char *option, const char *text, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && *end == '\0' && errno == 0) return true;
    return complain("%s %s: expected a whole number from 0 to 2^64 - 1", option, text);
}

bool shape_is_sane(const char *option, const struct shape *shape, int pad) {
    const int64_t m = shape->m, n = shape->n, k = shape->k, limit = INT64_C(1) << 40;
    if (n + pad > INT_MAX || k + pad > INT_MAX) {
        return complain("%s %dx%dx%d with pad %d: a leading dimension passes %d", option, shape->m, shape->n, shape->k,
                        pad, INT_MAX);
    }
    if (m * (n + pad) <= limit && m * (k + pad) <= limit && k * (n + pad) <= limit) return true;
    return complain("%s %dx%dx%d: a matrix of more than 2^40 elements (4 TiB) is more than any GPU holds", option,
                    shape->m, shape->n, shape->k);
}
