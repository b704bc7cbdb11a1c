// Computes figures from counters (figures.def).
#pragma once

#include "../backend/backend.h"

// Returns a figure by its name; NaN if a counter is missing or the denominator is 0.
double figure_value(const char *name, const struct counter *counters, int count);

// Returns the largest of the counters that are lower bounds of the time, in SM cycles (backend.h,
// `part`); NULL if there are none.
const struct counter *binding_bound(const struct counter *counters, int count);
