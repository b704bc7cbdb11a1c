// Pictures of memory requests: which bank or sector each lane accesses (simrun --picture).
#pragma once

#include "sim/machine/machine.h"

// The memory request of one warp instruction.
struct sim_request {
    uint64_t address[LANES];
    uint32_t mask;  // the active lanes; 0 if there was no request
    uint32_t width; // bytes per lane
    bool shared, store;
};
// Handles a request of a launch with a picture: writes the request if the picture selects it, or
// keeps it as the latest if the picture has no file. Requires: launch->picture is set, and either
// `shared` or `global` has the addresses; the other is NULL.
void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared,
                  const uint64_t *global, uint32_t mask, bool store);
// Prints the request as CSV, a row per active lane: the wavefront and banks in shared memory, the
// sectors in global memory.
void request_print(const struct sim_request *request, FILE *file);
