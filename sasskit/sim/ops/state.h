// What instructions keep of a warp: requests seen before, and what is on its way.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct uop;

// Addresses of a shared-memory request seen before, and what followed from them.
struct request_memo {
    uint32_t number;     // another one each time it is filled
    uint32_t row[LANES]; // the address register
    uint32_t mask, width;
    uint32_t low, high; // of the lanes' addresses, without the immediate offset
    uint16_t wavefronts, least;
    bool askew; // not all lanes are a multiple of the width apart
    uint8_t distinct_count;
    uint8_t step;             // every so many of them begin four words in a row; 0: not so
    uint32_t distinct[LANES]; // different addresses among them, in order where step is not 0
};
enum { MEMOS = 32, GLOBAL_MEMOS = 64, HEAP_BYTES = 8 << 20 };

// The same of device memory; what also depends on where in a line the first lane's address is, for each of its words; 0: not known.
struct global_memo {
    uint64_t address[LANES];
    uint64_t low, high; // of the lanes of the mask
    uint32_t mask, width;
    bool aligned;
    uint8_t turns; // of a load
    uint8_t sectors[LANES], lines[LANES];
};

struct warp_requests {
    struct request_memo memo[MEMOS];
    struct global_memo global_memo[GLOBAL_MEMOS];
};

// An asynchronous copy on its way to shared memory.
struct copy {
    uint32_t address;
    uint8_t lane, bytes, data[16];
};

struct warp_copies {   // copies.c
    struct copy *copy; // asynchronous copies
    int count, capacity;
    int *group; // end of each committed group in copy
    int group_count, group_capacity;
    uint32_t guard; // the scoreboard that counts them
};

// A product of four warps on its way (warpgroup.c): its descriptors, and the group that WARPGROUP.DEPBAR waits for.
struct product {
    const struct uop *u;
    uint64_t a, b;
    uint32_t group;
    uint32_t number; // order_async_begin's
    bool no_c;
    bool done; // computed already, when another warp of the four waited for its group
};
enum { GROUPS_KEPT = 32 }; // more than wgmma.wait_group can leave

struct warp_products { // warpgroup.c
    struct product *product;
    int count, capacity;
    uint32_t groups;               // ended so far
    uint32_t last_of[GROUPS_KEPT]; // order_async_begin's of the last product of each recent group
    bool may_multiply;             // it has executed a WARPGROUP.ARRIVE
    uint32_t sum, last;            // which ones it has executed, as a sum; the last one's instruction
};

// A copy of the copy engine on its way to a block's shared memory (bulk.c), and the mbarrier there that counts its bytes.
struct bulk {
    uint8_t *data;
    uint32_t to, bytes, barrier;
    const struct warp *by; // that started it, by which instruction
    uint32_t index;
    const struct block *from; // whose shared memory it reads; NULL: none's
};

#define NOTHING_POLLED UINT32_MAX
struct warp_bulk {   // bulk.c, syncs.c
    uint32_t *group; // of each committed group of copies to global memory, order_async_begin's last number
    int group_count, group_capacity;
    uint32_t guard;  // the scoreboard that counts these groups
    uint32_t copy;   // the last such copy that it has not waited for, as index + 1; 0 none
    uint32_t number; // order_async_begin's of that
    uint32_t polled; // the mbarrier that it found unfinished last
};
