// Asynchronous copies that warps make (copies.c).
#pragma once

#include "sim/machine/machine.h"

void copies_finish(struct warp *w, int groups_left); // -1: also what is in no group
