// Changes a kernel's code without changing what it computes.
//
// Two neighbouring instructions may be swapped, with these exceptions: one writes a register or
// predicate that the other touches; the first sets a scoreboard that the second waits for; the
// first waits for a scoreboard; both access memory; both run on the XU (MUFU, conversions). Nothing
// passes a branch, a branch target, a barrier, or an instruction that these rules do not cover.
// sass lint then checks each candidate for stall counts that are too short and for stale reuse
// flags.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

struct moves {
    const struct sass_kernel *kernel;
    struct sass_instruction *code; // `count` instructions
    bool *target;                  // per instruction: true if a branch leads to it
    int count;
    int first, end; // the loop to change: the innermost loop with the most issues
};

// Reads the kernel's code. Returns false if it has something unsupported, which the error names.
bool moves_open(struct moves *moves, const struct sass_kernel *kernel, struct error *error);
// Chooses the loop. issued[i] is how often instruction i is issued. Returns false if there is none.
bool moves_choose(struct moves *moves, const uint64_t *issued, struct error *error);
void moves_close(struct moves *moves);

// Returns true if `second`, which directly follows `first`, may be moved before it.
bool moves_may_swap(const struct sass_instruction *first, const struct sass_instruction *second);

// Applies a random change and writes its name. Returns false if the draw changes nothing.
bool moves_draw(struct moves *moves, uint64_t *random, char *name, size_t size);

// Encodes the loop into the kernel's bytes.
bool moves_store(struct moves *moves, struct error *error);
