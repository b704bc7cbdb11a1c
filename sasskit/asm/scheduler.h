// Shared by the two halves of automatic control: scoreboards (schedule.c) and stall counts
// (stalls.c).
#pragma once

#include "assembled.h"
#include "isa/latency.h"

enum { FILES = 4, REGISTERS = 256, SCOREBOARDS = 6 };

// What may be in flight at a point of the code, as sets of scoreboards.
struct flight {
    uint8_t result[FILES][REGISTERS]; // results in flight to this register
    uint8_t read[FILES][REGISTERS];   // pending readers, released when they have read
    // pending readers, released only when their own results have arrived
    uint8_t weak[FILES][REGISTERS];
    bool bare[FILES][REGISTERS]; // pending automatic readers without a scoreboard
    uint8_t shared;              // loads from shared memory
    uint8_t automatic;           // set by automatic lines
};

struct scheduler {
    struct arena memory;
    struct assembled *kernel;
    struct flight *entry; // per block: state at its first instruction
    int *block;           // per instruction: its block if it starts one, otherwise -1
    int block_count;
    bool *visited, *queued; // per block
    size_t *start;          // per block: its first instruction
    bool *needs_read;       // per instruction: requires a read scoreboard
    uint8_t pool;           // mask of scoreboards for automatic lines
    uint8_t async;          // the scoreboard of LDGDEPBAR
    bool mixed;             // some lines have an explicit column
    // an explicit line that does not wait for what an automatic line has in flight; -1 if there is
    // none
    int64_t unmet;
    unsigned unmet_mask;
    int next; // next of the pool, round robin
};

// Returns 0 for R, 1 for UR, 2 for P, 3 for UP.
static inline int schedule_file(const struct sass_touch *touch) {
    return touch->uniform + 2 * touch->predicate;
}

void set_stalls(struct scheduler *s); // stalls.c: stall counts of automatic lines
