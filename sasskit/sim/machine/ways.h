// Where control may go from an instruction.
#pragma once

#include "machine.h"

struct ways {
    uint32_t to[2]; // indices of the instructions that may follow
    int count;
    bool unknown; // control may also go to places that depend on a register
};

// Returns the successors of instruction i.
struct ways ways_from(const struct program *p, uint32_t i);
