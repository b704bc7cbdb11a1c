// The registers that an instruction reads and writes, and the loops that branches close.
#pragma once

#include "instruction.h"

struct sass_touch {
    uint8_t first, count; // registers first .. first + count - 1
    bool write;
    bool uniform;   // true for uniform registers
    bool predicate; // true for predicates; with `uniform`, for uniform predicates
    uint8_t role;   // enum sass_role
};

// Lists every register and predicate that the instruction reads or writes, except RZ, URZ, PT and
// UPT. Returns the number of entries, at most SASS_MAX_TOUCHES.
enum { SASS_MAX_TOUCHES = 20 };
int sass_touches(const struct sass_instruction *instruction,
                 struct sass_touch touches[SASS_MAX_TOUCHES]);

// Returns true if the BRA at index `branch` is a back edge: its target dominates it. Code outside a
// loop that jumps back into it closes no loop (e.g. nvcc's barrier.sync for diverged lanes).
bool sass_closes_loop(const struct sass_instruction *code, size_t count, size_t branch);
