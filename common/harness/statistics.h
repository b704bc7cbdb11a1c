// Summaries of measured values.
#pragma once

// Of values[0..count), those that are NaN left out; NaN when nothing is left.
double median_of(const double *values, int count); // mean of the middle two when even
double minimum_of(const double *values, int count);
double maximum_of(const double *values, int count);

// Of a clock that only goes on.
double seconds_now(void);
