// For an observer (sim/observer.h): what a block's warps do at its mbarriers.
//
// Who waits for a phase waits for what its own block's warps have done for it: that is counted from the barrier's beginning on, their
// arrivals and the copies that they started. What other blocks of the cluster do for it is taken to be done by then.
#pragma once

#include "sim/machine/observed.h"

enum { SECTORS_SHIFT = 4 }; // in a stream a line's number stands before a bit for each of its sectors

struct meeting {
    uint32_t at, parity;
    uint32_t done, wanted; // wanted: of what was done, until the latest phase ended
};

struct meeting *meeting_at(struct block *b, uint32_t at); // a new one is as the barrier is
bool is_barrier(const struct block *b, uint32_t at);      // at can be one

// Of a copy of the copy engine: bytes that it moves in device memory, and which mbarrier counts it, of which blocks of the cluster.
void observe_copy(struct warp *w, uint64_t address, uint32_t bytes);
void observe_counted(struct warp *w, uint32_t barrier, uint32_t blocks);
