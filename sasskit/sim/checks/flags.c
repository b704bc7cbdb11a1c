// Flags in device memory that order a block's accesses to shared memory where no barrier does.
//
// A fence saves what happens before it: the warp's own accesses, and those it is ordered after, as
// one phase per warp. A strong store or an atomic on device memory, or a single lane's first store
// after the fence, releases the saved state at its word. A strong load or an atomic on that word
// acquires it.
// The order is looked up only where a race would be reported (races.c); other kernels pay nothing.
//
// Limits: 32 words per fence; a hash table of 128 words per block, in which a collision replaces
// the older word. A fence after the load is not required. Order that passes through another block
// is not known.
#include "order.h"

static void learn(uint32_t *to, const uint32_t *from) {
    for (int i = 0; i < MAX_WARPS; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

static struct flag_word *flag_slot(struct block *b, uint64_t at) {
    return &b->flag[(uint32_t)(at >> 2) * 0x9e3779b1u >> 25];
}

void flags_fence(struct warp *w) {
    w->flags.heard[w->index] = ++w->races.phase;
    memcpy(w->flags.fence_knows, w->flags.heard, sizeof w->flags.heard);
    w->flags.fence_told = 0;
}

void flags_tell(struct warp *w, const uint64_t *address, uint32_t mask, bool strong) {
    const bool flag = strong || (w->flags.fence_told == 0 && lanes_count(mask) == 1);
    if (!w->flags.fence_knows[w->index] || !flag) return;
    for (uint32_t rest = mask; rest && w->flags.fence_told < TOLD_BY_FENCE; rest &= rest - 1) {
        const uint64_t at = address[first_lane(rest)] & ~UINT64_C(3);
        struct flag_word *word = flag_slot(w->block, at);
        if (word->at != at) *word = (struct flag_word){.at = at};
        learn(word->knows, w->flags.fence_knows);
        w->block->flagged = true;
        w->flags.fence_told++;
    }
}

void flags_ask(struct warp *w, const uint64_t *address, uint32_t mask) {
    if (mask) w->flags.asked = address[first_lane(mask)];
    EACH_LANE(l, w->block->flagged ? mask : 0) {
        const uint64_t at = address[l] & ~UINT64_C(3);
        const struct flag_word *word = flag_slot(w->block, at);
        if (word->at == at) learn(w->flags.heard, word->knows);
    }
}

bool flags_order(const struct warp *w, uint32_t other, uint32_t phase) {
    return other < MAX_WARPS && phase < w->flags.heard[other];
}
