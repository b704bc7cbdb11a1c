// Stall counts of automatic lines.
#ifndef SASS_STALLS_H
#define SASS_STALLS_H

#include "scheduler.h"

bool set_stalls(struct scheduler *s); // false: out of memory

#endif
