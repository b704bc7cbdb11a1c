// Computes when a warp's next instruction can issue, by stall count, scoreboards and barriers.
#include "parts.h"

// Delays w->ready until at most `leave` operations of the scoreboard are outstanding. Returns false
// as long as that cycle is unknown.
static bool wait_for(struct sm_warp *w, const struct scoreboard *s, unsigned leave) {
    if (s->count > leave) {
        w->ready = NEVER;
        w->wait_state = s->state;
        return false;
    }
    if (s->clear > w->ready) {
        w->ready = s->clear;
        w->wait_state = s->state;
    }
    return true;
}

void warp_resolve(struct sm *sm, struct sm_warp *w) {
    const struct instruction *in = w->next;
    struct sm_scheduler *s = &sm->scheduler[w->scheduler];
    s->known &= ~(1ull << w->place);
    if (!w->alive) return;
    if (w->at_barrier && in->blocks) {
        w->ready = NEVER;
        w->wait_state = SM_BARRIER;
        return;
    }
    w->ready = w->stalled_until;
    if (in->blocks && w->left_barrier > w->ready) {
        w->ready = w->left_barrier;
        w->wait_state = SM_BARRIER;
    }
    for (unsigned rest = in->wait; rest; rest &= rest - 1) {
        if (!wait_for(w, &w->scoreboard[__builtin_ctz(rest)], 0)) return;
    }
    if (in->kind == KIND_DEPBAR && !wait_for(w, &w->scoreboard[in->scoreboard], in->leave)) return;
    s->known |= 1ull << w->place;
    if (w->ready < s->next) s->next = w->ready;
}

void warp_release(struct sm *sm, struct sm_warp *w, int scoreboard, int64_t when) {
    struct scoreboard *s = &w->scoreboard[scoreboard];
    s->count--;
    if (when > s->clear) s->clear = when;
    if (w->ready == NEVER) warp_resolve(sm, w);
}
