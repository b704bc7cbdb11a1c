// Asynchronous copies that warps execute themselves, LDGSTS (copies.c).
#pragma once

#include "sim/machine/machine.h"

// Completes the oldest copies until `groups_left` groups are in flight. If `groups_left` is -1,
// completes all copies, including those in no group.
void copies_finish(struct warp *w, int groups_left);
// Completes all copies. `mbarrier`: the one for which readers must wait, or NO_MBARRIER if none.
#define NO_MBARRIER UINT32_MAX
void copies_arrive(struct warp *w, uint32_t mbarrier);
