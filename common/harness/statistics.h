// Summaries of measured values.
#pragma once

// These ignore values that are NaN, and return NaN if no value is left.
double median_of(const double *values, int count); // an even number: mean of the middle two
double minimum_of(const double *values, int count);
double maximum_of(const double *values, int count);

// Returns the seconds of a monotonic clock.
double seconds_now(void);
