// The data flow of a kernel's general registers: basic blocks, liveness, and webs. A web is a set
// of definitions and uses that must share a register. `sass reuse` builds on it.
//
// Limits: no MMAs, indirect branches, traps, BREAKs, saved convergence registers or DFMAs with
// scoreboards. Calls stay in the kernel or leave it for another function (assert, printf). A return
// must have a constant address; it is assumed to continue after any unguarded call. Uniform
// registers and predicates are not renamed.
#pragma once

#include "isa/arena.h"
#include "isa/cubin.h"

enum { FLOW_REGISTERS = 255 };

struct bits {
    uint64_t word[4]; // one bit per register
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

struct flow_ref {
    uint8_t reg, role;
    uint8_t index, width; // index within a pair or quad, and its size
    bool write;
    bool partial; // true for a guarded write after which the old value may remain
    int web;
};

struct flow_block {
    int first, end; // instructions first .. end - 1
    int *next, next_count;
    struct bits live_in, live_out;
    struct bits in_flight; // live registers that instructions in flight at the start use
    bool in_loop;          // true if this or a later block branches to this or an earlier one
    int *web_in;           // per register: its web, if it is live at the start; otherwise -1
    int fused;             // number of FFMAs and DFMAs in the block
    // index of the last instruction that zeroes accumulators of the block's pool (reuse/webs.c),
    // which count as defined after this instruction; -1 if there is no pool
    int pool_birth;
};

struct flow {
    struct arena memory; // owns all arrays
    const struct sass_kernel *kernel;
    struct sass_instruction *code;
    int count;
    struct flow_block *blocks;
    int block_count;
    int *block_of;
    // the registers of instruction i are refs[first_ref[i]] .. refs[first_ref[i + 1] - 1]
    struct flow_ref *refs;
    int *first_ref;
    bool *pooled; // per instruction: true if it zeroes accumulators of its block's pool
    int web_count;
    uint8_t *web_reg; // per web: its register in ptxas's code
};

// Finds blocks and liveness. Returns false, with an error, if an instruction is unknown or not
// supported.
bool flow_open(struct flow *flow, const struct sass_kernel *kernel, struct error *error);
void flow_close(struct flow *flow);
void flow_webs(struct flow *flow);
// Returns true if all returns go to the targets that the blocks assume; otherwise the error names a
// return that does not. Requires: webs are computed.
bool flow_returns(const struct flow *flow, struct error *error);

// Returns true if the instruction's guard is never true.
static inline bool flow_never(const struct sass_instruction *in) {
    return in->guard == SASS_PT && in->guard_negate && !in->guard_uniform;
}
// Returns true for an unguarded CS2R Rd, SRZ or an equivalent: it writes zeros and reads nothing.
bool flow_is_zero(const struct sass_instruction *in);
// Returns true for WARPSYNC.COLLECTIVE, at which lanes converge for a barrier.
bool flow_is_collective(const struct sass_instruction *in);
// Returns true for a CALL.ABS to an address in registers.
bool flow_calls_out(const struct sass_instruction *in);
// Returns true for an unguarded FFMA or DFMA of registers other than RZ, without signs and .SAT.
bool flow_is_fused(const struct sass_instruction *in);
// Returns true for an FFMA for which flow_is_fused() is true.
bool flow_is_ffma(const struct sass_instruction *in);
// Returns the number of registers per operand of a fused instruction: 1 for FFMA, 2 for DFMA.
int flow_width(const struct sass_instruction *in);
