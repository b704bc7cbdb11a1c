// Stall counts of automatic lines.
#pragma once

#include "scheduler.h"

void set_stalls(struct scheduler *s);
