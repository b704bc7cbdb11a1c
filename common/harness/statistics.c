// Computes the median, the least and the largest of measured values; reads the clock.
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double median_of(const double *values, int count) {
    double *sorted = malloc((size_t)(count > 0 ? count : 1) * sizeof *sorted);
    double median = NAN;
    int kept = 0;
    if (!sorted) return NAN;
    for (int i = 0; i < count; i++) {
        if (!isnan(values[i])) sorted[kept++] = values[i];
    }
    qsort(sorted, (size_t)kept, sizeof *sorted, compare);
    if (kept > 0) median = 0.5 * (sorted[(kept - 1) / 2] + sorted[kept / 2]);
    free(sorted);
    return median;
}

double minimum_of(const double *values, int count) {
    double least = NAN;
    for (int i = 0; i < count; i++) least = fmin(least, values[i]);
    return least;
}

double maximum_of(const double *values, int count) {
    double most = NAN;
    for (int i = 0; i < count; i++) most = fmax(most, values[i]);
    return most;
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
