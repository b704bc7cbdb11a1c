// Functions of the driver that device code calls by address: vprintf, malloc, free, __assertfail.
#pragma once

#include "sim/checks/checks.h"

// Returns a function's address for relocations; for unknown names, one that reports the call.
uint64_t system_address(const char *name);
// Calls a function for the lanes of the mask. `address`: low word; the high one is SYSTEM_WINDOW.
void system_call(struct warp *w, uint32_t index, uint32_t address, uint32_t mask);
// Frees the memory that the kernel has allocated and not freed.
void system_release_heap(struct launch_state *l);
