// Models the barriers of a block: when a waiting warp continues. By machine.def, one warp arrives
// per `barrier_arrival` cycles, and all waiting warps continue `barrier` cycles after the last.
#include "parts.h"

enum { WARP = 32 };

static void complete(struct sm *sm, struct sm_block *block, struct barrier *b) {
    const int64_t when = (int64_t)(b->time + sm->machine->barrier);
    if (block->released_before > 0) block->lead_until = NEVER;
    for (uint64_t rest = b->waiting; rest; rest &= rest - 1) {
        struct sm_warp *w = &sm->warp[__builtin_ctzll(rest)];
        w->at_barrier = false;
        w->left_barrier = when;
        if (w->ready == NEVER) warp_resolve(sm, w);
    }
    block->released_before = block->released;
    block->released = when;
    b->threads = 0;
    b->waiting = 0;
}

static bool is_complete(const struct sm_block *block, const struct barrier *b) {
    return b->threads > 0 && b->threads >= (b->expected ? b->expected : block->alive * WARP);
}

void arrive_at_barrier(struct sm *sm, struct sm_warp *w, uint32_t event, int64_t now) {
    if (!(event & 1)) return;
    struct barrier *b = &w->block->barrier[event >> 1 & 15];
    if (b->time < (double)now) b->time = (double)now;
    b->threads += WARP;
    b->expected = event >> 5 & 0xfff;
    if (event >> 17 & 1) {
        w->at_barrier = true;
        warp_resolve(sm, w);
        b->waiting |= 1ull << w->slot;
    }
    if (is_complete(w->block, b)) {
        complete(sm, w->block, b);
    } else {
        b->time += sm->machine->barrier_arrival;
    }
}

void leave_barriers(struct sm *sm, struct sm_block *block, int64_t now) {
    for (int i = 0; i < BARRIERS; i++) {
        struct barrier *b = &block->barrier[i];
        if (b->expected || !is_complete(block, b)) continue;
        if (b->time < (double)now) b->time = (double)now;
        complete(sm, block, b);
    }
}
