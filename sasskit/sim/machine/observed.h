// observed.c, run/observer.c: write the instruction streams of an observed launch (sim/observer.h).
#pragma once

#include "machine.h"

void stream_put(struct sim_stream *stream, uint32_t word);
// Returns true for memory instructions, barriers, and others with a guard, except jumps.
bool is_observed(const struct detail *d);
// Writes the words of an instruction with UOP_OBSERVED: some before its execution, some after it.
void observe_before(struct warp *w, const struct uop *u, uint32_t mask);
void observe_after(struct warp *w, const struct uop *u);
// Writes the word of the instruction after a control instruction.
void observe_arrival(struct warp *w, uint32_t pc);
