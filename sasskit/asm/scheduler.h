// Inside the assembler: what the two halves of automatic control share, scoreboards (schedule.c) and stall counts (stalls.c).
#pragma once

#include "assembled.h"
#include "isa/latency.h"

enum { FILES = 4, REGISTERS = 256, SCOREBOARDS = 6 };

// What may be in flight at a point of the code, as sets of scoreboards.
struct flight {
    uint8_t result[FILES][REGISTERS]; // a result is on its way to this register
    uint8_t read[FILES][REGISTERS];   // somebody has not read it yet; released when it has
    uint8_t weak[FILES][REGISTERS];   // as read, but released only when the reader's own result is there
    bool bare[FILES][REGISTERS];      // an automatic line may not have read it, and no scoreboard says
    uint8_t shared;                   // loads from shared memory
    uint8_t automatic;                // set by automatic lines
};

struct scheduler {
    struct arena memory;
    struct assembled *kernel;
    struct flight *entry; // at each instruction that starts a block, by block
    int *block;           // of each instruction that starts one; -1 otherwise
    int block_count;
    bool *visited, *queued; // by block
    size_t *start;          // first instruction of a block
    bool *needs_read;       // by instruction: wants a read scoreboard
    uint8_t pool;           // scoreboards for automatic lines
    uint8_t async;          // the scoreboard of LDGDEPBAR
    bool mixed;             // some lines have a column of their own
    int64_t unmet;          // an explicit line that does not wait for what an automatic line has in flight; -1 none
    unsigned unmet_mask;
    int next; // round robin
};

// 0 R, 1 UR, 2 P, 3 UP
static inline int schedule_file(const struct sass_touch *touch) {
    return touch->uniform + 2 * touch->predicate;
}

void set_stalls(struct scheduler *s); // stalls.c: stall counts of automatic lines
