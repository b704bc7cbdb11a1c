// Figures that are computed from counters (figures.def).
#pragma once

#include "../backend/backend.h"

// Returns a figure by its name; NaN if a counter is missing or the denominator is 0.
double figure_value(const char *name, const struct counter *counters, int count);

// Returns the bound of the part of the device that needs the most SM cycles; NULL if there are no
// bounds.
const struct counter *binding_bound(const struct counter *counters, int count);
