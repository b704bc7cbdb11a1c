// State shared by the two passes that fill in control fields: schedule.c sets scoreboards and
// waits, stalls.c sets stall counts.
#pragma once

#include "assembled.h"
#include "isa/latency.h"

enum { FILES = 4, REGISTERS = 256, SCOREBOARDS = 6 };

// The operations that may be in flight at a point of the code. All members but `bare` are masks of
// scoreboards. A pending reader is an instruction that may not yet have read the register.
struct flight {
    uint8_t result[FILES][REGISTERS]; // scoreboards of results in flight to the register
    uint8_t read[FILES][REGISTERS];   // read scoreboards of pending readers
    // write scoreboards of pending readers without a read scoreboard; results follow the reads
    uint8_t weak[FILES][REGISTERS];
    bool bare[FILES][REGISTERS]; // true if an automatic pending reader has no scoreboard
    uint8_t shared;              // write scoreboards of loads and atomics in shared memory
    uint8_t automatic;           // scoreboards that automatic lines have set
};

struct scheduler {
    struct arena memory;
    struct assembled *kernel;
    struct flight *entry; // per block: the operations in flight at its start
    int *block;           // per instruction: the block that it starts; -1 if it starts none
    int block_count;
    bool *visited, *queued; // per block
    size_t *start;          // per block: its first instruction
    bool *needs_read;       // per instruction: true if it requires a read scoreboard
    uint8_t pool;           // mask of the scoreboards for automatic lines
    uint8_t async;          // the scoreboard that counts groups of asynchronous copies
    bool mixed;             // true if some lines have explicit control columns
    // index of an explicit line that lacks a wait for an automatic line's operation, or -1
    int64_t unmet;
    unsigned unmet_mask; // the scoreboards that line `unmet` must wait for and does not
    int next;            // where the round-robin search for a scoreboard of `pool` begins
};

// Returns the index of the register file in struct flight: 0 for R, 1 for UR, 2 for P, 3 for UP.
static inline int schedule_file(const struct sass_touch *touch) {
    return touch->uniform + 2 * touch->predicate;
}

void set_stalls(struct scheduler *s); // stalls.c: stall counts of automatic lines
