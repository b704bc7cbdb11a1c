// Where control may go from an instruction.
#pragma once

#include "machine.h"

struct ways {
    uint32_t to[2]; // instruction indices
    int count;
    bool unknown; // also has indirect targets
};

// Returns the successors of instruction i.
struct ways ways_from(const struct program *p, uint32_t i);
