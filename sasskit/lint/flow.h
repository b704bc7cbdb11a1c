// Data flow of a kernel's general registers: basic blocks, liveness, and webs (all definitions and
// uses that must share a register). `sass reuse` uses it to rename and reorder.
//
// Limits: no indirect branches or traps; calls only within the kernel, or out of it (assert,
// printf). Returns must have constant addresses, and are assumed to continue after any unguarded
// call. Uniform registers and predicates are not renamed.
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

// A register that an instruction reads or writes.
struct flow_ref {
    uint8_t reg, role;
    uint8_t index, width; // position in a pair or quad: register = base + index
    bool write;
    bool partial; // a guarded write: the old value may remain
    int web;
};

struct flow_block {
    int first, end; // instructions first .. end - 1
    int *next, next_count;
    struct bits live_in, live_out;
    struct bits in_flight; // live at the start and possibly still being loaded
    bool in_loop;          // between a back edge and its target
    int *web_in;           // web of each register that is live at the start; -1 if there is none
    int fused;             // number of FFMAs and DFMAs
    // instruction after which the zeroed accumulators count as defined; -1 if there is none
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
    struct flow_ref *refs; // of instruction i: refs[first_ref[i]] .. refs[first_ref[i + 1] - 1]
    int *first_ref;
    bool *pooled; // per instruction: it zeroes registers of its block's pool
    int web_count;
    uint8_t *web_reg; // per web: the register that ptxas chose
};

// Finds blocks and liveness. Returns false if an instruction cannot be followed; the error names it
// and the reason.
bool flow_open(struct flow *flow, const struct sass_kernel *kernel, struct error *error);
void flow_close(struct flow *flow);
// Computes the webs.
void flow_webs(struct flow *flow);
// Requires webs. True if all returns go to the targets that the blocks assume; the error names one
// that does not.
bool flow_returns(const struct flow *flow, struct error *error);

// Returns true if its guard is never true.
static inline bool flow_never(const struct sass_instruction *in) {
    return in->guard == SASS_PT && in->guard_negate && !in->guard_uniform;
}
// True for CS2R Rd, SRZ or equivalent, which writes zeros and reads nothing.
bool flow_is_zero(const struct sass_instruction *in);
// WARPSYNC.COLLECTIVE: lanes converge for a barrier
bool flow_is_collective(const struct sass_instruction *in);
// True for a CALL.ABS of an address in registers.
bool flow_calls_out(const struct sass_instruction *in);
// FFMA or DFMA of registers without guard, sign or modifier
bool flow_is_fused(const struct sass_instruction *in);
// True for a fused FFMA: each operand is one register in one bank.
bool flow_is_ffma(const struct sass_instruction *in);
// Returns the registers per operand of a fused instruction: 1 for FFMA, 2 for DFMA.
int flow_width(const struct sass_instruction *in);
