// Reuse flags. An instruction that flags an operand keeps its register for the next one that asks the same place (banks.c).
#include "rename.h"

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

// Who finds the operand's registers in the reuse cache; end: nobody, or they are written before.
static int next_reader(const struct sass_instruction *code, int at, int end, int role) {
    const int width = flow_width(&code[at]), reader = sass_next_reader(code, at, end, role);
    for (int i = at; i < reader && reader < end; i++) {
        if (writes(&code[i], code[at].operand[role].number, width)) return end;
    }
    return reader;
}

void set_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) code[i].control.yield |= flow_is_fused(&code[i]);
    for (int i = first; i < end; i++) {
        const bool fused = flow_is_fused(&code[i]);
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (!is_read(operand) || !(fused || operand->reuse)) continue;
            const int next = next_reader(code, i, end, role);
            operand->reuse = next < end && code[next].form->opcode == code[i].form->opcode;
        }
    }
}

void drop_stale_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) {
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (operand->reuse && next_reader(code, i, end, role) == end) operand->reuse = false;
        }
    }
}
