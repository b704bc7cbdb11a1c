// What an observer of a launch is told.
#pragma once

#include "machine.h"

// --- observed.c and run/observer.c ---------------------------------------------------------------------------------------
void stream_put(struct sim_stream *stream, uint32_t word);
bool is_observed(const struct detail *d); // a memory instruction, a barrier, or one with a guard
// Before and after the execution of an instruction with UOP_OBSERVED, and at the one that follows a control instruction.
void observe_before(struct warp *w, const struct uop *u, uint32_t mask);
void observe_after(struct warp *w, const struct uop *u);
void observe_arrival(struct warp *w, uint32_t pc);
