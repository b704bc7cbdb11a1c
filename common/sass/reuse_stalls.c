// Stall counts after a new order: an FFMA waits one cycle, unless a result would then be read too early.
//
// What is early is sass_distance's table for FFMAs among themselves; between an FFMA and another instruction one cycle more
// than the longest seen there; between two others the distance that the compiler left, up to the longest that matters.
#include "rename.h"

enum { RESULTS = 4 * 256, NOBODY = -1, MOST_STALL = 15, FUSED_DISTANCE = 5, ENOUGH = 7, GUARD_DISTANCE = 13 };

// When each register was last written, in the old code's cycles and in the new one's. R, UR, P, UP.
struct clocks {
    int writer[RESULTS];
    int64_t issued[RESULTS], old_issued[RESULTS];
    int64_t now, old;
};

static int result_of(const struct sass_touch *touch, int k) {
    return (touch->uniform + 2 * touch->predicate) * 256 + touch->first + k;
}

static int64_t needed(const struct sass_instruction *code, const struct clocks *clocks, int at,
                      const struct sass_touch *touch, int result) {
    const struct sass_instruction *from = &code[clocks->writer[result]];
    const int64_t table = sass_distance(from, &code[at], touch), left = clocks->old - clocks->old_issued[result];
    if (table == 0 || (flow_is_fused(from) && flow_is_fused(&code[at]))) return table;
    if (flow_is_fused(from) || flow_is_fused(&code[at])) return table > FUSED_DISTANCE ? table : FUSED_DISTANCE;
    const int64_t kept = left < ENOUGH ? left : ENOUGH;
    return table > kept ? table : kept;
}

static void wait_more(struct sass_instruction *in, struct clocks *clocks, int64_t missing) {
    if (missing > MOST_STALL - in->control.stall) missing = MOST_STALL - in->control.stall;
    if (missing <= 0) return;
    in->control.stall = (uint8_t)(in->control.stall + missing);
    clocks->now += missing;
}

static int64_t at_most(int64_t value, int64_t limit) {
    return value < limit ? value : limit;
}

// Results of the block before and for the block after: other instructions keep their distance from the block's ends.
static void keep_start(struct sass_instruction *code, struct clocks *clocks, int first, int at) {
    if (at > first && !flow_is_fused(&code[at]))
        wait_more(&code[at - 1], clocks, at_most(clocks->old, GUARD_DISTANCE) - clocks->now);
}

static void keep_end(struct sass_instruction *code, struct clocks *clocks, int end) {
    for (int r = 0; r < RESULTS; r++) {
        if (clocks->writer[r] == NOBODY) continue;
        const bool fused = flow_is_fused(&code[clocks->writer[r]]);
        const int64_t kept = fused ? FUSED_DISTANCE : at_most(clocks->old - clocks->old_issued[r], GUARD_DISTANCE);
        wait_more(&code[end - 1], clocks, kept - (clocks->now - clocks->issued[r]));
    }
}

static void step(struct sass_instruction *code, struct clocks *clocks, int first, int at) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    keep_start(code, clocks, first, at);
    const int count = flow_never(&code[at]) ? 0 : sass_touches(&code[at], touches);
    for (int t = 0; t < count; t++) {
        for (int k = 0; !touches[t].write && k < touches[t].count; k++) {
            const int result = result_of(&touches[t], k);
            if (clocks->writer[result] == NOBODY || at == first) continue;
            const int64_t distance = needed(code, clocks, at, &touches[t], result);
            wait_more(&code[at - 1], clocks, distance - (clocks->now - clocks->issued[result]));
        }
    }
    for (int t = 0; t < count; t++) {
        for (int k = 0; touches[t].write && k < touches[t].count; k++) {
            const int result = result_of(&touches[t], k);
            clocks->writer[result] = at;
            clocks->issued[result] = clocks->now;
            clocks->old_issued[result] = clocks->old;
        }
    }
}

void reuse_stalls(struct sass_instruction *code, const int64_t *old_clock, const int *origin, int first, int end) {
    struct clocks clocks = {.now = 0};
    for (int r = 0; r < RESULTS; r++) clocks.writer[r] = NOBODY;
    for (int i = first; i < end; i++) {
        const bool fused = flow_is_fused(&code[i]);
        if (fused) code[i].control.stall = 1;
        if (fused) code[i].control.yield = true; // with the bit clear the reuse caches seem lost (measured)
        clocks.old = old_clock[origin[i]] - old_clock[first];
        step(code, &clocks, first, i);
        clocks.now += code[i].control.stall ? code[i].control.stall : 1;
    }
    clocks.old = old_clock[end] - old_clock[first];
    keep_end(code, &clocks, end);
}
