// Assigns blocks that differ in work to SMs.
#pragma once

#include "sim/observer.h"

struct deal {
    uint64_t blocks, sms; // number of the launch's blocks, and of the chip's SMs
    uint32_t grid[3];     // blocks per dimension
    uint64_t resident;    // number of blocks that one SM holds at once
    uint64_t all;         // an SM with at most this number of blocks is replayed whole
    uint64_t most;        // number of blocks to replay if the SM has more
    // distance between the starts of two successive blocks on one SM, in warp instructions; 0 if
    // the blocks of an SM end together
    double apart;
    struct sim_watch *watch;
};
struct dealt {
    // blocks in the order of their start: all of the SM that ends last, or `run` typical ones if it
    // has more than deal.all; NULL if blocks do not differ
    uint64_t *order;
    uint64_t total, run; // numbers of blocks: all of that SM, and those in `order`
    double rest_work;    // work of the SM's other blocks, divided by that of the listed ones
};

// Executes a sample of the blocks, or all if that is cheap. Then assigns blocks to SMs as hardware
// does: the next block goes to the first SM with room. Returns false and sets *error on failure.
bool deal_out(const struct deal *deal, struct dealt *dealt, struct error *error);
