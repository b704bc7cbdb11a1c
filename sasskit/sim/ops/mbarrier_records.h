// Records what a block's warps do at its mbarriers, for an observer (sim/observer.h).
//
// A warp that waits for a phase waits for contributions: arrivals of its block's warps, and copies
// that those warps started. Contributions are counted from the mbarrier's initialisation on. Those
// of other blocks are assumed to be complete when the warp waits.
#pragma once

#include "sim/machine/observed.h"

// An observed access to device memory is recorded as one 64-bit number per 128-byte line: the index
// of the line, shifted left by SECTORS_SHIFT. The low four bits tell which sectors it touches.
enum { SECTORS_SHIFT = 4 };

struct mbarrier_record {
    uint32_t at;     // the mbarrier's address in shared memory
    uint32_t parity; // parity of the current phase
    uint32_t done;   // number of contributions since the initialisation
    uint32_t wanted; // number of contributions when the latest phase ended
};

// Returns the record of the mbarrier at this address; the first call for an address makes it.
struct mbarrier_record *mbarrier_record_at(struct block *b, uint32_t at);
// Returns true if the address is aligned for an mbarrier and within the block's shared memory.
bool is_barrier(const struct block *b, uint32_t at);

// Records the bytes of device memory that a bulk copy reads.
void observe_copy(struct warp *w, uint64_t address, uint32_t bytes);
// Records which mbarrier counts the copy. `blocks` is the mask of the blocks that receive it.
void observe_counted(struct warp *w, uint32_t barrier, uint32_t blocks);
