// Blocks that do different work, over the SMs.
#pragma once

#include "sim/observer.h"

struct deal {
    uint64_t blocks, sms, resident; // of the launch; blocks of an SM at once
    uint64_t most;                  // blocks that may be replayed
    struct sim_watch *watch;
};
struct dealt {
    uint64_t *order; // (run) blocks of the SM that ends last, in their order; NULL: all blocks do about the same
    uint64_t total, run;
    double more; // work of its blocks that are not among these, as a part of that of these
};

// Runs a sample of the blocks, or all if that is little, and deals them out as hardware does: a block to the SM that has room first.
bool deal_out(const struct deal *deal, struct dealt *dealt, struct sim_error *error);
