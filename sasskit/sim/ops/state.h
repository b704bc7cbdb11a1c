// Per-warp state of instructions: recognised requests and asynchronous operations in flight.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct uop;

// Address pattern of an earlier shared-memory request, and the results derived from it.
struct request_memo {
    uint32_t number;     // changes each time the memo is filled
    uint32_t row[LANES]; // values of the address register
    uint32_t mask, width;
    uint32_t low, high; // range of the lanes' addresses, without the immediate offset
    uint16_t wavefronts, least;
    bool askew; // some lanes' distance is not a multiple of the width
    uint8_t distinct_count;
    // not 0: distinct[0], distinct[step], ... each begin four consecutive words
    uint8_t step;
    uint32_t distinct[LANES]; // the lanes' distinct addresses; sorted if step is not 0
};
enum { MEMOS = 32, GLOBAL_MEMOS = 64, HEAP_BYTES = 8 << 20 };

// Address pattern of an earlier request to device memory. Sectors and lines also depend on the
// position of the first lane's address within its line: one entry per word of the line; 0: not
// known.
struct global_memo {
    uint64_t address[LANES];
    uint64_t low, high; // range of the addresses of the lanes in `mask`
    uint32_t mask, width;
    bool aligned;
    uint8_t bank_cycles; // cycles that a load takes in L1's banks
    uint8_t sectors[LANES], lines[LANES];
};

struct warp_requests {
    struct request_memo memo[MEMOS];
    struct global_memo global_memo[GLOBAL_MEMOS];
};

// An asynchronous copy in flight to shared memory.
struct copy {
    uint32_t address;
    uint8_t lane, bytes, data[16];
};

struct warp_copies {   // copies.c
    struct copy *copy; // asynchronous copies in flight
    int count, capacity;
    int *group; // [group_count] per committed group: index behind its last copy
    int group_count, group_capacity;
    uint32_t guard; // scoreboard that counts the groups
    bool arrived;   // the end of some was left to an mbarrier
};

// A warpgroup MMA in flight (warpgroup.c): its descriptors, and the group that WARPGROUP.DEPBAR
// waits for.
struct mma {
    const struct uop *u;
    uint64_t a, b;
    uint32_t group;
    uint32_t number; // returned by order_async_begin()
    bool no_c;
    bool done; // already computed, because another warp of the warpgroup waited for its group
};
enum { GROUPS_KEPT = 32 }; // more groups than wgmma.wait_group can leave in flight

struct warp_products { // warpgroup.c
    struct mma *mma;
    int count, capacity;
    uint32_t groups; // groups closed so far
    // per recent group: the number that order_async_begin() gave its last MMA
    uint32_t last_of[GROUPS_KEPT];
    bool may_multiply;  // has executed a WARPGROUP.ARRIVE
    uint32_t sum, last; // checksum of the executed MMAs; instruction of the last one
};

// A bulk copy in flight to a block's shared memory (bulk.c), and the mbarrier there that counts its
// bytes.
struct bulk {
    uint8_t *data;
    uint32_t to, bytes, barrier;
    const struct warp *by; // warp that started it; `index` is the instruction
    uint32_t index;
    const struct block *from; // block whose shared memory it reads; NULL if there is none
};

#define NOTHING_POLLED UINT32_MAX
struct warp_bulk { // bulk.c, syncs.c
    // per committed group of copies to global memory: the number that order_async_begin() gave its
    // last copy
    uint32_t *group;
    int group_count, group_capacity;
    uint32_t guard; // scoreboard that counts these groups
    // instruction index + 1 of the last such copy not yet waited for; 0 if there is none
    uint32_t copy;
    uint32_t number;    // that copy's number from order_async_begin()
    uint32_t polled;    // mbarrier whose phase the last poll found unfinished
    uint32_t chosen;    // lanes whose value the latest R2UR has taken
    uint16_t chosen_in; // row of its result
};
