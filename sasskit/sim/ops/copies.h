// Asynchronous copies that warps execute themselves, LDGSTS (copies.c).
#pragma once

#include "sim/machine/machine.h"

// groups_left -1: also finishes copies in no group
void copies_finish(struct warp *w, int groups_left);
