// Groups of lanes: what the scheduler of the block needs of branch.c.
#pragma once

#include "sim/machine/machine.h"

#define groups_start        SIM_NAME(groups_start)
#define groups_switch       SIM_NAME(groups_switch)
#define groups_turn         SIM_NAME(groups_turn)
#define groups_pass_barrier SIM_NAME(groups_pass_barrier)

void groups_start(struct warp *w);  // all lanes at the first instruction
void groups_switch(struct warp *w); // to the next group that can run; sets the warp's state
void groups_turn(struct warp *w);   // lets another group run, if there is one
void groups_pass_barrier(struct warp *w, uint32_t id);
