// Functions that the driver adds to every kernel and device code calls by an address: vprintf, malloc, free, __assertfail.
#pragma once

#include "sim/checks/checks.h"

// The address of the function of that name, for relocations; of those that are not here, one at which a call is reported.
uint64_t system_address(const char *name);
// Calls the function at `address` (its low word; the high one is SYSTEM_WINDOW) for the lanes of the mask.
void system_call(struct warp *w, uint32_t index, uint32_t address, uint32_t mask);

// Takes back what the kernel has not freed.
void system_release_heap(struct launch_state *l);
