// Wavefronts of one shared-memory request: the passes that it needs over the 32 banks of 4 bytes.
#pragma once

#include <stdint.h>

struct wavefronts {
    int count; // number of wavefronts
    // their number if no two words shared a bank; the difference is the number of bank conflicts
    int least;
};

// These require: address[lane], in bytes, for the lanes of `mask`; a width of 1, 2, 4, 8 or 16
// bytes per lane. If `phase` is not NULL, they set phase[lane] to the lane's wavefront, from 0.
struct wavefronts banks_load(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
struct wavefronts banks_store(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
// Returns the least number of passes that a global load needs of L1's banks: as if a bank could
// serve any lanes in any order, whatever the width.
int banks_least(const uint32_t *address, uint32_t mask, int width);
