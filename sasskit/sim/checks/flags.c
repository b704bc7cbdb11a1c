// Decides which accesses to shared memory are ordered by a flag in device memory: a warp fences and
// stores the flag, and another warp of the block loads it.
//
// A fence saves one phase (races.c) per warp: all that the warp did before that phase happened
// before the fence. A later store to device memory releases the saved phases at its word, if it is
// strong or atomic, or if it is the first one after the fence and by a single lane. A strong load
// or an atomic on that word acquires them. races.c asks only where it would report a race.
//
// Limits: at most 32 flags per fence are known, and 128 per block; in a hash collision, the older
// flag is forgotten. No fence is required after the load. Order through other blocks is unknown.
#include "order.h"

static void merge_vector(uint32_t *to, const uint32_t *from) {
    for (int i = 0; i < MAX_WARPS; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

static struct flag_word *flag_slot(struct block *b, uint64_t at) {
    return &b->flag[(uint32_t)(at >> 2) * 0x9e3779b1u >> 25];
}

void flags_fence(struct warp *w) {
    w->flags.acquired[w->index] = ++w->races.phase;
    memcpy(w->flags.fence_acquired, w->flags.acquired, sizeof w->flags.acquired);
    w->flags.fence_flags = 0;
}

void flags_release(struct warp *w, const uint64_t *address, uint32_t mask, bool strong) {
    const bool flag = strong || (w->flags.fence_flags == 0 && lanes_count(mask) == 1);
    if (!w->flags.fence_acquired[w->index] || !flag) return;
    for (uint32_t rest = mask; rest && w->flags.fence_flags < FLAGS_PER_FENCE; rest &= rest - 1) {
        const uint64_t at = address[first_lane(rest)] & ~UINT64_C(3);
        struct flag_word *word = flag_slot(w->block, at);
        if (word->at != at) *word = (struct flag_word){.at = at};
        merge_vector(word->released, w->flags.fence_acquired);
        w->block->flagged = true;
        w->flags.fence_flags++;
    }
}

void flags_acquire(struct warp *w, const uint64_t *address, uint32_t mask) {
    if (mask) w->flags.polled = address[first_lane(mask)];
    EACH_LANE(l, w->block->flagged ? mask : 0) {
        const uint64_t at = address[l] & ~UINT64_C(3);
        const struct flag_word *word = flag_slot(w->block, at);
        if (word->at == at) merge_vector(w->flags.acquired, word->released);
    }
}

bool flags_order(const struct warp *w, uint32_t other, uint32_t phase) {
    return other < MAX_WARPS && phase < w->flags.acquired[other];
}
