// Asynchronous copies that warps execute themselves, LDGSTS (copies.c).
#pragma once

#include "sim/machine/machine.h"

// Completes copies until `groups_left` groups are in flight; if that is -1, completes all copies,
// also those in no group.
void copies_finish(struct warp *w, int groups_left);
// Completes all copies. If an mbarrier is given, readers of the data must have waited for it.
#define NO_MBARRIER UINT32_MAX
void copies_arrive(struct warp *w, uint32_t mbarrier);
