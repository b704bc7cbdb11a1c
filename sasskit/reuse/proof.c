// Proves that rewritten code has the data flow of the original: executes both versions of each
// block symbolically.
//
// At the start of a block, every live register holds a symbol. In the new version, the register
// that the renaming assigns holds the same symbol; all other registers hold arbitrary values. A
// result is a hash of the instruction and its sources; the factors of an FFMA or DFMA may be
// swapped. All other instructions must come in the original order with the original sources, and
// the registers that are live in the next block must have equal values. So the proof finds an error
// in renaming, order or liveness, whichever pass made it.
#include "isa/codec.h"
#include "isa/touches.h"
#include "rename.h"

#include "isa/encoding.h"

#include <stdlib.h>
#include <string.h>

// The value of a register. A guarded write gives a register two values.
struct proof_value {
    uint64_t whole;   // the value; after a guarded write, a hash of the values before and after it
    uint64_t guarded; // the value that instructions under the same guard read
    uint64_t guard;   // a hash of the latest write's guard; 0 if that write had none
};

struct proof_state {
    struct proof_value reg[256];
    uint64_t version[2][8]; // hashes of predicates ([0]) and of uniform ones ([1])
    uint64_t event;         // number of instructions so far other than FFMAs and DFMAs
};

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
    x = (x ^ (x >> 32)) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 29);
}

static uint64_t guard_of(const struct proof_state *state, const struct sass_instruction *in) {
    if (in->guard == SASS_PT) return 0;
    return mix(mix(in->guard * 4U + in->guard_negate * 2U + in->guard_uniform, 77),
               state->version[in->guard_uniform][in->guard]);
}

static uint64_t read_value(const struct proof_state *state, int reg, uint64_t guard) {
    const struct proof_value *value = &state->reg[reg];
    return guard && value->guard == guard ? value->guarded : value->whole;
}

static void write_value(struct proof_state *state, int reg, uint64_t guard, uint64_t value) {
    struct proof_value *old = &state->reg[reg];
    if (guard)
        *old = (struct proof_value){mix(mix(guard, value), old->whole), value, guard};
    else
        *old = (struct proof_value){.whole = value};
}

// Returns a hash of the instruction's word, apart from its general registers and control field.
static uint64_t shape_of(const struct sass_instruction *in) {
    struct sass_instruction bare = *in;
    struct error error = {0};
    struct sass_word word = {0};
    bare.control = (struct sass_control){0};
    for (int role = 0; role < SASS_ROLE_COUNT; role++) {
        struct sass_operand *operand = &bare.operand[role];
        const bool base = operand->kind == SASS_ADDRESS || operand->kind == SASS_CONSTANT;
        operand->reuse = false;
        if ((operand->kind == SASS_REGISTER || base) && operand->number != SASS_RZ)
            operand->number = 0;
    }
    if (!sass_encode(&bare, 0, &word, &error)) return 0;
    return mix(word.low, word.high);
}

static uint64_t operand_value(const struct proof_state *state, const struct sass_instruction *in,
                              enum sass_role role) {
    const int reg = in->operand[role].number;
    uint64_t value = state->reg[reg].whole;
    for (int k = 1; k < flow_width(in); k++) value = mix(value, state->reg[reg + k].whole);
    return value;
}

static uint64_t fused_value(const struct proof_state *state, const struct sass_instruction *in) {
    const uint64_t a = operand_value(state, in, SASS_A), b = operand_value(state, in, SASS_B);
    const uint64_t product = a < b ? mix(a, b) : mix(b, a);
    return mix(mix(product, operand_value(state, in, SASS_C)), shape_of(in));
}

static void run_fused(struct proof_state *state, const struct sass_instruction *in) {
    const uint64_t value = fused_value(state, in);
    for (int k = 0; k < flow_width(in); k++)
        write_value(state, in->operand[SASS_D].number + k, 0, k ? mix(value, (uint64_t)k) : value);
}

// Executes one instruction. Returns a hash of all its effects; 0 for an FFMA or DFMA.
static uint64_t run(struct proof_state *state, const struct sass_instruction *in) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    if (flow_is_fused(in)) {
        run_fused(state, in);
        return 0;
    }
    const int count = flow_never(in) ? 0 : sass_touches(in, touches);
    const uint64_t guard = guard_of(state, in);
    uint64_t event = mix(shape_of(in), ++state->event);
    if (flow_is_zero(in)) event = 1;
    for (int t = 0; t < count; t++) {
        if (touches[t].write || touches[t].uniform || touches[t].predicate) continue;
        for (int k = 0; k < touches[t].count; k++)
            event = mix(event, read_value(state, touches[t].first + k, guard));
    }
    for (int t = 0; t < count; t++) {
        if (!touches[t].write) continue;
        if (touches[t].predicate)
            state->version[touches[t].uniform][touches[t].first & 7] = mix(event, touches[t].role);
        if (touches[t].predicate || touches[t].uniform) continue;
        const bool zero = event == 1;
        for (int k = 0; k < touches[t].count; k++)
            write_value(state, touches[t].first + k, guard,
                        zero ? 1 : mix(event, (uint64_t)touches[t].role * 8 + (uint64_t)k));
    }
    return event;
}

static bool differs(const struct flow *flow, int at, const char *what, struct error *error) {
    char text[SASS_MAX_TEXT];
    sass_print(&flow->code[at], NULL, text, sizeof text);
    return error_fail(error, "+0x%llx: %s: %s (a fault of this program; nothing is written)",
                      (unsigned long long)at * SASS_BYTES, text, what);
}

static bool start(const struct flow *flow, const struct flow_block *block, const uint8_t *colour,
                  struct proof_state *old, struct proof_state *new, struct error *error) {
    struct bits taken = {{0}};
    memset(old, 0, sizeof *old);
    memset(new, 0, sizeof *new);
    for (int r = 0; r < 256; r++) {
        old->reg[r].whole = mix(1234, (uint64_t)r);
        new->reg[r].whole = mix(987654321, (uint64_t)r);
    }
    for (int r = 0; r < FLOW_REGISTERS; r++) {
        if (block->web_in[r] < 0) continue;
        const int to = colour[block->web_in[r]];
        if (bits_has(&taken, to))
            return differs(flow, block->first, "two live values in one register", error);
        bits_add(&taken, to);
        new->reg[to] = old->reg[r];
    }
    return true;
}

static bool ends_alike(const struct flow *flow, const struct flow_block *block,
                       const uint8_t *colour, const struct proof_state *old,
                       const struct proof_state *new, struct error *error) {
    for (int n = 0; n < block->next_count; n++) {
        const int *next = flow->blocks[block->next[n]].web_in;
        for (int r = 0; r < FLOW_REGISTERS; r++) {
            if (next[r] < 0 || old->reg[r].whole == new->reg[colour[next[r]]].whole) continue;
            return differs(flow, block->end - 1, "another value leaves the block", error);
        }
    }
    return true;
}

// Returns true if a call out of the kernel finds all registers equal in both versions, since the
// callee may read any of them.
static bool calls_alike(const struct flow *flow, int at, const uint8_t *colour,
                        const struct proof_state states[2], struct error *error) {
    for (int k = flow->first_ref[at]; k < flow->first_ref[at + 1]; k++) {
        const struct flow_ref *ref = &flow->refs[k];
        if (colour[ref->web] != ref->reg ||
            states[0].reg[ref->reg].whole != states[1].reg[ref->reg].whole)
            return differs(flow, at, "the called function gets another value", error);
    }
    return true;
}

static bool same_block(const struct flow *flow, const struct flow_block *block,
                       const struct sass_instruction *fresh, const uint8_t *colour,
                       struct proof_state states[2], struct error *error) {
    int j = block->first;
    if (!start(flow, block, colour, &states[0], &states[1], error)) return false;
    for (int i = block->first; i < block->end; i++) {
        const uint64_t event = run(&states[0], &flow->code[i]);
        if (!event) continue;
        uint64_t other = 0;
        while (j < block->end && !other) other = run(&states[1], &fresh[j++]);
        if (event != other) return differs(flow, i, "reads another value", error);
        if (flow_calls_out(&flow->code[i]) && !calls_alike(flow, i, colour, states, error))
            return false;
    }
    while (j < block->end) {
        if (run(&states[1], &fresh[j++]))
            return differs(flow, j - 1, "one instruction too many", error);
    }
    return ends_alike(flow, block, colour, &states[0], &states[1], error);
}

bool same_flow(const struct flow *flow, const struct sass_instruction *fresh, const uint8_t *colour,
               struct error *error) {
    struct proof_state *states = sass_resized(NULL, 2 * sizeof *states);
    bool good = true;
    for (int b = 0; good && b < flow->block_count; b++)
        good = same_block(flow, &flow->blocks[b], fresh, colour, states, error);
    free(states);
    return good;
}
