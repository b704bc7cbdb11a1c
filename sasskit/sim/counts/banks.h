// Wavefronts of one shared-memory request: the passes that it needs over the 32 banks of 4 bytes.
#pragma once

#include <stdint.h>

struct wavefronts {
    int count; // number of wavefronts
    // number of wavefronts without bank conflicts; count - least is the number of conflicts
    int least;
};

// The next two functions return the wavefronts of a load and of a store. Requires: address[lane] is
// in bytes; `width`, the bytes per lane, is 1, 2, 4, 8 or 16. If `phase` is not NULL, phase[lane]
// is set to the index of the lane's wavefront.
struct wavefronts banks_load(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
struct wavefronts banks_store(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
// Returns the least number of passes over L1's banks for a global load, if each pass may serve any
// lanes. (A wide load of shared memory serves its lanes in fixed groups.)
int banks_least(const uint32_t *address, uint32_t mask, int width);
