// The checks' state of one warp.
//
// A phase ends at each fence and at each synchronisation of lanes of the warp. An epoch ends at
// each barrier of the block. A cell is a register or a predicate, in all lanes (sizes.h).
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct request_memo; // ops/state.h

// Facts that a check has established. causes.c finds the cause of a finding by them.
enum evidence_fact {
    FACT_LANES = 1 << 0, // lanes of one warp race, or only some of them wait at a barrier
    // the other access is an asynchronous copy that no warp has waited for
    FACT_COPY_UNDER_WAY = 1 << 1,
    FACT_ENGINE = 1 << 2,        // the copy engine wrote, and its mbarrier was not waited for
    FACT_ASYNC_READ = 1 << 3,    // tensor cores or the copy engine are still reading
    FACT_CLUSTER = 1 << 4,       // the memory, or the other access, is another cluster block's
    FACT_NO_SCOREBOARD = 1 << 5, // the earlier instruction has no scoreboard
    FACT_NOT_WAITED = 1 << 6,    // the earlier instruction's scoreboard was not waited for
    FACT_SHORT_STALL = 1 << 7,   // the earlier instruction's stall count is too small
    FACT_SOURCE = 1 << 8,       // the earlier instruction may not have read its source register yet
    FACT_GROUP = 1 << 9,        // the earlier instruction is a wgmma
    FACT_MISALIGNED = 1 << 10,  // the address is not a multiple of the width
    FACT_OUTSIDE = 1 << 11,     // the access is outside its buffer or memory space
    FACT_POLLS = 1 << 12,       // the warps of a deadlock poll memory
    FACT_LIMIT = 1 << 13,       // the instruction limit was reached
    FACT_DEADLOCK = 1 << 14,    // a deadlock at a barrier
    FACT_REGISTER = 1 << 15,    // the register was never written
    FACT_OTHER_BLOCK = 1 << 16, // the other access is by another block
    FACT_ARRIVAL = 1 << 17,     // the lane that stored is not the one that then arrived
    FACT_FREED = 1 << 18,       // the memory was freed
    FACT_MBARRIER = 1 << 19,    // nothing has initialised the mbarrier
    FACT_NULL_FUNCTION = 1 << 20, // the kernel calls the address 0
    FACT_OVERLAP = 1 << 21,       // both accesses store, and they store different values
    FACT_AGAIN = 1 << 22, // the memory was filled again before the warp had read its old contents
    FACT_DESCRIPTOR = 1 << 23,     // the address comes from the descriptor of a wgmma
    FACT_OTHER_MBARRIER = 1 << 24, // a copy's mbarrier is in another block than its data
    FACT_EARLY = 1 << 25           // the memory was read before it was first written
};
// What a check has established for its next report. Must be filled before checks_report().
struct evidence {
    uint32_t facts;
    // --- the other access
    uint32_t other;                  // index + 1 of its instruction; 0 if unknown
    uint32_t other_warp, other_lane; // indices + 1; 0 if unknown, or if there are several
    uint64_t other_block;            // linear index + 1 of its block; 0 if it is the same block
    // what this access and the other one do, e.g. "reads"; NULL if there is no such access
    const char *action, *other_action;
    // --- the memory accessed
    const char *space; // "shared", "global" or "local"; NULL if no memory is concerned
    uint64_t at;
    uint32_t bytes;
    int64_t overshoot;  // bytes past the nearest allocation; negative before it; 0 if inside
    uint64_t allocated; // size of that allocation, in bytes
    // --- quantities
    int64_t expected, actual;
    const char *unit; // unit of `expected` and `actual`; NULL if nothing was expected
    // --- further facts
    bool start_unordered; // nothing ensures that the other block of the cluster has started
    bool block_scope;     // one of the two accesses is an atomic whose scope is its own block
    // in code of a toolkit's header: index + 1 of the instruction that called it; otherwise 0
    uint32_t call;
    bool outside_mask; // true if a lane passes a mask, e.g. to __shfl_sync(), without its own bit
    // number, from 1, of the scoreboard that guards the earlier result or read; 0 if none does
    uint32_t scoreboard;
    char detail[160]; // why a loop does not end, e.g. "R4 is 17 in lane 0"; "" if unknown
};

// The range of shared memory that an instruction has touched in one epoch, for race reports.
enum { TOUCHES = 256 };
struct touched {
    uint32_t index;     // index + 1 of the instruction
    uint32_t epoch;     // warp_races.epoch
    uint32_t low, high; // the first address, and the address after the last byte
    bool writes;
};

// Why a cell is undefined: never written, loaded from unwritten memory, or shuffled from an
// inactive lane. FROM_COPY: the cell is defined, but its load from shared memory is not checked
// yet: unoptimised code copies whole structures to the stack, and only words that are used count.
struct unwritten {
    uint32_t lanes;  // the lanes in which the cell is undefined
    uint32_t loader; // index of the instruction that loaded the value
    // memory address of one lane (`unset` has those of the others); the lane that was read if
    // FROM_LANE, the cell if FROM_REGISTER, order_time() at the load if FROM_COPY
    uint64_t address;
    uint32_t phase, epoch; // at the load, if FROM_COPY
    // the cycle from which the cell can be read; its cell.ready has the mark UNWRITTEN instead
    uint64_t ready;
    enum { FROM_SHARED, FROM_GLOBAL, FROM_LANE, FROM_REGISTER, FROM_LOCAL, FROM_COPY } from;
};

// --- hazards.c, kept.c ---------------------------------------------------------------------------
struct warp_hazards {
    struct unwritten unwritten[CELLS];
    // Per cell and lane: the undefined bits (FROM_REGISTER, FROM_LOCAL), or the low word of the
    // lane's address (FROM_SHARED, FROM_GLOBAL, FROM_COPY).
    uint32_t unset[CELLS][LANES];
    bool any_unwritten; // true if any cell has been undefined in some lane since the warp began
    struct kept *kept;  // [kept_count] undefined words in the threads' stacks
    int kept_count, kept_capacity;
    uint32_t spread;             // lanes whose result is computed from undefined values
    uint32_t spread_from;        // the cell that those values came from
    bool spread_to_low;          // some of those values are single registers or low words of pairs
    uint32_t spread_bits[LANES]; // like `unset`, for the result
    uint32_t undefined_source;   // the lanes in which a shuffle's source register is undefined
};

// A recent read of shared memory by this warp. Later writes by other lanes are compared with it.
struct past_read {
    // the request_memo with the read's addresses; valid while the memo's number equals `number`
    const struct request_memo *memo;
    uint32_t number, shift; // `shift` is added to each of the memo's addresses
    uint32_t mask, phase;   // the lanes that read, and when
    uint8_t width, unread;  // bytes per lane; mask of the words that nothing uses
    bool kept; // the addresses are in past_reads.address, as the memo was refilled or never existed
    bool copy; // true if the read was checked later, at the word's first use (FROM_COPY)
};
enum { PAST_READS = 64 };
struct past_reads {
    struct past_read read[PAST_READS]; // a ring: entry `count` modulo PAST_READS is the next one
    uint32_t address[PAST_READS][LANES];
    uint32_t count;
};

// --- races.c -------------------------------------------------------------------------------------
struct warp_races {
    // --- fences and block barriers
    bool atomic_since_fence; // shared memory was polled or updated atomically since the last fence
    // stores of earlier phases than this one are visible to the async proxy (fence.proxy.async)
    uint32_t fenced;
    uint32_t epoch;       // counts the block's barriers, as explained in races.c
    uint32_t epoch_phase; // the phase that began at the latest block barrier
    // --- synchronisation of lanes
    uint32_t phase; // number of fences and of synchronisations of lanes so far
    uint32_t whole; // the phase that began when all lanes last synchronised
    // true if only some lanes have synchronised since `whole` began; ordered_before is then set
    bool partial;
    // All that lane m did before phase ordered_before[l][m] is ordered before lane l's next access.
    uint32_t ordered_before[LANES][LANES];
    // --- the latest arrivals at mbarriers or flags
    uint32_t published; // the lanes that arrived
    // `whole`, `phase` and `epoch` at the time of the arrivals
    uint32_t published_whole, published_phase, published_epoch;
    bool whole_since; // all lanes have synchronised since the arrivals, not just by an mbarrier
    // --- accesses since all lanes synchronised
    // range of the shared addresses stored to; empty if low > high
    uint32_t stored_low, stored_high;
    struct past_reads past;
};

// --- flags.c -------------------------------------------------------------------------------------
// A word of device memory that warps use as a flag.
struct flag_word {
    uint64_t at;
    // All that warp i did before phase released[i] is ordered before the flag was set.
    uint32_t released[MAX_WARPS];
};
enum { FLAG_WORDS = 128, FLAGS_PER_FENCE = 32 };

struct warp_flags {
    // All that warp i did before phase acquired[i] is ordered before this warp's next access.
    uint32_t acquired[MAX_WARPS];
    uint64_t polled;                    // address of the latest strong load or atomic; 0: none
    uint32_t fence_acquired[MAX_WARPS]; // copy of `acquired` at the latest fence
    uint32_t fence_flags;               // number of flags stored since that fence
};
