// Changes of a kernel's code that keep what it computes.
//
// Two neighbours may change places unless one writes a register or predicate that the other touches, one sets a scoreboard that
// the other waits for, the first waits for anything, or both go to memory. Nothing passes a branch, a place that branches
// go to, a barrier, or an instruction that these rules do not know. Whether stall counts are still long enough
// and flags not stale is for sass lint to say, which sees every candidate.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

struct moves {
    const struct sass_kernel *kernel;
    struct sass_instruction *code; // (count)
    bool *target;                  // branches go to it
    int count;
    int first, end; // the loop that changes: the innermost one in which most is issued
};

// False: the kernel has something that is not understood, which the error names.
bool moves_open(struct moves *moves, const struct sass_kernel *kernel, struct sass_error *error);
// Chooses the loop; issued: how often each instruction is. False: there is none.
bool moves_choose(struct moves *moves, const uint64_t *issued, struct sass_error *error);
void moves_close(struct moves *moves);

// Whether `second`, right behind `first`, may come before it.
bool moves_may_swap(const struct sass_instruction *first, const struct sass_instruction *second);

// One change drawn by *random, and its name; false: this draw changes nothing.
bool moves_draw(struct moves *moves, uint64_t *random, char *name, size_t size);

// Into the kernel's bytes.
bool moves_store(struct moves *moves, struct sass_error *error);
