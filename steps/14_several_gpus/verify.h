// Whether the schedules of all ranks can be run safely, before anything runs: every element of the matrices has one owner, tiles
// go together and lie in their buffers, and operations of a rank that touch the same memory, one of them writing, have an order.
// The last is what a missing wait breaks, once in a hundred runs.
#pragma once

#include "schedule.h"

#include <stddef.h>

// False with the first fault as text: what, of which rank.
bool schedules_verify(struct schedule *const *schedules, int ranks, char *fault, size_t size);
