// Computes stall counts for a new order: 1 for an FFMA, and 2 for a DFMA that another DFMA or an
// FFMA follows. They are higher where a result would otherwise be read too early.
//
// The least distances between a producer and a reader (needed()):
//   two FFMAs or two DFMAs    sass_distance(), or the guessed one
//   one of them and another   the distance that the assembler keeps
//   two others                the distance in the compiler's code; it is raised to sass_distance()
//                             and limited to sass_longest_distance()
#include "isa/latency.h"
#include "rename.h"

// APART is the largest distance that two instructions of different blocks may need, in cycles.
enum { RESULTS = 4 * 256, NOBODY = -1, MOST_STALL = 15, APART = 13 };

// Per register of the files R, UR, P and UP: its last writer, and the writer's issue cycle in the
// new and in the old code. `now` and `old` are the current cycles of both codes.
struct clocks {
    int writer[RESULTS];
    int64_t issued[RESULTS], old_issued[RESULTS];
    int64_t now, old;
};

static int result_of(const struct sass_touch *touch, int k) {
    return (touch->uniform + 2 * touch->predicate) * 256 + touch->first + k;
}

// Returns the least distance between an FFMA or DFMA and another opcode, in either direction.
static int64_t fused_distance(const struct sass_instruction *from,
                              const struct sass_instruction *to, const struct sass_touch *touch) {
    if (flow_is_fused(from)) return sass_longest_kept(from, false);
    return flow_width(to) == 2 ? sass_kept_distance(from, to, touch) : sass_longest_kept(to, false);
}

static int64_t needed(const struct sass_instruction *code, const struct clocks *clocks, int at,
                      const struct sass_touch *touch, int result) {
    const struct sass_instruction *from = &code[clocks->writer[result]];
    const int64_t known = sass_distance(from, &code[at], touch),
                  left = clocks->old - clocks->old_issued[result];
    const int64_t table = known ? known : sass_guessed_distance(from, &code[at], touch);
    const bool fused = flow_is_fused(from), reader_fused = flow_is_fused(&code[at]);
    if (table == 0 || (fused && reader_fused && from->form->opcode == code[at].form->opcode))
        return table;
    const int64_t least = fused || reader_fused ? fused_distance(from, &code[at], touch) : 0;
    if (least) return table > least ? table : least;
    const int64_t longest = sass_longest_distance(from, false),
                  kept = left < longest ? left : longest;
    return known > kept ? known : kept;
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

// Keeps the distance from the block's start to instruction `at`, which may read a result of the
// previous block. Does nothing for FFMAs and DFMAs.
static void keep_start(struct sass_instruction *code, struct clocks *clocks, int first, int at) {
    if (at > first && !flow_is_fused(&code[at]))
        wait_more(&code[at - 1], clocks, at_most(clocks->old, APART) - clocks->now);
}

// Keeps the distances from the writers of the block's results to the block's end.
static void keep_end(struct sass_instruction *code, struct clocks *clocks, int end) {
    for (int r = 0; r < RESULTS; r++) {
        if (clocks->writer[r] == NOBODY) continue;
        const struct sass_instruction *from = &code[clocks->writer[r]];
        const int64_t kept = flow_is_fused(from)
                                 ? sass_longest_kept(from, false)
                                 : at_most(clocks->old - clocks->old_issued[r], APART);
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

// Returns the stall count of an FFMA or DFMA without dependences. The FP64 pipe takes a DFMA every
// second cycle; the slot between two DFMAs is free for another instruction.
static int pace(const struct sass_instruction *code, int at, int end) {
    const bool twice = flow_width(&code[at]) == 2 && at + 1 < end && flow_is_fused(&code[at + 1]);
    return twice ? 2 : 1;
}

void reuse_stalls(struct sass_instruction *code, const int64_t *old_clock, const int *origin,
                  int first, int end) {
    struct clocks clocks = {.now = 0};
    for (int r = 0; r < RESULTS; r++) clocks.writer[r] = NOBODY;
    for (int i = first; i < end; i++) {
        const bool fused = flow_is_fused(&code[i]);
        if (fused) code[i].control.stall = (uint8_t)pace(code, i, end);
        // with bit 109 clear, the reuse cache seems to lose its entries (measured)
        if (fused) code[i].control.yield = true;
        clocks.old = old_clock[origin[i]] - old_clock[first];
        step(code, &clocks, first, i);
        clocks.now += code[i].control.stall ? code[i].control.stall : 1;
    }
    clocks.old = old_clock[end] - old_clock[first];
    keep_end(code, &clocks, end);
}
