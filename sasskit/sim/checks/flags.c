// Flags in device memory by which warps of a block meet: what orders their shared memory where no barrier does.
//
// A fence takes down what its warp has done and knows; a strong store or an atomic of device memory, or one lane's first store behind
// the fence, tells it at its word; a strong load or an atomic of that word has heard it. What a warp has done is counted by its phase.
// Looked up where a race would be reported (races.c), so those who have no such flags pay nothing.
//
// Limits: 32 words behind a fence, and 128 of a block, of which two may want one place; whether a fence follows the load is not looked
// at, nor who meets by way of another block.
#include "order.h"

static void learn(uint32_t *to, const uint32_t *from) {
    for (int i = 0; i < MAX_WARPS; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

static struct flag_word *place_of(struct block *b, uint64_t at) {
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
        struct flag_word *word = place_of(w->block, at);
        if (word->at != at) *word = (struct flag_word){.at = at};
        learn(word->knows, w->flags.fence_knows);
        w->block->flagged = true;
        w->flags.fence_told++;
    }
}

void flags_ask(struct warp *w, const uint64_t *address, uint32_t mask) {
    EACH_LANE(l, w->block->flagged ? mask : 0) {
        const uint64_t at = address[l] & ~UINT64_C(3);
        const struct flag_word *word = place_of(w->block, at);
        if (word->at == at) learn(w->flags.heard, word->knows);
    }
}

bool flags_order(const struct warp *w, uint32_t other, uint32_t phase) {
    return other < MAX_WARPS && phase < w->flags.heard[other];
}
