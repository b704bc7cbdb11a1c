// Functions of the driver that device code calls by address: vprintf, malloc, free, __assertfail.
#pragma once

#include "sim/checks/checks.h"

// Returns the address of a function of the driver, for relocations. An unknown name gets an address
// at which every call is reported.
uint64_t system_address(const char *name);
// Calls a function for the lanes of the mask. `address` is the low word of the function's address;
// the high word is SYSTEM_WINDOW.
void system_call(struct warp *w, uint32_t index, uint32_t address, uint32_t mask);
// Frees the memory that the kernel has allocated by malloc() and not freed.
void system_release_heap(struct launch_state *l);
