// The memory request of one warp instruction as a drawing.
#pragma once

#include "sim/machine/machine.h"

// The memory request of one warp instruction.
struct sim_request {
    uint64_t address[LANES];
    uint32_t mask;  // active lanes; 0 if no request
    uint32_t width; // bytes per lane
    bool shared, store;
};
// Keeps a request as the latest one, or draws it if it is the wanted one. Requires launch->picture,
// and either shared or global addresses.
void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared, const uint64_t *global, uint32_t mask,
                  bool store);
// Prints CSV, a row per lane: the wavefront and banks in shared memory, the sectors in global
// memory.
void request_print(const struct sim_request *request, FILE *file);
