// Shuffles that ask a lane which is not there. Where the machine code does not say whether the mask names it (ops/move.c), lanes that
// get something from it are doubtful, and what they have got must not be stored.
#include "sim/machine/machine.h"

void report_absent(struct warp *w, uint32_t index, int lane, int from) {
    report(w, REPORT_LANE, index, lane, false, "asks lane %d for its value, which %s", from,
           !(w->lanes >> from & 1)   ? "the block does not have"
           : !(w->alive >> from & 1) ? "has exited"
                                     : "does not run here");
}

// Of each register and predicate, of both kinds: whether it comes from what a shuffle gave, for all lanes or but for those in
// which an instruction with this guard has overwritten it.
enum { NOT_GIVEN, GIVEN, GIVEN_UNLESS };

static uint8_t guard_code(unsigned predicate, bool uniform, bool negate) {
    return (uint8_t)(GIVEN_UNLESS + (predicate << 2 | uniform << 1 | negate));
}

static void write_given(uint8_t given[4][256], const struct sass_touch *t, uint8_t state) {
    const int kind = t->uniform * 2 + t->predicate;
    for (int r = t->first; r < t->first + t->count; r++) {
        if (state < GIVEN_UNLESS || given[kind][r]) given[kind][r] = state;
        for (int i = 0; t->predicate && i < 4 * 256; i++) { // a guard by it is another one now
            uint8_t *other = &given[0][i];
            if (*other >> 1 == guard_code((unsigned)r, t->uniform, false) >> 1) *other = GIVEN;
        }
    }
}

// Line by line from the shuffle on. A store further up is reached by a loop.
void absent_used(struct warp *w, uint32_t index) {
    const struct detail *detail = w->block->launch->program->detail;
    uint8_t given[4][256] = {{NOT_GIVEN}};
    bool comes = index < w->doubt;
    for (uint32_t i = w->doubt; i <= index; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        const struct sass_instruction *in = &detail[i].instruction;
        const int count = in->form ? sass_touches(in, touches) : 0;
        const uint8_t unless =
            in->guard == SASS_PT ? NOT_GIVEN : guard_code(in->guard, in->guard_uniform, in->guard_negate);
        comes = i == w->doubt;
        for (int k = 0; k < count; k++) {
            for (int r = 0; !touches[k].write && r < touches[k].count; r++) {
                const uint8_t state = given[touches[k].uniform * 2 + touches[k].predicate][touches[k].first + r];
                comes |= state != NOT_GIVEN && state != unless;
            }
        }
        for (int k = 0; k < count; k++) {
            if (touches[k].write) write_given(given, &touches[k], comes ? GIVEN : unless);
        }
    }
    if (comes) report_absent(w, w->doubt, w->doubt_lane, w->doubt_from);
}
