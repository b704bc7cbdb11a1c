// The memory request of one warp instruction, to be drawn.
#pragma once

#include "sim/machine/machine.h"

// The memory request of one warp instruction.
struct sim_request {
    uint64_t address[LANES];
    uint32_t mask;  // the active lanes; 0 if there was no request
    uint32_t width; // bytes per lane
    bool shared, store;
};
// Keeps a request as the latest one, or writes it if it is the one wanted. Requires:
// launch->picture is set, and either shared or global addresses are given.
void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared,
                  const uint64_t *global, uint32_t mask, bool store);
// Prints the request as CSV, with a row per lane: the wavefront and banks in shared memory, the
// sectors in global memory.
void request_print(const struct sim_request *request, FILE *file);
