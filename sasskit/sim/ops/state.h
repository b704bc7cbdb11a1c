// State that a warp keeps for its instructions: patterns of earlier requests, and asynchronous
// operations in flight.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct uop;

// A memo: the addresses of an earlier request to shared memory, and what their pattern determines.
struct request_memo {
    uint32_t number;      // changes whenever the memo is filled
    uint32_t row[LANES];  // address per lane, without the immediate offset
    uint32_t mask, width; // active lanes; bytes per lane, plus 256 for a store
    uint32_t low, high; // least and greatest of these addresses, plus 2^31 (look_up() in shared.c)
    uint16_t wavefronts, least;
    bool askew; // true if distances between the lanes' addresses are not all multiples of the width
    uint8_t distinct_count;
    // entries of `distinct` per run of four words; 0 if the addresses form no runs
    uint8_t step;
    // the distinct addresses of the lanes, in ascending order if `step` is not 0
    uint32_t distinct[LANES];
};
enum { MEMOS = 32, GLOBAL_MEMOS = 64, HEAP_BYTES = 8 << 20 };

// The pattern of addresses of an earlier request to device memory. The numbers of sectors and lines
// also depend on the position of lane 0's word in its line. So `sectors` and `lines` have an entry
// per position, which is 0 if not known yet.
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
    int *group; // [group_count] per committed group: number of copies up to the group's end
    int group_count, group_capacity;
    uint32_t guard; // the scoreboard that counts the groups
    bool arrived;   // true if an mbarrier announces that some of the copies are complete
};

// A warpgroup MMA in flight (warpgroup.c).
struct mma {
    const struct uop *u;
    uint64_t a, b;   // descriptors of the operands
    uint32_t group;  // number of the group, for which a WARPGROUP.DEPBAR waits
    uint32_t number; // the number that order_async_begin() returned
    bool no_c;       // true if C is not added
    // true if another warp of the warpgroup waited for the group, so that the sums are computed
    bool done;
};
enum { GROUPS_KEPT = 32 }; // more than the groups that wgmma.wait_group can leave in flight

struct warp_mmas { // warpgroup.c
    struct mma *mma;
    int count, capacity;
    uint32_t groups; // number of groups that were closed so far
    // per recent group: the number that order_async_begin() gave its last MMA
    uint32_t last_of[GROUPS_KEPT];
    bool may_multiply;  // true if the warp has executed a WARPGROUP.ARRIVE
    uint32_t sum, last; // checksum of the MMAs executed; index of the latest one's instruction
};

// A bulk copy in flight to a block's shared memory, where an mbarrier counts its bytes (bulk.c).
struct bulk {
    uint8_t *data;
    uint32_t to, bytes, barrier;
    const struct warp *by; // the warp that started the copy, by its instruction `index`
    uint32_t index;
    // the block from whose shared memory it reads; NULL if it reads global memory or registers
    const struct block *from;
};

#define NOTHING_POLLED UINT32_MAX
struct warp_bulk { // bulk.c, syncs.c
    // per committed group of copies to global memory: the number that order_async_begin() gave its
    // last copy
    uint32_t *group;
    int group_count, group_capacity;
    uint32_t guard; // the scoreboard that counts these groups
    // 1 + index of the instruction of the last copy to global memory; 0 if the warp waited for it
    uint32_t copy;
    uint32_t number; // the number that order_async_begin() gave `copy`
    uint32_t polled; // mbarrier address of the last poll if that failed; otherwise NOTHING_POLLED
    uint32_t chosen; // mask of the lanes with the value that the latest R2UR took
    uint16_t chosen_in; // the row of that R2UR's result
};
