// Assigns blocks that do different amounts of work to SMs.
#pragma once

#include "sim/observer.h"

struct deal {
    uint64_t blocks, sms; // of the launch, of the chip
    uint32_t grid[3];     // blocks per dimension
    uint64_t resident;    // blocks that one SM holds at once
    uint64_t most;        // largest number of blocks to replay
    struct sim_watch *watch;
};
struct dealt {
    // (run) blocks of the SM that ends last, in start order; NULL if all blocks are alike.
    uint64_t *order;
    uint64_t total, run;
    double more; // work of the SM's other blocks, divided by the work of those listed
};

// Runs a sample of the blocks, or all if they are cheap, and assigns blocks as hardware does: the
// next block goes to the SM that has room first.
bool deal_out(const struct deal *deal, struct dealt *dealt, struct error *error);
