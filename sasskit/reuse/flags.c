// Sets and clears reuse flags. A flag on an operand keeps its register in the reuse cache for the
// next instruction that reads a register in the same operand slot (isa/banks.c).
#include "isa/banks.h"
#include "rename.h"

static bool is_read(const struct sass_operand *operand) {
    return operand->kind == SASS_REGISTER && operand->number != SASS_RZ;
}

void set_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) code[i].control.yield |= flow_is_fused(&code[i]);
    for (int i = first; i < end; i++) {
        const bool fused = flow_is_fused(&code[i]);
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (!is_read(operand) || !(fused || operand->reuse)) continue;
            const int next = sass_next_reader(code, i, end, role);
            operand->reuse = next < end && code[next].form->opcode == code[i].form->opcode;
        }
    }
}

void drop_stale_flags(struct sass_instruction *code, int first, int end) {
    for (int i = first; i < end; i++) {
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *operand = &code[i].operand[role];
            if (operand->reuse && sass_next_reader(code, i, end, role) == end)
                operand->reuse = false;
        }
    }
}
