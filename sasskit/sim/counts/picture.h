// Prints which bank or sector each lane of a memory request accesses (simrun --picture).
#pragma once

#include "sim/machine/machine.h"

// The memory request of one warp instruction.
struct sim_request {
    uint64_t address[LANES];
    uint32_t mask;  // the active lanes; 0 if there was no request
    uint32_t width; // bytes per lane
    bool shared, store;
};
// Prints a request to the file of launch->picture if the picture selects it. If the picture has no
// file, stores the request in *latest instead. Requires: launch->picture is set; `shared` or
// `global` has the lanes' addresses, and the other one is NULL.
void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared,
                  const uint64_t *global, uint32_t mask, bool store);
// Prints the request as CSV, a row per active lane. A row has the lane's wavefront and banks for
// shared memory, and its sectors for global memory.
void request_print(const struct sim_request *request, FILE *file);
