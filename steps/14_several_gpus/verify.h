// Verifies the schedules of all ranks before anything runs: every element of the matrices has one
// owner, tiles match and lie within their buffers, and operations of a rank that access the same
// memory, at least one of them writing, are ordered. A missing wait breaks the last rule; when such
// a schedule runs, the error may show once in a hundred runs.
#pragma once

#include "schedule.h"

#include <stddef.h>

// Returns false, with the first fault and its rank in `fault`, if a rule is broken.
bool schedules_verify(struct schedule *const *schedules, int ranks, char *fault, size_t size);
