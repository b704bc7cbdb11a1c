// Addresses of a request to device memory, and the 32-byte sectors that its lanes touch.
#pragma once

#include "lanes.h"

// Right shifts from a byte address to the index of its sector, and of its line of four sectors.
enum { SECTOR_SHIFT = 5, LINE_SHIFT = 7 };

// Computes the lanes' 64-bit addresses: [Ra.64 + imm], [Ra.U32 + UR + imm], [UR + imm] or [Ra +
// imm]. UR is a pair of uniform registers.
INLINE void addresses(const struct warp *w, const struct detail *m, uint64_t *address) {
    const uint32_t *low = w->row[m->base];
    const uint32_t *high = m->wide && m->base != ROW_ZERO ? w->row[m->base + 1] : w->row[ROW_ZERO];
    uint64_t add = (uint64_t)m->instruction.operand[SASS_M].value;
    if (m->uniform != ROW_UNIFORM_ZERO) {
        add += w->row[m->uniform][0];
        add += (uint64_t)w->row[m->uniform + 1][0] << 32;
    }
    LANE_LOOP address[l] = ((uint64_t)high[l] << 32 | low[l]) + add;
}

struct byte_range {
    uint64_t low, high; // lowest and highest address of a lane's first byte
};
INLINE struct byte_range address_range(const uint64_t *address, uint32_t mask) {
    struct byte_range r = {UINT64_MAX, 0};
    if (mask == ALL_LANES) {
        uint64_t low = UINT64_MAX, high = 0;
        for (int l = 0; l < LANES; l++) {
            low = address[l] < low ? address[l] : low;
            high = address[l] > high ? address[l] : high;
        }
        return (struct byte_range){low, high};
    }
    EACH_LANE(l, mask) {
        const uint64_t a = address[l];
        if (a < r.low) r.low = a;
        if (a > r.high) r.high = a;
    }
    return r;
}

// Returns the number of distinct blocks of 1 << shift bytes in which the lanes' addresses lie.
INLINE uint32_t count_places(const uint64_t *address, uint32_t mask, int shift) {
    uint64_t place[LANES];
    uint32_t count = 0;
    EACH_LANE(l, mask) {
        const uint64_t number = address[l] >> shift;
        uint32_t i = count;
        while (i > 0 && place[i - 1] != number) i--;
        if (i == 0) place[count++] = number;
    }
    return count;
}

// Returns the number of distinct 32-byte sectors that the lanes access. Each lane's access lies in
// one sector, because it is aligned to its width.
INLINE uint32_t count_sectors(const uint64_t *address, uint32_t mask, struct byte_range range) {
    const uint64_t first = range.low >> SECTOR_SHIFT, span = (range.high >> SECTOR_SHIFT) - first;
    if (span == 0) return 1;
    if (span < 64) {
        uint64_t seen = 0;
        EACH_LANE(l, mask) seen |= 1ull << ((address[l] >> SECTOR_SHIFT) - first);
        return (uint32_t)__builtin_popcountll(seen);
    }
    return count_places(address, mask, SECTOR_SHIFT);
}

// Returns true for an asynchronous copy that bypasses L1 (LDGSTS.BYPASS).
INLINE bool is_past_l1(const struct detail *m) {
    return m->instruction.form->opcode == SASS_LDGSTS && !m->instruction.modifiers.flag;
}
// copies.c: sets each lane's target of a copy, which is an offset in the block's shared memory.
void copy_targets(const struct warp *w, const struct detail *m, uint32_t *target);
// copies.c: returns how many requests of a copy past L1 read a sector that an earlier one read.
uint32_t count_sectors_again(const uint64_t *address, const uint32_t *target, uint32_t mask);
