// A kernel's general registers as data flow: basic blocks, liveness, and webs (all definitions and uses that must share a
// register). What `sass reuse` renames and reorders is decided on this.
//
// Limits: no indirect branches or traps, no calls but those within the kernel and those that leave it (assert, printf); returns must find
// constants, and are taken to come back behind any call without a guard. Uniform registers and predicates are left alone.
#pragma once

#include "isa/arena.h"
#include "isa/sass.h"

enum { FLOW_REGISTERS = 255 };

struct bits {
    uint64_t word[4]; // one bit a register
};

static inline bool bits_has(const struct bits *set, int bit) {
    return set->word[bit >> 6] >> (bit & 63) & 1;
}
static inline void bits_add(struct bits *set, int bit) {
    set->word[bit >> 6] |= 1ULL << (bit & 63);
}
static inline void bits_drop(struct bits *set, int bit) {
    set->word[bit >> 6] &= ~(1ULL << (bit & 63));
}

// One register that one instruction reads or writes.
struct flow_ref {
    uint8_t reg, role;
    uint8_t index, width; // place in a pair or quad: register = base + index
    bool write;
    bool partial; // a guarded write: the old value may stay
    int web;
};

struct flow_block {
    int first, end; // instructions first .. end - 1
    int *next, next_count;
    struct bits live_in, live_out;
    struct bits in_flight; // live at the start, perhaps still being loaded
    bool in_loop;          // between a backward branch and its target
    int *web_in;           // web of each register that is live at the start, -1 none
    int fused;             // FFMAs and DFMAs
    int pool_birth;        // instruction after which the zeroed accumulators count as born, -1 none
};

struct flow {
    struct arena memory; // of all that it points to
    const struct sass_kernel *kernel;
    struct sass_instruction *code;
    int count;
    struct flow_block *blocks;
    int block_count;
    int *block_of;
    struct flow_ref *refs; // of instruction i: first_ref[i] .. first_ref[i + 1] - 1
    int *first_ref;
    bool *pooled; // instruction i zeroes registers that belong to its block's pool
    int web_count;
    uint8_t *web_reg; // the register that ptxas chose, by web
};

// False: the error says which instruction cannot be followed and why.
bool flow_open(struct flow *flow, const struct sass_kernel *kernel, struct sass_error *error);
void flow_close(struct flow *flow);
// Fills the webs.
void flow_webs(struct flow *flow);
// With webs: whether returns go where the blocks say; the error says which does not.
bool flow_returns(const struct flow *flow, struct sass_error *error);

// A predicate that is never true guards it.
static inline bool flow_never(const struct sass_instruction *in) {
    return in->guard == SASS_PT && in->guard_negate && !in->guard_uniform;
}
bool flow_is_zero(const struct sass_instruction *in);       // CS2R Rd, SRZ and its like: writes zeros, reads nothing
bool flow_is_collective(const struct sass_instruction *in); // WARPSYNC.COLLECTIVE: lanes meet for a barrier
bool flow_calls_out(const struct sass_instruction *in);     // CALL.ABS of an address in registers
bool flow_is_fused(const struct sass_instruction *in);      // FFMA or DFMA of registers without guard, sign or modifier
bool flow_is_ffma(const struct sass_instruction *in);       // of these, an FFMA: one register of one bank an operand
int flow_width(const struct sass_instruction *in);          // registers of a fused operand: 1 FFMA, 2 DFMA
