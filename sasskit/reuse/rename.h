// Steps of `sass reuse`: interference graph, new registers, instruction order, reuse flags. All
// require that flow_webs() has computed the webs.
#pragma once

#include "lint/flow.h"

enum { HOT_FUSED = 16 }; // a block of a loop with this many FFMAs or DFMAs is hot

static inline bool flow_is_hot(const struct flow_block *block) {
    return block->in_loop && block->fused >= HOT_FUSED;
}

// Interference graph: two webs with an edge may not share a register.
struct graph {
    struct arena memory;    // owns all arrays
    int count, words;       // number of webs; 64-bit words per row
    uint64_t *rows;         // adjacency matrix: `count` rows of bits
    struct bits *forbidden; // per web: registers that it may not have
};

static inline bool graph_has(const struct graph *graph, int a, int b) {
    return graph->rows[(size_t)a * (size_t)graph->words + (size_t)(b >> 6)] >> (b & 63) & 1;
}

// Builds the interference graph. Fragments of hot blocks keep their register for `margin`
// instructions after their last use, which gives the FFMAs room to move.
void graph_build(struct graph *graph, const struct flow *flow, int margin);
// Sets flow_block.in_flight in each block.
void flow_flight(struct flow *flow);
void graph_close(struct graph *graph);

// One way to choose registers; `sass reuse` tries several.
struct choice_rule {
    int margin; // instructions for which fragments keep their register after the last use
    // join: each accumulator has one register throughout the loop. other_side: an outer product
    // reads one of its two sides from the reuse cache and the other from the register file; true
    // exchanges the sides that are chosen by default.
    bool join, other_side;
};

// Sets colour[web] to a register below `limit` for each web. Returns false if none was found.
bool choose_registers(const struct flow *flow, int limit, const struct choice_rule *rule, uint8_t *colour);

// Moves the integer instructions of a block that stand alone between FFMAs next to each other. Sets
// origin[i] to the old index of instruction i.
void gather_block(struct sass_instruction *code, int *origin, int first, int end);
// Reorders the FFMAs of a block so that neighbours share operands; leaves the block unchanged if no
// such order exists. in_flight: registers whose value may be in flight at the block's start. pairs:
// an operand slot of the reuse cache keeps two registers instead of one. Returns false if out of
// memory.
void order_block(struct sass_instruction *code, int first, int end, const struct bits *in_flight, bool pairs);
// Sets the stall counts of a block so that each reader is issued as many cycles after its producer
// as it needs, also if the reader is in a later block. old_clock: cycle in which each instruction
// was issued before. origin: each instruction's old index (arbitrary for FFMAs).
void reuse_stalls(struct sass_instruction *code, const int64_t *old_clock, const int *origin, int first, int end);
// Sets the reuse flag exactly where the next instruction reads the same register in the same slot.
void set_flags(struct sass_instruction *code, int first, int end);
// Clears each reuse flag whose register is written before the next instruction reads it.
void drop_stale_flags(struct sass_instruction *code, int first, int end);

// Returns true if the new code, `fresh`, computes what the old code does, with the web's old
// register replaced by colour[web]. Otherwise the error names the first difference.
bool same_flow(const struct flow *flow, const struct sass_instruction *fresh, const uint8_t *colour,
               struct error *error);
