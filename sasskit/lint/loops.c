// Finds back edges: the branches that close a loop.
#include "isa/arena.h"
#include "isa/touches.h"

// Pushes instruction `to` on the stack, unless it was visited already.
static void visit(int64_t to, size_t count, bool *seen, size_t *stack, size_t *depth) {
    if (to < 0 || to >= (int64_t)count || seen[to]) return;
    seen[to] = true;
    stack[(*depth)++] = (size_t)to;
}

static bool falls_through(const struct sass_instruction *in) {
    // only diverged lanes take a BRA.DIV
    const bool divides = in->operand[SASS_A].kind != SASS_NONE;
    return !sass_always(in) ||
           (in->form->opcode != SASS_EXIT && (in->form->opcode != SASS_BRA || divides));
}

bool sass_closes_loop(const struct sass_instruction *code, size_t count, size_t branch) {
    const int64_t target = code[branch].operand[SASS_T].value / SASS_BYTES;
    if (code[branch].form->opcode != SASS_BRA || target < 0 || target > (int64_t)branch)
        return false;
    if (target == 0) return true;
    struct arena memory = {0};
    bool *seen;
    size_t *stack, depth = 0;
    ARENA_NEW(&memory, seen, count + 1);
    ARENA_NEW(&memory, stack, count + 1);
    // Visits all that can be reached from the kernel's start without passing the target. If that
    // leaves out the branch, the target dominates it.
    seen[target] = true;
    visit(0, count, seen, stack, &depth);
    while (depth) {
        const size_t at = stack[--depth];
        const struct sass_operand *to = &code[at].operand[SASS_T];
        if (to->kind == SASS_TARGET && code[at].form->opcode != SASS_BSSY)
            visit(to->value / SASS_BYTES, count, seen, stack, &depth);
        if (falls_through(&code[at])) visit((int64_t)at + 1, count, seen, stack, &depth);
    }
    const bool closes = !seen[branch];
    arena_clear(&memory);
    return closes;
}
