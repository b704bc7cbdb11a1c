// Asynchronous copies that warps execute themselves, LDGSTS (copies.c).
#pragma once

#include "sim/machine/machine.h"

// Completes copies until `groups_left` groups are left; -1: also copies in no group.
void copies_finish(struct warp *w, int groups_left);
// Completes all copies. Who reads what they wrote must have waited for the mbarrier.
#define NO_MBARRIER UINT32_MAX
void copies_arrive(struct warp *w, uint32_t mbarrier);
