// The checks' state of one warp and of one block.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct request_memo; // ops/state.h

// What a check knows beyond its message, for the finding's data and its cause (causes.c).
// Invariant: a check fills it before it calls checks_report().
enum evidence_fact {
    FACT_LANES = 1 << 0,           // both accesses are by lanes of one warp
    FACT_COPY_UNDER_WAY = 1 << 1,  // an asynchronous copy that no warp waited for
    FACT_ENGINE = 1 << 2,          // the copy engine wrote, and its mbarrier was not waited for
    FACT_ASYNC_READ = 1 << 3,      // tensor cores or the copy engine are still reading
    FACT_CLUSTER = 1 << 4,         // blocks of a cluster
    FACT_NO_SCOREBOARD = 1 << 5,   // the earlier instruction has no scoreboard
    FACT_NOT_WAITED = 1 << 6,      // the earlier instruction's scoreboard was not waited for
    FACT_SHORT_STALL = 1 << 7,     // too few cycles
    FACT_SOURCE = 1 << 8,          // the earlier instruction may not have read its source
    FACT_GROUP = 1 << 9,           // the earlier instruction is a wgmma
    FACT_MISALIGNED = 1 << 10,     // the address is not a multiple of the width
    FACT_OUTSIDE = 1 << 11,        // the address is outside its memory
    FACT_POLLS = 1 << 12,          // warps poll
    FACT_LIMIT = 1 << 13,          // the instruction limit was reached
    FACT_DEADLOCK = 1 << 14,       // a deadlock at a barrier
    FACT_REGISTER = 1 << 15,       // a register that nothing has written
    FACT_OTHER_BLOCK = 1 << 16,    // the other access is by another block
    FACT_ARRIVAL = 1 << 17,        // one lane's arrival would have to release its warp's stores
    FACT_FREED = 1 << 18,          // memory that was freed
    FACT_MBARRIER = 1 << 19,       // an mbarrier that nothing has initialised
    FACT_NULL_FUNCTION = 1 << 20,  // a call of the address 0
    FACT_OVERLAP = 1 << 21,        // both accesses store, and different values
    FACT_AGAIN = 1 << 22,          // memory was filled again before it was read
    FACT_DESCRIPTOR = 1 << 23,     // a descriptor of a wgmma leads there
    FACT_OTHER_MBARRIER = 1 << 24, // the mbarrier and the data of a copy lie in two blocks
    FACT_EARLY = 1 << 25           // memory was read before its first write
};
struct evidence {
    uint32_t facts;
    // the other access
    uint32_t other;                    // its instruction's index + 1; 0 if unknown
    uint32_t other_warp, other_lane;   // index + 1; 0 if unknown, or several
    uint64_t other_block;              // linear block index + 1; 0 if this block itself
    const char *action, *other_action; // "reads", "writes"; NULL if there is none
    // memory
    const char *space; // "shared", "global", "local"; NULL if there is none
    uint64_t at;
    uint32_t bytes;
    int64_t past;       // outside device memory: memory_overshoot()
    uint64_t allocated; // bytes of the nearest allocation
    // quantities
    int64_t expected, actual;
    const char *unit; // NULL if nothing was expected
    bool started;     // it is not known that the other block of the cluster has started
    bool of_block;    // one of the two is an atomic of its block's scope
    bool not_named;   // a lane is not in the mask that it gives
    // number, from 1, of the scoreboard that guards the result; 0 if there is none
    uint32_t scoreboard;
    char detail[160]; // "R4 is 17 in lane 0"
};

// A range of shared memory that an instruction has touched in one epoch; a race can name it.
enum { TOUCHES = 64 };
struct touched {
    uint32_t index; // of the instruction, + 1
    uint32_t epoch; // barriers that the warp had passed
    uint32_t low, high;
    bool writes;
};

// Why a cell is undefined: never written, loaded from unwritten memory, or shuffled from an
// inactive lane.
struct unwritten {
    uint32_t lanes;   // in which the cell is undefined
    uint32_t loader;  // instruction that loaded the value
    uint64_t address; // of the memory; for other values of `from`: the lane, the cell, or the time
    uint64_t ready;   // the cell's own value of `ready`, which is UNWRITTEN meanwhile
    // FROM_COPY: shadow_read_copied()
    enum { FROM_SHARED, FROM_GLOBAL, FROM_LANE, FROM_REGISTER, FROM_LOCAL, FROM_COPY } from;
};

// --- hazards.c, kept.c ---------------------------------------------------------------------------
struct warp_hazards {
    struct unwritten unwritten[CELLS];
    // Per cell and lane: undefined bits if FROM_REGISTER or FROM_LOCAL; otherwise the low word of
    // the address.
    uint32_t unset[CELLS][LANES];
    bool any_unwritten; // a cell has been undefined in some lane since the warp began
    struct kept *kept;  // [kept_count] undefined words in local memory
    int kept_count, kept_capacity;
    uint32_t spread;             // lanes whose result is computed from undefined values
    uint32_t spread_from;        // the cell that these came from
    bool spread_low;             // not only from upper words of pairs
    uint32_t spread_bits[LANES]; // undefined bits of the result, or addresses, like `unset`
    uint32_t odd;                // lanes in which a shuffle's source register is undefined
};

// A read since the warp last synchronised; writes by other lanes are compared with it.
struct past_read {
    // Valid while its number is `number`; its `row` has the addresses.
    const struct request_memo *memo;
    uint32_t number, shift, mask, phase;
    uint8_t width, unread;
    bool kept; // past_reads.row has the addresses instead
};
enum { PAST_READS = 64 };
struct past_reads {
    struct past_read read[PAST_READS]; // ring
    uint32_t row[PAST_READS][LANES];
    uint32_t count;
};

// --- races.c -------------------------------------------------------------------------------------
struct warp_races {
    // the block
    bool met;             // a lane has executed an atomic on shared memory since the last fence
    uint32_t fenced;      // fence.proxy.async: stores before this phase are visible to that proxy
    uint32_t epoch;       // block barriers passed, as races.c counts them
    uint32_t epoch_phase; // phase that began at the latest barrier
    // synchronisation of lanes
    uint32_t phase; // synchronisations of lanes so far
    uint32_t whole; // phase that began when all lanes last synchronised
    bool parted;    // some lanes have synchronised since; only then met_in is valid
    // Lane l is ordered after what lane m did before phase met_in[l][m].
    uint32_t met_in[LANES][LANES];
    // the latest arrivals at mbarriers or flags
    uint32_t published; // lanes that arrived
    // `whole`, `phase`, `epoch` at that time
    uint32_t published_whole, published_phase, published_epoch;
    bool met_since; // all lanes have synchronised since
    // accesses since all lanes synchronised
    uint32_t stored_low, stored_high; // shared addresses stored to; low > high: none
    struct past_reads past;
};

// --- flags.c -------------------------------------------------------------------------------------
// A word of device memory that warps use as a flag.
struct flag_word {
    uint64_t at;
    uint32_t knows[MAX_WARPS]; // per warp: phase before which the flag orders its accesses
};
enum { FLAG_WORDS = 128, TOLD_BY_FENCE = 32 };

struct warp_flags {
    // Per warp: phase before which its accesses are ordered before this warp.
    uint32_t heard[MAX_WARPS];
    uint64_t asked;                  // address of the latest poll; 0 if there is none
    uint32_t fence_knows[MAX_WARPS]; // `heard` at the latest fence
    uint32_t fence_told;             // flags stored since that fence
};
