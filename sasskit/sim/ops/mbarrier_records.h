// Records what a block's warps do at its mbarriers, for an observer (sim/observer.h).
//
// A warp that waits for a phase waits for contributions: arrivals of its block's warps, and copies
// that these have started. They are counted from the mbarrier's initialisation on. Contributions of
// other blocks of the cluster are assumed to be complete when the warp waits.
#pragma once

#include "sim/machine/observed.h"

// An observed access to device memory is recorded as a number: the index of the 128-byte line,
// shifted left by SECTORS_SHIFT, plus one bit for each sector of the line that is touched.
enum { SECTORS_SHIFT = 4 };

struct mbarrier_record {
    uint32_t at;     // the mbarrier's address in shared memory
    uint32_t parity; // parity of the current phase
    uint32_t done;   // number of contributions so far
    uint32_t wanted; // number of contributions when the latest phase ended
};

// Returns the record of an mbarrier. The first call for an mbarrier makes its record.
struct mbarrier_record *mbarrier_record_at(struct block *b, uint32_t at);
// Returns true if an mbarrier can be at this address.
bool is_barrier(const struct block *b, uint32_t at);

// Records the bytes of device memory that a bulk copy moves.
void observe_copy(struct warp *w, uint64_t address, uint32_t bytes);
// Records which mbarrier counts the copy. `blocks` has a bit for each block of the cluster.
void observe_counted(struct warp *w, uint32_t barrier, uint32_t blocks);
