// Basic blocks and liveness of a kernel.
#include "flow.h"
#include "isa/codec.h"
#include "isa/latency.h"
#include "isa/touches.h"

#include "isa/encoding.h"

#include <string.h>

bool flow_is_zero(const struct sass_instruction *in) {
    const struct sass_operand *operand = in->operand;
    if (in->guard != SASS_PT || in->guard_negate) return false;
    if (in->form->opcode == SASS_CS2R) return operand[SASS_X].number == 255;
    if (in->form->opcode == SASS_MOV)
        return operand[SASS_B].kind == SASS_REGISTER && operand[SASS_B].number == SASS_RZ;
    if (in->form->opcode != SASS_HFMA2_MMA || in->operand_form != 2) return false;
    return operand[SASS_A].number == SASS_RZ && operand[SASS_B].number == SASS_RZ &&
           operand[SASS_C].kind == SASS_HALF2 && operand[SASS_C].value == 0;
}

bool flow_is_fused(const struct sass_instruction *in) {
    const bool fused = in->form->opcode == SASS_FFMA || in->form->opcode == SASS_DFMA;
    if (!fused || in->guard != SASS_PT || in->guard_negate) return false;
    for (int role = SASS_A; role <= SASS_C; role++) {
        const struct sass_operand *operand = &in->operand[role];
        if (operand->kind != SASS_REGISTER || operand->negate || operand->absolute) return false;
        if (operand->number == SASS_RZ) return false;
    }
    return in->operand[SASS_D].number != SASS_RZ && !in->modifiers.saturate;
}

bool flow_is_ffma(const struct sass_instruction *in) {
    return in->form->opcode == SASS_FFMA && flow_is_fused(in);
}

int flow_width(const struct sass_instruction *in) {
    return in->form->opcode == SASS_DFMA ? 2 : 1;
}

bool flow_calls_out(const struct sass_instruction *in) {
    return in->form->opcode == SASS_CALL && in->operand[SASS_A].kind == SASS_REGISTER &&
           !sass_has_target(in);
}

// Returns true for a branch or a call within the kernel. (For sm_80 to sm_89, nvcc also leaves
// loops by calls that never return.)
static bool jumps(const struct sass_instruction *in) {
    const bool plain = in->operand[SASS_A].kind == SASS_NONE && sass_has_target(in);
    return in->form->opcode == SASS_BRA || (in->form->opcode == SASS_CALL && plain);
}

// Returns the reason why the analysis does not support an instruction; NULL if it supports it.
static const char *strange(const struct sass_instruction *in) {
    if (in->form->pipe == SASS_PIPE_TENSOR) return "an MMA";
    switch (in->form->opcode) {
    case SASS_BRX:
        return "an indirect branch";
    case SASS_CALL:
        return flow_calls_out(in) || jumps(in) ? NULL : "a call";
    case SASS_RET:
        // supported without an immediate: the register alone has the offset from the kernel's start
        return in->operand[SASS_T].value ? "a return" : NULL;
    case SASS_DFMA:
        return sass_by_scoreboard(in) ? "FP64 with scoreboards" : NULL;
    case SASS_BREAK:
    case SASS_BPT:
        return "control flow that is not supported";
    case SASS_BMOV: // nvcc for sm_75 moves a convergence register to RZ, which has no effect
        return in->operand[SASS_D].kind == SASS_REGISTER && in->operand[SASS_D].number == SASS_RZ
                   ? NULL
                   : "a saved convergence register";
    default:
        return NULL;
    }
}

static bool refuse(const struct flow *flow, int at, const char *why, struct error *error) {
    char text[SASS_MAX_TEXT];
    sass_print(&flow->code[at], NULL, text, sizeof text);
    error->offset = (uint64_t)at * SASS_BYTES;
    return error_fail(error, "+0x%llx: %s: %s; reuse needs a kernel without it",
                      (unsigned long long)at * SASS_BYTES, text, why);
}

static bool decode(struct flow *flow, struct error *error) {
    for (int i = 0; i < flow->count; i++) {
        if (!sass_decode(cubin_word(flow->kernel, (size_t)i), (uint64_t)i * SASS_BYTES,
                         &flow->code[i], error))
            return false;
        const char *why = strange(&flow->code[i]);
        if (why) return refuse(flow, i, why, error);
    }
    return true;
}

// Returns 1 + the highest number of a register that the code names.
static int most_named(const struct flow *flow) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    int most = 0;
    for (int i = 0; i < flow->count; i++) {
        for (int t = sass_touches(&flow->code[i], touches); t-- > 0;) {
            const int end = touches[t].uniform || touches[t].predicate
                                ? 0
                                : touches[t].first + touches[t].count;
            if (end > most) most = end;
        }
    }
    return most < FLOW_REGISTERS ? most : FLOW_REGISTERS;
}

// Lists the registers that an instruction reads and writes. A call out of the kernel counts as
// reading R0 to R(`named` - 1), because any of them may have an argument.
static int touches_of(const struct flow *flow, int i, int named, struct sass_touch *touches) {
    if (flow_never(&flow->code[i])) return 0;
    if (!flow_calls_out(&flow->code[i])) return sass_touches(&flow->code[i], touches);
    for (int r = 0; r < named; r++)
        touches[r] = (struct sass_touch){.first = (uint8_t)r, .count = 1};
    return named;
}

static void list_refs(struct flow *flow) {
    struct sass_touch touches[FLOW_REGISTERS];
    const int named = most_named(flow);
    int total = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) ARENA_NEW(&flow->memory, flow->refs, (size_t)total + 1);
        total = 0;
        for (int i = 0; i < flow->count; i++) {
            flow->first_ref[i] = total;
            const int count = touches_of(flow, i, named, touches);
            for (int t = 0; t < count; t++) {
                if (touches[t].uniform || touches[t].predicate) continue;
                for (uint8_t k = 0; k < touches[t].count; k++, total++) {
                    if (!pass) continue;
                    flow->refs[total] = (struct flow_ref){.reg = (uint8_t)(touches[t].first + k),
                                                          .role = touches[t].role,
                                                          .index = k,
                                                          .width = touches[t].count,
                                                          .write = touches[t].write,
                                                          .web = -1};
                }
            }
        }
        flow->first_ref[flow->count] = total;
    }
}

// --- blocks --------------------------------------------------------------------------------------

// The lanes of a collective converge, execute the code up to ENDCOLLECTIVE, and continue at the
// target. nvcc compiles barrier.sync for diverged lanes to this.
bool flow_is_collective(const struct sass_instruction *in) {
    return in->form->opcode == SASS_WARPSYNC && in->operand[SASS_T].kind == SASS_TARGET;
}

static bool ends_block(const struct sass_instruction *in) {
    return jumps(in) || in->form->opcode == SASS_EXIT || in->form->opcode == SASS_RET ||
           in->form->opcode == SASS_BSYNC || in->form->opcode == SASS_ENDCOLLECTIVE ||
           flow_is_collective(in) || flow_calls_out(in);
}

// Returns true if a call returns to the next instruction: the LEPC before the call takes the
// address of that instruction.
static bool comes_back(const struct flow *flow, int at) {
    const struct sass_instruction *before = &flow->code[at > 0 ? at - 1 : 0];
    return before->form->opcode == SASS_LEPC &&
           before->operand[SASS_T].value == (int64_t)(at + 1) * SASS_BYTES;
}

// Returns true if control never continues at the next instruction.
static bool always_leaves(const struct sass_instruction *in) {
    if (!sass_always(in)) return false;
    if (in->form->opcode == SASS_EXIT || in->form->opcode == SASS_RET) return true;
    return jumps(in) && (in->word.low % 4096 == 0x947 || in->form->opcode == SASS_CALL) &&
           in->operand[SASS_A].kind == SASS_NONE && in->modifiers.mode == 0;
}

static bool mark_leaders(struct flow *flow, bool *leader, struct error *error) {
    leader[0] = true;
    for (int i = 0; i < flow->count; i++) {
        const struct sass_instruction *in = &flow->code[i];
        const struct sass_operand *target = &in->operand[SASS_T];
        if (ends_block(in) && i + 1 < flow->count) leader[i + 1] = true;
        if (flow_calls_out(in) && !comes_back(flow, i))
            return refuse(flow, i, "a call that does not come back to the next instruction", error);
        if (target->kind != SASS_TARGET || flow_calls_out(in)) continue;
        const int64_t to = target->value / SASS_BYTES;
        if (target->value < 0 || target->value % SASS_BYTES || to >= flow->count)
            return refuse(flow, i, "a target outside of the kernel", error);
        leader[to] = true;
        const struct sass_instruction *before = &flow->code[to > 0 ? to - 1 : 0],
                                      *there = &flow->code[to];
        if (flow_is_collective(in) && (to <= i || before->form->opcode != SASS_ENDCOLLECTIVE))
            return refuse(flow, i, "its target does not follow an ENDCOLLECTIVE", error);
        // A BSSY's target must be or follow a BSYNC, because threads continue there.
        if (in->form->opcode != SASS_BSSY) continue;
        if (there->form->opcode != SASS_BSYNC && before->form->opcode != SASS_BSYNC)
            return refuse(flow, i, "its target is no BSYNC", error);
    }
    return true;
}

// Returns the operand that an unguarded move copies (an integer 0 if the instruction writes zeros).
// For any other instruction, returns an empty operand.
static struct sass_operand moved(const struct sass_instruction *in) {
    const struct sass_operand none = {0}, zero = {.kind = SASS_INTEGER};
    if (!sass_always(in)) return none;
    if (flow_is_zero(in)) return zero;
    if (in->form->opcode == SASS_MOV) return in->operand[SASS_B];
    const struct sass_operand *factor = &in->operand[SASS_A], *added = &in->operand[SASS_C];
    const bool only_added =
        in->form->opcode == SASS_IMAD && in->operand[SASS_PP].kind == SASS_NONE &&
        factor->kind == SASS_REGISTER && factor->number == SASS_RZ && !added->negate;
    return only_added ? *added : none;
}

static bool is_behind_call(const struct flow *flow, int64_t at) {
    const struct sass_instruction *call = &flow->code[at > 0 && at < flow->count ? at - 1 : 0];
    return at > 0 && at < flow->count && call->form->opcode == SASS_CALL && call->guard == SASS_PT;
}

// Returns true if the web can only have return addresses of calls or, with `upper`, the upper half
// of such an address: 0. Follows moves between registers; `copies` is how many were followed.
static bool is_known(const struct flow *flow, int web, bool upper, int copies) {
    bool known = copies < 4 && flow->blocks[0].web_in[flow->web_reg[web]] != web;
    for (int i = 0; i < flow->count; i++) {
        const struct sass_operand what = moved(&flow->code[i]);
        const bool sound =
            what.kind == SASS_INTEGER && what.value % SASS_BYTES == 0 &&
            (upper ? what.value == 0 : is_behind_call(flow, what.value / SASS_BYTES));
        for (int k = flow->first_ref[i]; known && k < flow->first_ref[i + 1]; k++) {
            if (!flow->refs[k].write || flow->refs[k].web != web) continue;
            const bool copied = what.kind == SASS_REGISTER && what.number != SASS_RZ;
            known = copied ? is_known(flow, flow->refs[k + 1].web, upper, copies + 1) : sound;
        }
    }
    return known;
}

bool flow_returns(const struct flow *flow, struct error *error) {
    for (int i = 0; i < flow->count; i++) {
        for (int k = flow->first_ref[i];
             k < flow->first_ref[i + 1] && flow->code[i].form->opcode == SASS_RET; k++) {
            if (!is_known(flow, flow->refs[k].web, flow->refs[k].index, 0))
                return refuse(flow, i, "a return to an address that is not constant", error);
        }
    }
    return true;
}

static bool connect(struct flow *flow, struct error *error) {
    for (int b = 0; b < flow->block_count; b++) {
        struct flow_block *block = &flow->blocks[b];
        const struct sass_instruction *last = &flow->code[block->end - 1];
        const bool returns = last->form->opcode == SASS_RET;
        ARENA_NEW(&flow->memory, block->next, returns ? (size_t)flow->count : 2);
        for (int i = 1; returns && i < flow->count; i++) {
            if (is_behind_call(flow, i)) block->next[block->next_count++] = flow->block_of[i];
        }
        if (jumps(last) || flow_is_collective(last))
            block->next[block->next_count++] =
                flow->block_of[last->operand[SASS_T].value / SASS_BYTES];
        if (always_leaves(last)) continue;
        if (b + 1 == flow->block_count) {
            if (flow_never(last) || last->form->opcode == SASS_NOP) continue;
            return refuse(flow, block->end - 1, "the code runs past its end", error);
        }
        block->next[block->next_count++] = b + 1;
    }
    for (int b = 0; b < flow->block_count; b++) {
        const bool returns = flow->code[flow->blocks[b].end - 1].form->opcode == SASS_RET;
        for (int n = 0; n < flow->blocks[b].next_count && !returns; n++) {
            for (int k = flow->blocks[b].next[n]; k <= b; k++) flow->blocks[k].in_loop = true;
        }
    }
    return true;
}

static bool make_blocks(struct flow *flow, struct error *error) {
    bool *leader;
    ARENA_NEW(&flow->memory, leader, (size_t)flow->count + 1);
    if (!mark_leaders(flow, leader, error)) return false;
    for (int i = 0; i < flow->count; i++) flow->block_count += leader[i];
    ARENA_NEW(&flow->memory, flow->blocks, (size_t)flow->block_count);
    for (int i = 0, b = -1; i < flow->count; i++) {
        if (leader[i]) flow->blocks[++b] = (struct flow_block){.first = i, .pool_birth = -1};
        flow->blocks[b].end = i + 1;
        flow->blocks[b].fused += flow_is_fused(&flow->code[i]);
        flow->block_of[i] = b;
    }
    return connect(flow, error);
}

// --- liveness ------------------------------------------------------------------------------------

// NEEDED_IF + n: the register is read only under guard n (guard_code)
enum { NOT_NEEDED, NEEDED, NEEDED_IF };

static uint8_t guard_code(const struct sass_instruction *in) {
    if (in->guard == SASS_PT) return NEEDED;
    return (uint8_t)(NEEDED_IF + in->guard * 2 + in->guard_negate + (in->guard_uniform ? 16 : 0));
}

// Before an instruction that writes a predicate, the predicate may have another value. So a
// register that is read only under this predicate becomes NEEDED.
static void drop_guards(const struct sass_instruction *in, uint8_t need[256]) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    for (int t = 0; t < count; t++) {
        if (!touches[t].predicate || !touches[t].write) continue;
        const int code = NEEDED_IF + touches[t].first * 2 + (touches[t].uniform ? 16 : 0);
        for (int r = 0; r < FLOW_REGISTERS; r++) {
            if (need[r] == code || need[r] == code + 1) need[r] = NEEDED;
        }
    }
}

// Scans a block backward. Returns the registers live at its start, and marks partial writes.
static struct bits scan_block(struct flow *flow, const struct flow_block *block) {
    uint8_t need[256] = {0};
    struct bits live = {{0}};
    for (int r = 0; r < FLOW_REGISTERS; r++)
        need[r] = bits_has(&block->live_out, r) ? NEEDED : NOT_NEEDED;
    for (int i = block->end - 1; i >= block->first; i--) {
        const uint8_t guard = guard_code(&flow->code[i]);
        drop_guards(&flow->code[i], need);
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
            struct flow_ref *ref = &flow->refs[k];
            if (!ref->write) continue;
            ref->partial =
                guard != NEEDED && need[ref->reg] != NOT_NEEDED && need[ref->reg] != guard;
            need[ref->reg] = ref->partial ? NEEDED : NOT_NEEDED;
        }
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
            uint8_t *old = &need[flow->refs[k].reg];
            if (!flow->refs[k].write) *old = *old == NOT_NEEDED || *old == guard ? guard : NEEDED;
        }
    }
    for (int r = 0; r < FLOW_REGISTERS; r++) {
        if (need[r]) bits_add(&live, r);
    }
    return live;
}

static void find_live(struct flow *flow) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = flow->block_count - 1; b >= 0; b--) {
            struct flow_block *block = &flow->blocks[b];
            for (int n = 0; n < block->next_count; n++) {
                for (int w = 0; w < 4; w++)
                    block->live_out.word[w] |= flow->blocks[block->next[n]].live_in.word[w];
            }
            const struct bits live = scan_block(flow, block);
            changed |= memcmp(&live, &block->live_in, sizeof live) != 0;
            block->live_in = live;
        }
    }
}

bool flow_open(struct flow *flow, const struct sass_kernel *kernel, struct error *error) {
    *flow = (struct flow){.kernel = kernel, .count = (int)kernel->count};
    const size_t count = kernel->count + 1;
    ARENA_NEW(&flow->memory, flow->code, count);
    ARENA_NEW(&flow->memory, flow->block_of, count);
    ARENA_NEW(&flow->memory, flow->first_ref, count);
    ARENA_NEW(&flow->memory, flow->pooled, count);
    if (!flow->count) return error_fail(error, "no code");
    if (!decode(flow, error)) return false;
    list_refs(flow);
    if (!make_blocks(flow, error)) return false;
    find_live(flow);
    return true;
}

void flow_close(struct flow *flow) {
    arena_clear(&flow->memory);
    *flow = (struct flow){0};
}
