// Computes the median, the least and the largest of measured values; reads the clock.
#pragma once

// These functions ignore NaNs and return NaN if no other value is left. The median of an even
// number of values is the mean of the middle two.
double median_of(const double *values, int count);
double minimum_of(const double *values, int count);
double maximum_of(const double *values, int count);

// Returns the seconds of a monotonic clock.
double seconds_now(void);
