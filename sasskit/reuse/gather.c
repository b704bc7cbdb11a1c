// Moves arithmetic instructions that stand alone between FFMAs (or DFMAs) next to each other.
//
// Such an instruction evicts entries of the reuse cache (sass_bank_reads), so that the next FFMA
// takes two cycles. Two neighbours cost that cycle once. An instruction without wait or scoreboard
// moves past at most MOST_STEPS FFMAs that neither wait nor depend on it, except near block ends.
#include "isa/touches.h"
#include "rename.h"

enum { MOST_STEPS = 24, MARGIN = 16, NOBODY = -1 };

static bool uses_cache(const struct sass_instruction *in) {
    return !flow_is_fused(in) && in->form->pipe <= SASS_PIPE_XU;
}

static bool can_move(const struct sass_instruction *in) {
    return uses_cache(in) && in->form->latency && !in->control.wait &&
           in->control.write_barrier == SASS_NO_BARRIER &&
           in->control.read_barrier == SASS_NO_BARRIER;
}

// Returns true if one instruction writes what the other reads or writes.
static bool depend(const struct sass_instruction *a, const struct sass_instruction *b) {
    struct sass_touch x[SASS_MAX_TOUCHES], y[SASS_MAX_TOUCHES];
    const int m = sass_touches(a, x), n = sass_touches(b, y);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            if (x[i].uniform != y[j].uniform || x[i].predicate != y[j].predicate ||
                (!x[i].write && !y[j].write))
                continue;
            if (x[i].first < y[j].first + y[j].count && y[j].first < x[i].first + x[i].count)
                return true;
        }
    }
    return false;
}

// Returns the nearest instruction in direction `by` (1 or -1) that is not an FFMA. Returns NOBODY
// if no arithmetic instruction is in the run that begins there, or if `at` may not move to it.
static int neighbour(const struct sass_instruction *code, int first, int end, int at, int by) {
    int to = at + by;
    for (; to >= first && to < end && flow_is_fused(&code[to]); to += by) {
        const bool near = to - at <= MOST_STEPS && at - to <= MOST_STEPS;
        if (!near || code[to].control.wait || depend(&code[to], &code[at])) return NOBODY;
    }
    if (to < first || to >= end || to == at + by) return NOBODY;
    bool empties = false;
    for (int i = to; i >= first && i < end && !flow_is_fused(&code[i]); i += by) {
        if (depend(&code[i], &code[at]) || code[i].form->pipe == SASS_PIPE_CBU) return NOBODY;
        empties |= uses_cache(&code[i]);
    }
    return empties ? to : NOBODY;
}

static void move(struct sass_instruction *code, int *origin, int from, int to) {
    const struct sass_instruction in = code[from];
    const int place = origin[from], by = from < to ? 1 : -1;
    for (int i = from; i != to; i += by) {
        code[i] = code[i + by];
        origin[i] = origin[i + by];
    }
    code[to] = in;
    origin[to] = place;
}

void gather_block(struct sass_instruction *code, int *origin, int first, int end) {
    for (int i = first + MARGIN; i < end - MARGIN; i++) {
        const int to = can_move(&code[i]) ? neighbour(code, first, end, i, -1) : NOBODY;
        if (to != NOBODY) move(code, origin, i, to + 1);
    }
    for (int i = end - 1 - MARGIN; i >= first + MARGIN; i--) {
        // An instruction stays if one of its neighbours is not an FFMA.
        const bool lone = flow_is_fused(&code[i - 1]) && flow_is_fused(&code[i + 1]);
        const int to = lone && can_move(&code[i]) ? neighbour(code, first, end, i, 1) : NOBODY;
        if (to != NOBODY) move(code, origin, i, to - 1);
    }
}
