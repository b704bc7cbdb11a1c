// Stall counts of automatic lines.
#pragma once

#include "scheduler.h"

bool set_stalls(struct scheduler *s); // false: out of memory
