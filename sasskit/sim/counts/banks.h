// Wavefronts of one shared-memory request: the passes that it needs over the 32 banks of 4 bytes.
#pragma once

#include <stdint.h>

struct wavefronts {
    int count; // wavefronts
    int least; // wavefronts if no two words shared a bank; count - least are bank conflicts
};

// Require: address[lane] in bytes for the lanes of `mask`; width is 1, 2, 4, 8 or 16 bytes per
// lane. Set each lane's wavefront, from 0, in `phase` unless it is NULL.
struct wavefronts banks_load(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
struct wavefronts banks_store(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
// Returns the passes if a bank could serve any lanes in any order, regardless of width: the least
// that a global load needs of L1's banks.
int banks_least(const uint32_t *address, uint32_t mask, int width);
