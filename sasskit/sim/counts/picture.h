// What one instruction of a warp asked of memory, drawn.
#pragma once

#include "sim/machine/machine.h"

// --- picture.c ----------------------------------------------------------------------------------------------------------
// What one instruction of a warp asked of memory.
struct sim_request {
    uint64_t address[LANES];
    uint32_t mask;  // of lanes; 0: nothing
    uint32_t width; // bytes a lane
    bool shared, store;
};
// Keeps the request for who asked for the latest one, or draws it if it is the one that was asked for; shared addresses or global
// ones. Only when launch->picture is set.
void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared, const uint64_t *global, uint32_t mask,
                  bool store);
// As CSV, a line a lane: for shared memory the wavefront and the banks, for global memory the sector.
void request_print(const struct sim_request *request, FILE *file);
