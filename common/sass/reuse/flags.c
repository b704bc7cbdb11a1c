// Reuse flags. An instruction that flags an operand keeps its register in that operand slot's cache for the next one.
#include "rename.h"

// Loads, stores and branches leave the caches alone (sass_bank_cycles).
static bool uses_cache(const struct sass_instruction *in) {
    return in->form->pipe <= SASS_PIPE_XU;
}

// Between DFMAs, ptxas keeps an operand over instructions of other pipes, too.
static bool comes_next(const struct sass_instruction *flagged, const struct sass_instruction *in) {
    return flow_width(flagged) == 2 ? in->form->pipe == SASS_PIPE_FP64 : uses_cache(in);
}

static bool is_read(const struct sass_operand *operand) {
    return operand->kind == SASS_REGISTER && operand->number != SASS_RZ;
}

static bool writes(const struct sass_instruction *in, int reg, int width) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    for (int t = 0; t < count; t++) {
        if (!touches[t].write || touches[t].uniform || touches[t].predicate) continue;
        if (reg + width > touches[t].first && reg < touches[t].first + touches[t].count) return true;
    }
    return false;
}

// The next instruction that uses the caches, end when the operand's registers are written before it or there is none.
static int next_reader(const struct sass_instruction *code, int at, int end, int reg) {
    const int width = flow_width(&code[at]);
    for (int i = at; i < end; i++) {
        if (i > at && comes_next(&code[at], &code[i])) return i;
        if (writes(&code[i], reg, width)) return end;
    }
    return end;
}

void set_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) {
        const bool fused = flow_is_fused(&code[i]);
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (!is_read(operand) || !(fused || operand->reuse)) continue;
            const int next = next_reader(code, i, end, operand->number);
            operand->reuse = next < end && flow_is_fused(&code[next]) &&
                             code[next].form->opcode == code[i].form->opcode && is_read(&code[next].operand[role]) &&
                             code[next].operand[role].number == operand->number;
        }
        if (fused) code[i].control.yield = true;
    }
}

void drop_stale_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) {
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (operand->reuse && next_reader(code, i, end, operand->number) == end) operand->reuse = false;
        }
    }
}
