// Records for an observer (sim/observer.h) what a block's warps do at its mbarriers.
//
// A wait for a phase depends on what the warps of the waiting block have contributed to it: their
// arrivals and the copies that they started, counted from the mbarrier's initialisation.
// Contributions of other blocks of the cluster are assumed to be complete by then.
#pragma once

#include "sim/machine/observed.h"

// A line number in a stream is followed by one bit per sector of the line.
enum { SECTORS_SHIFT = 4 };

struct mbarrier_record {
    uint32_t at, parity;
    uint32_t done, wanted; // wanted: contributions until the latest phase ended
};

// Returns the record of an mbarrier; a new one starts in the mbarrier's state.
struct mbarrier_record *mbarrier_record_at(struct block *b, uint32_t at);
// True if an mbarrier can be at this address.
bool is_barrier(const struct block *b, uint32_t at);

// Record a bulk copy: bytes that it moves in device memory; the mbarrier that counts it, and in
// which blocks of the cluster.
void observe_copy(struct warp *w, uint64_t address, uint32_t bytes);
void observe_counted(struct warp *w, uint32_t barrier, uint32_t blocks);
