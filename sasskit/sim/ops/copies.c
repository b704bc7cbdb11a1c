// Completes asynchronous copies. Their bytes reach shared memory when the code waits for them, and
// not before.
#include "copies.h"
#include "sectors.h"
#include "sim/checks/order.h"

// Completes the first `count` copies. `mbarrier` is the address of the mbarrier that announces this
// to its waiters. It is NO_MBARRIER if this warp itself has waited for the copies.
static void finish(struct warp *w, int count, uint32_t mbarrier) {
    struct block *b = w->block;
    const uint32_t stamp = w->races.epoch << 6 | w->index;
    const int granule = b->launch->granule;
    for (int i = 0; i < count; i++) {
        const struct copy *c = &w->copies.copy[i];
        for (uint32_t k = 0; k < c->bytes; k += 4)
            memcpy(b->shared + c->address + k, c->data + k, 4);
        if (c->address < w->races.stored_low) w->races.stored_low = c->address;
        if (c->address + c->bytes > w->races.stored_high)
            w->races.stored_high = c->address + c->bytes;
        for (uint32_t at = c->address >> granule; at < (c->address + c->bytes) >> granule; at++) {
            b->last_write[at] = stamp;
            // other lanes of the warp may read the bytes only after a __syncwarp()
            b->last_lane[at] = w->races.phase << STAMP_LANE_BITS | c->lane;
            if (b->ordering && mbarrier == NO_MBARRIER) order_mark(w, b, at, ACCESS_WRITE);
        }
        if (mbarrier != NO_MBARRIER)
            order_engine_copied(b, c->address >> granule, c->bytes >> granule, mbarrier);
    }
    w->copies.count -= count;
    memmove(w->copies.copy, w->copies.copy + count,
            (size_t)w->copies.count * sizeof *w->copies.copy);
}

void copies_arrive(struct warp *w, uint32_t mbarrier) {
    if (w->copies.count) finish(w, w->copies.count, mbarrier);
    w->copies.group_count = 0;
    w->copies.arrived |= mbarrier != NO_MBARRIER;
}

void copies_finish(struct warp *w, int groups_left) {
    if (w->copies.arrived) order_copies_waited(w);
    if (groups_left < 0) {
        copies_arrive(w, NO_MBARRIER);
        return;
    }
    const int groups = w->copies.group_count - groups_left;
    if (groups <= 0) return;
    const int count = w->copies.group[groups - 1];
    if (count) finish(w, count, NO_MBARRIER);
    for (int i = groups; i < w->copies.group_count; i++)
        w->copies.group[i - groups] = w->copies.group[i] - count;
    w->copies.group_count -= groups;
}

void copy_targets(const struct warp *w, const struct detail *m, uint32_t *target) {
    const struct sass_operand *to = &m->instruction.operand[SASS_S];
    const uint32_t *row = w->row[to->has_base && to->number != SASS_RZ ? to->number : ROW_ZERO];
    const uint32_t add =
        to->has_uniform && to->uniform != SASS_URZ ? w->row[ROW_UNIFORM + to->uniform][0] : 0;
    for (int l = 0; l < LANES; l++)
        target[l] = row[l] + add + (uint32_t)to->value - w->block->window;
}

// Returns how many requests of a copy of 16 bytes per lane read a sector that an earlier one read.
// Two lanes share a request if three things agree: the sector read, the 32-byte sector of shared
// memory written, and whether the sector's halves are swapped. For 242 of 248 patterns, an H200 had
// as many (docs/results/h200/copy_sectors.csv). In the other 6, several lanes read the same bytes.
uint32_t count_sectors_again(const uint64_t *address, const uint32_t *target, uint32_t mask) {
    enum { TARGET_BITS = 20 };
    uint32_t count = 0, again = 0;
    uint64_t request[LANES]; // source sector, target sector, and whether the halves are swapped
    for (; mask; mask &= mask - 1) {
        const int l = __builtin_ctz(mask);
        const uint32_t swapped = (target[l] ^ (uint32_t)address[l]) >> 4 & 1;
        const uint64_t r =
            address[l] >> SECTOR_SHIFT << TARGET_BITS | target[l] >> SECTOR_SHIFT << 1 | swapped;
        bool made = false, same_sector = false;
        for (uint32_t i = 0; i < count; i++) {
            made |= request[i] == r;
            same_sector |= request[i] >> TARGET_BITS == r >> TARGET_BITS;
        }
        if (made) continue;
        request[count++] = r;
        again += same_sector;
    }
    return again;
}
