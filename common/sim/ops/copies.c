// Asynchronous copies that end: their bytes reach shared memory when somebody waits for them, not before.
#include "sim/checks/order.h"
#include "sim/machine/machine.h"

static void finish(struct warp *w, int count) {
    struct block *b = w->block;
    const uint32_t stamp = w->epoch << 6 | w->index;
    const int granule = b->launch->granule;
    for (int i = 0; i < count; i++) {
        const struct copy *c = &w->copy[i];
        for (uint32_t k = 0; k < c->bytes; k += 4) memcpy(b->shared + c->address + k, c->data + k, 4);
        if (c->address < w->stored_low) w->stored_low = c->address;
        if (c->address + c->bytes > w->stored_high) w->stored_high = c->address + c->bytes;
        for (uint32_t at = c->address >> granule; at < (c->address + c->bytes) >> granule; at++) {
            b->last_write[at] = stamp;
            b->last_lane[at] = w->phase << STAMP_LANE_BITS | c->lane; // others of the warp need a __syncwarp, too
            if (b->ordering) order_mark(w, b, at, ACCESS_WRITE);
        }
    }
    w->copy_count -= count;
    memmove(w->copy, w->copy + count, (size_t)w->copy_count * sizeof *w->copy);
}

void copies_finish(struct warp *w, int groups_left) {
    if (groups_left < 0) {
        if (w->copy_count) finish(w, w->copy_count);
        w->copy_group_count = 0;
        return;
    }
    const int groups = w->copy_group_count - groups_left;
    if (groups <= 0) return;
    const int count = w->copy_group[groups - 1];
    if (count) finish(w, count);
    for (int i = groups; i < w->copy_group_count; i++) w->copy_group[i - groups] = w->copy_group[i] - count;
    w->copy_group_count -= groups;
}
