// Wavefronts of one shared-memory request: how many passes the 32 banks of 4 bytes need.
#pragma once

#include <stdint.h>

struct wavefronts {
    int count; // passes
    int least; // passes if no two words shared a bank: count - least are bank conflicts
};

// address[lane] in bytes for the lanes of mask; width 1, 2, 4, 8 or 16 bytes a lane. phase, when not NULL, gets each lane's
// wavefront, from 0.
struct wavefronts banks_load(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
struct wavefronts banks_store(const uint32_t *address, uint32_t mask, int width, int8_t *phase);
// Passes if a bank could give its words to any lanes in turn, whatever the width: what a global load takes of L1's banks at least.
int banks_least(const uint32_t *address, uint32_t mask, int width);
