// Asynchronous copies that warps execute themselves, LDGSTS (copies.c).
#pragma once

#include "sim/machine/machine.h"

// Completes copies until `groups_left` groups are in flight; if that is -1, also copies outside
// groups.
void copies_finish(struct warp *w, int groups_left);
// Completes all copies. A reader of their data must have waited for the mbarrier, if one is given.
#define NO_MBARRIER UINT32_MAX
void copies_arrive(struct warp *w, uint32_t mbarrier);
