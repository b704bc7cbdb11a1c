// The steps of `sass reuse` on a flow with webs: which webs exclude each other, new registers for them, order, flags.
#pragma once

#include "lint/flow.h"

enum { HOT_FUSED = 16 }; // FFMAs or DFMAs that make a block of a loop hot

static inline bool flow_is_hot(const struct flow_block *block) {
    return block->in_loop && block->fused >= HOT_FUSED;
}

// Which webs may not share a register, and which registers a web may not have.
struct graph {
    struct arena memory;    // of all that it points to
    int count, words;       // webs; 64-bit words of a row
    uint64_t *rows;         // count rows
    struct bits *forbidden; // by web
};

static inline bool graph_has(const struct graph *graph, int a, int b) {
    return graph->rows[(size_t)a * (size_t)graph->words + (size_t)(b >> 6)] >> (b & 63) & 1;
}

// margin: fragments of hot blocks keep their register for so many instructions after their last use, which gives the FFMAs
// room to move.
void graph_build(struct graph *graph, const struct flow *flow, int margin);
// Fills in_flight of the blocks.
void flow_flight(struct flow *flow);
void graph_close(struct graph *graph);

// What to try: instructions that fragments keep their register after the last use; accumulators in one register through
// the loop; the other side of the outer product read fresh.
struct choice_rule {
    int margin;
    bool join, other_side;
};

// New registers, by web, none above limit - 1. False when none were found.
bool choose_registers(const struct flow *flow, int limit, const struct choice_rule *rule, uint8_t *colour);

// Brings lone integer instructions of a block together. origin: of each instruction, its place before.
void gather_block(struct sass_instruction *code, int *origin, int first, int end);
// Puts the FFMAs of a block in an order in which neighbours share operands. Where it finds none, the block stays as it is.
// in_flight: registers whose value may still be on its way at the block's start; pairs: a slot keeps two registers, not one. False: out
// of memory.
void order_block(struct sass_instruction *code, int first, int end, const struct bits *in_flight, bool pairs);
// Stall counts that keep every result's distance to its reader, in a block and to its end. old_clock: when each
// instruction was issued before, in cycles; origin: each instruction's place then (FFMAs: any).
void reuse_stalls(struct sass_instruction *code, const int64_t *old_clock, const int *origin, int first, int end);
// Reuse flags: where the next instruction reads the same register in the same slot, nowhere else.
void set_flags(struct sass_instruction *code, int first, int end);
// Takes a flag away whose register is written before the next instruction reads it.
void drop_stale_flags(struct sass_instruction *code, int first, int end);

// Is the new code the same data flow as the old one, with the registers of `colour`? False: the error says where not.
bool same_flow(const struct flow *flow, const struct sass_instruction *fresh, const uint8_t *colour,
               struct sass_error *error);
