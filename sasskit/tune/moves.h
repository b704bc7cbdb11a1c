// Changes a kernel's code without changing what it computes.
//
// Two adjacent instructions may be swapped unless one writes a register or predicate that the other
// touches, one sets a scoreboard that the other waits for, the first waits for anything, or both
// access memory. Nothing passes a branch, a branch target, a barrier, or an instruction that these
// rules do not cover. sass lint checks each candidate for stall counts that are too short and for
// stale reuse flags.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

struct moves {
    const struct sass_kernel *kernel;
    struct sass_instruction *code; // `count` instructions
    bool *target;                  // per instruction: a branch goes to it
    int count;
    int first, end; // the loop that is changed: the innermost loop with the most issues
};

// Returns false if the kernel has something unsupported, which the error names.
bool moves_open(struct moves *moves, const struct sass_kernel *kernel, struct error *error);
// Chooses the loop by `issued`, the issues of each instruction. Returns false if there is none.
bool moves_choose(struct moves *moves, const uint64_t *issued, struct error *error);
void moves_close(struct moves *moves);

// Returns true if `second`, right after `first`, may be moved before it.
bool moves_may_swap(const struct sass_instruction *first, const struct sass_instruction *second);

// Applies a random change and sets its name. Returns false if this draw changes nothing.
bool moves_draw(struct moves *moves, uint64_t *random, char *name, size_t size);

// Encodes the code into the kernel's bytes.
bool moves_store(struct moves *moves, struct error *error);
