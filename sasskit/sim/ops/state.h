// State that a warp keeps for its instructions: known patterns of requests, and asynchronous
// operations in flight.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct uop;

// The pattern of addresses of an earlier request to shared memory, and what follows from it.
struct request_memo {
    uint32_t number;     // changes whenever the memo is filled
    uint32_t row[LANES]; // the address register of each lane
    uint32_t mask, width;
    uint32_t low, high; // range of the lanes' addresses, without the immediate offset
    uint16_t wavefronts, least;
    bool askew; // some distance between two lanes' addresses is not a multiple of the width
    uint8_t distinct_count;
    // if not 0: distinct[0], distinct[step], ... each begin a run of four consecutive words
    uint8_t step;
    // the distinct addresses of the lanes, which are sorted if `step` is not 0
    uint32_t distinct[LANES];
};
enum { MEMOS = 32, GLOBAL_MEMOS = 64, HEAP_BYTES = 8 << 20 };

// The pattern of addresses of an earlier request to device memory. The numbers of sectors and lines
// also depend on where in a line lane 0's word lies, so `sectors` and `lines` have an entry per
// word of a line; it is 0 if not known yet.
struct global_memo {
    uint64_t address[LANES];
    uint64_t low, high; // range of the addresses of the lanes in `mask`
    uint32_t mask, width;
    bool aligned;
    uint8_t bank_cycles; // cycles that a load takes in L1's banks; 0 if not known yet
    uint8_t sectors[LANES], lines[LANES];
};

struct warp_requests {
    struct request_memo memo[MEMOS];
    struct global_memo global_memo[GLOBAL_MEMOS];
};

// An asynchronous copy to shared memory in flight.
struct copy {
    uint32_t address;
    uint8_t lane, bytes, data[16];
};

struct warp_copies {   // copies.c
    struct copy *copy; // the asynchronous copies in flight
    int count, capacity;
    int *group; // [group_count] per committed group: number of copies up to its end
    int group_count, group_capacity;
    uint32_t guard; // the scoreboard that counts the groups
    bool arrived;   // an mbarrier announces the end of some of the copies
};

// A warpgroup MMA in flight (warpgroup.c).
struct mma {
    const struct uop *u;
    uint64_t a, b;   // descriptors of the operands
    uint32_t group;  // number of its group, for which a WARPGROUP.DEPBAR waits
    uint32_t number; // the number that order_async_begin() returned
    bool no_c;       // C is not added
    // the sums were computed already, because another warp of the warpgroup waited for the group
    bool done;
};
enum { GROUPS_KEPT = 32 }; // more groups than wgmma.wait_group can leave in flight

struct warp_mmas { // warpgroup.c
    struct mma *mma;
    int count, capacity;
    uint32_t groups; // number of groups closed so far
    // per recent group: the number that order_async_begin() gave its last MMA
    uint32_t last_of[GROUPS_KEPT];
    bool may_multiply;  // the warp has executed a WARPGROUP.ARRIVE
    uint32_t sum, last; // checksum of the MMAs executed, and index of the last of them
};

// A bulk copy to a block's shared memory in flight (bulk.c), and the mbarrier there that counts its
// bytes.
struct bulk {
    uint8_t *data;
    uint32_t to, bytes, barrier;
    const struct warp *by; // the warp that started it, by instruction `index`
    uint32_t index;
    // the block whose shared memory it reads; NULL if it reads global memory
    const struct block *from;
};

#define NOTHING_POLLED UINT32_MAX
struct warp_bulk { // bulk.c, syncs.c
    // per committed group of copies to global memory: the number that order_async_begin() gave its
    // last copy
    uint32_t *group;
    int group_count, group_capacity;
    uint32_t guard; // the scoreboard that counts these groups
    // index + 1 of the instruction of the last copy to global memory; 0 if it was waited for
    uint32_t copy;
    uint32_t number; // the number that order_async_begin() gave that copy
    uint32_t polled; // mbarrier address of the last poll if that failed; otherwise NOTHING_POLLED
    uint32_t chosen; // the lanes whose value the latest R2UR has taken
    uint16_t chosen_in; // the row of that R2UR's result
};
