// What the checks keep of a warp and of a block.
#pragma once

#include "sim/machine/sizes.h"

#include <stdbool.h>

struct request_memo; // ops/state.h

// What a check knows beyond its sentence, for a finding's data and its cause (causes.c). A check fills it before it calls checks_report().
enum evidence_fact {
    FACT_LANES = 1 << 0,          // both are lanes of one warp
    FACT_COPY_UNDER_WAY = 1 << 1, // an asynchronous copy that nobody waited for
    FACT_ENGINE = 1 << 2,         // the copy engine wrote; its mbarrier was not waited for
    FACT_ASYNC_READ = 1 << 3,     // tensor cores or the copy engine still read
    FACT_CLUSTER = 1 << 4,        // blocks of a cluster
    FACT_NO_SCOREBOARD = 1 << 5,  // the earlier instruction has none
    FACT_NOT_WAITED = 1 << 6,     // it has one, which was not waited for
    FACT_SHORT_STALL = 1 << 7,    // too few cycles
    FACT_SOURCE = 1 << 8,         // the earlier instruction may not have read its source
    FACT_GROUP = 1 << 9,          // of a warp group's products
    FACT_MISALIGNED = 1 << 10,    // an address that is no multiple of the width
    FACT_OUTSIDE = 1 << 11,       // an address outside its memory
    FACT_POLLS = 1 << 12,         // warps poll
    FACT_LIMIT = 1 << 13,         // the limit of instructions
    FACT_DEADLOCK = 1 << 14,      // at a barrier
    FACT_REGISTER = 1 << 15,      // a register that nothing has written
    FACT_OTHER_BLOCK = 1 << 16,   // the other access is another block's
    FACT_ARRIVAL = 1 << 17,       // one lane's arrival publishes its warp's stores
    FACT_FREED = 1 << 18,         // memory that was freed
    FACT_MBARRIER = 1 << 19       // an mbarrier that nothing has initialised
};
struct evidence {
    uint32_t facts;
    uint32_t other;                    // instruction at the other place, 1 added; 0: not known
    uint32_t other_warp, other_lane;   // 1 added; 0: not known, or several
    uint64_t other_block;              // its number, 1 added; 0: the same
    const char *action, *other_action; // "reads", "writes"; NULL
    const char *space;                 // "shared", "global", "local"; NULL: no memory
    uint64_t at;
    uint32_t bytes;
    int64_t expected, actual;
    const char *unit;    // NULL: nothing was expected
    uint32_t scoreboard; // that guards, 1 added
    char detail[160];    // "R4 is 17 in lane 0"
};

// Ranges of shared memory that a warp's instructions have touched in an epoch, so that a race finds its other place.
enum { TOUCHES = 64 };
struct touched {
    uint32_t index, epoch; // instruction, 1 added; barriers passed
    uint32_t low, high;
    bool writes;
};

// Of a cell: what nothing has written, or was loaded from memory that nothing has written, or what a lane gave that is not there.
struct unwritten {
    uint32_t lanes, loader; // lanes that hold it; by which instruction
    uint64_t address;       // or the lane, or the cell, or when
    uint64_t ready;         // as of a cell, whose own is UNWRITTEN
    enum { FROM_SHARED, FROM_GLOBAL, FROM_LANE, FROM_REGISTER, FROM_COPY } from; // FROM_COPY: see shadow_read_copied
};

// hazards.c, kept.c
struct warp_hazards {
    struct unwritten unwritten[CELLS];
    uint32_t unset[CELLS]
                  [LANES]; // FROM_REGISTER: in these lanes, the bits that no instruction has set; of memory: addresses
    bool any_unwritten;    // a lane of one was set since the warp began
    struct kept *kept;     // (kept_count) of them in local memory (checks/kept.c)
    int kept_count, kept_capacity;
    uint32_t spread, spread_from; // lanes whose result comes of what was never written, the cell it came from
    uint32_t spread_bits[LANES];  // and which bits of the result, in these lanes; or addresses
    uint32_t odd;                 // lanes of a shuffle's source, the same register, that come of an absent lane
};

// Reads of shared memory since the last synchronisation of all lanes of the warp, so that a write can be held against other lanes' reads.
struct past_read {
    const struct request_memo *memo; // while its number is the same; then `row` has the addresses
    uint32_t number, shift, mask, phase;
    uint8_t width, unread;
    bool kept;
};
enum { PAST_READS = 64 };
struct past_reads {
    struct past_read read[PAST_READS]; // a ring
    uint32_t row[PAST_READS][LANES];
    uint32_t count;
};

// races.c
struct warp_races {
    bool met;        // a lane has asked shared memory by an atomic since the last fence
    uint32_t fenced; // phase up to which the copy engine and the tensor cores see what the warp has stored
    uint32_t epoch;  // barriers passed, in races.c's sense
    uint32_t phase;  // synchronisations of the warp's lanes, in races.c's sense
    uint32_t whole;  // the phase that began at the last one of all lanes
    bool parted;     // some lanes have met since, and then
    uint32_t met_in[LANES][LANES]; // lane l knows what lane m did before the phase met_in[l][m]
    uint32_t published, published_whole,
        published_phase; // the latest arrivals: their lanes, since when lanes have not met, when
    uint32_t published_epoch;
    bool met_since;                   // all lanes have met since then
    uint32_t epoch_phase;             // the phase that began at the last barrier
    uint32_t stored_low, stored_high; // shared addresses that it wrote since all met; low > high: none
    struct past_reads past;
};

// A word of device memory at which warps tell each other what they have done (checks/flags.c).
struct flag_word {
    uint64_t at;
    uint32_t knows[MAX_WARPS]; // up to which phase of each warp
};
enum { FLAG_WORDS = 128, TOLD_BY_FENCE = 32 };

struct warp_flags {
    uint32_t heard[MAX_WARPS];       // checks/flags.c: up to which phase of each warp it knows what that has done
    uint32_t fence_knows[MAX_WARPS]; // the same at its last fence
    uint32_t fence_told;             // words at which that has been told
};
