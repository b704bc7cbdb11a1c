// Functions of observed.c and run/observer.c for the streams of observed warps (sim/observer.h).
#pragma once

#include "machine.h"

void stream_put(struct sim_stream *stream, uint32_t word);
// Returns true for accesses to memory or mbarriers, BAR, and guarded instructions outside pipe CBU.
bool is_observed(const struct detail *d);
// Writes the words of an instruction with UOP_OBSERVED that are known before it is executed.
void observe_before(struct warp *w, const struct uop *u, uint32_t mask);
// Completes these words after the execution, for example by the wavefronts in shared memory.
void observe_after(struct warp *w, const struct uop *u);
// Writes the index of the instruction at which the warp arrives after a control instruction.
void observe_arrival(struct warp *w, uint32_t pc);
