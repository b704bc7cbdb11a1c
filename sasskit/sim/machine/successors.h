// Successors of an instruction in the control-flow graph.
#pragma once

#include "machine.h"

struct successors {
    uint32_t to[2]; // indices of the instructions that may follow
    int count;
    bool unknown; // true for BRX, RET and CALL, which may have further successors
};

// Returns the successors of instruction i.
struct successors successors_of(const struct program *p, uint32_t i);
