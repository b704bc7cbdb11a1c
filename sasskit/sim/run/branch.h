// Switches between a warp's groups of converged lanes (branch.c).
#pragma once

#include "sim/machine/machine.h"

#define groups_start        SIM_NAME(groups_start)
#define groups_switch       SIM_NAME(groups_switch)
#define groups_turn         SIM_NAME(groups_turn)
#define groups_pass_barrier SIM_NAME(groups_pass_barrier)

// Puts all lanes into one group at the first instruction.
void groups_start(struct warp *w);
// Switches to the next group that can run, without saving the current one. Sets the warp's state.
void groups_switch(struct warp *w);
// Saves the current group and switches to another one that can run, if there is one.
void groups_turn(struct warp *w);
// Releases the warp's groups that wait at barrier `id`.
void groups_pass_barrier(struct warp *w, uint32_t id);
