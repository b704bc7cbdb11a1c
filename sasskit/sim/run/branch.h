// A warp's groups of converged lanes, between which it switches (branch.c).
#pragma once

#include "sim/machine/machine.h"

#define groups_start        SIM_NAME(groups_start)
#define groups_switch       SIM_NAME(groups_switch)
#define groups_turn         SIM_NAME(groups_turn)
#define groups_pass_barrier SIM_NAME(groups_pass_barrier)

// Puts all lanes into one group at the first instruction.
void groups_start(struct warp *w);
// Switches to the next group that can run. Sets the warp's state.
void groups_switch(struct warp *w);
// Switches to another group if there is one that can run.
void groups_turn(struct warp *w);
// Releases the groups of one warp that wait at the barrier.
void groups_pass_barrier(struct warp *w, uint32_t id);
