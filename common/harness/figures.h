// What the tables say of counters: figures.def.
#pragma once

#include "../backend/backend.h"

// A figure of figures.def by its name; NaN where a counter is missing or the sum below is 0.
double figure_value(const char *name, const struct counter *counters, int count);

// The bound that binds: the part of the device that needs the most SM cycles. NULL: there are no bounds.
const struct counter *binding_bound(const struct counter *counters, int count);
