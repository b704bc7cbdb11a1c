// The steps of `sass reuse`: interference graph, new registers, order of instructions, reuse flags.
// A function that takes a flow requires that flow_webs() has computed the flow's webs.
#pragma once

#include "lint/flow.h"

enum { HOT_FUSED = 16 }; // a block of a loop with at least this many FFMAs or DFMAs is hot

static inline bool flow_is_hot(const struct flow_block *block) {
    return block->in_loop && block->fused >= HOT_FUSED;
}

// The interference graph: two webs with an edge between them may not share a register.
struct graph {
    struct arena memory;    // owns all arrays
    int count, words;       // number of webs; 64-bit words per row
    uint64_t *rows;         // adjacency matrix: `count` rows of bits
    struct bits *forbidden; // per web: registers that it may not have
};

static inline bool graph_has(const struct graph *graph, int a, int b) {
    return graph->rows[(size_t)a * (size_t)graph->words + (size_t)(b >> 6)] >> (b & 63) & 1;
}

// Builds the interference graph. A factor of a hot block's FFMAs keeps its register for `margin`
// instructions after its last use, so that order_block() can move these FFMAs to later places.
void graph_build(struct graph *graph, const struct flow *flow, int margin);
// Sets flow_block.in_flight in each block: see order_block().
void flow_flight(struct flow *flow);
void graph_close(struct graph *graph);

// A rule for the choice of registers; `sass reuse` tries several.
struct choice_rule {
    int margin; // number of instructions, see graph_build()
    bool join;  // true if each accumulator has one register throughout the loop
    // An outer product reads one of its sides (A's or B's elements) from the reuse cache, and the
    // other one from the register file. True: exchanges what they would be by default.
    bool other_side;
};

// Sets colour[web], for each web, to a register below `limit`. Returns false if it finds no choice.
bool choose_registers(const struct flow *flow, int limit, const struct choice_rule *rule,
                      uint8_t *colour);

// Gathers the arithmetic instructions of a block that stand alone between FFMAs: they then follow
// one another. Permutes `origin` like `code`.
void gather_block(struct sass_instruction *code, int *origin, int first, int end);
// Reorders the FFMAs and DFMAs of a block so that neighbours share operands; leaves the block
// unchanged if it finds no order. `in_flight` has the registers that an instruction in flight at
// the block's start may use. `pairs`: an operand slot of the reuse cache keeps two registers.
void order_block(struct sass_instruction *code, int first, int end, const struct bits *in_flight,
                 bool pairs);
// Sets the stall counts of a block so that each reader of a result, in this block or a later one,
// issues late enough after the producer. `old_clock` has the issue cycle of each instruction of the
// old code; `origin` has the old index of each instruction; those of FFMAs may be exchanged.
void reuse_stalls(struct sass_instruction *code, const int64_t *old_clock, const int *origin,
                  int first, int end);
// Flags each operand of a block's FFMAs and DFMAs that a later instruction of the same opcode finds
// in the reuse cache. Clears all flags without such a reader.
void set_flags(struct sass_instruction *code, int first, int end);
// Clears each reuse flag whose register no later instruction of the block finds in the cache.
void drop_stale_flags(struct sass_instruction *code, int first, int end);

// Returns true if the new code, `fresh`, computes what the old code does. colour[web] is the new
// register of a web. Otherwise the error names the first difference.
bool same_flow(const struct flow *flow, const struct sass_instruction *fresh, const uint8_t *colour,
               struct error *error);
