// Minimum, maximum, and division that rounds up.
#pragma once

#include <stdint.h>

static inline int64_t max(int64_t a, int64_t b) {
    return a > b ? a : b;
}
static inline int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}
// Like fmin(), but without its rules for NaN, which cost time in loops.
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

// Requires: value >= 0.
static inline int64_t divide_up(int64_t value, int64_t by) {
    return (value + by - 1) / by;
}
static inline int64_t round_up(int64_t value, int64_t to) {
    return divide_up(value, to) * to;
}
