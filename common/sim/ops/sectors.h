// The addresses of a request to device memory, and the 32-byte sectors that its lanes touch.
#ifndef SIM_SECTORS_H
#define SIM_SECTORS_H

#include "lanes.h"

enum { SECTOR_SHIFT = 5, LINE_SHIFT = 7 }; // of an address: its sector, its line of four of them

// [Ra.64 + imm], [Ra.U32 + UR + imm], [UR + imm], [Ra + imm]; UR is a pair where Ra is none or 32 bits wide.
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

struct range {
    uint64_t low, high; // of the first bytes
};
INLINE struct range address_range(const uint64_t *address, uint32_t mask) {
    struct range r = {UINT64_MAX, 0};
    if (mask == ALL_LANES) {
        uint64_t low = UINT64_MAX, high = 0;
        for (int l = 0; l < LANES; l++) {
            low = address[l] < low ? address[l] : low;
            high = address[l] > high ? address[l] : high;
        }
        return (struct range){low, high};
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t a = address[__builtin_ctz(rest)];
        if (a < r.low) r.low = a;
        if (a > r.high) r.high = a;
    }
    return r;
}

// Different 32-byte sectors of the lanes. An access is aligned to its width, so it never spans two.
INLINE uint32_t count_sectors(const uint64_t *address, uint32_t mask, struct range range) {
    const uint64_t first = range.low >> SECTOR_SHIFT, span = (range.high >> SECTOR_SHIFT) - first;
    if (span == 0) return 1;
    if (span < 64) {
        uint64_t seen = 0;
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            seen |= 1ull << ((address[__builtin_ctz(rest)] >> SECTOR_SHIFT) - first);
        return (uint32_t)__builtin_popcountll(seen);
    }
    uint64_t sector[LANES];
    uint32_t count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t s = address[__builtin_ctz(rest)] >> SECTOR_SHIFT;
        uint32_t i = count;
        while (i > 0 && sector[i - 1] != s) i--;
        if (i == 0) sector[count++] = s;
    }
    return count;
}

// Where a copy's lanes write, from the first byte of the block's shared memory on.
INLINE void copy_targets(const struct warp *w, const struct detail *m, uint32_t *target) {
    const struct sass_operand *to = &m->instruction.operand[SASS_S];
    const uint32_t *row = w->row[to->has_base && to->number != SASS_RZ ? to->number : ROW_ZERO];
    LANE_LOOP target[l] = row[l] + (uint32_t)to->value - w->block->window;
}
INLINE bool is_past_l1(const struct detail *m) {
    return m->instruction.form->opcode == SASS_LDGSTS && !m->instruction.modifiers.flag;
}

// Of copies past L1, 16 bytes a lane: two lanes make one request for a sector only where they write one sector of shared memory, too, and
// the halves do not change places. 242 of 248 patterns of addresses on an H200 took exactly as many (docs/results/h200/copy_sectors.csv);
// in the others several lanes read the same bytes, or write them.
INLINE uint32_t count_copied_sectors(const uint64_t *address, const uint32_t *target, uint32_t mask) {
    uint32_t count = 0;
    uint64_t from[LANES];
    uint32_t to[LANES];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const uint64_t s = address[l] >> SECTOR_SHIFT;
        const uint32_t t = target[l] >> SECTOR_SHIFT << 1 | ((target[l] ^ (uint32_t)address[l]) >> 4 & 1);
        uint32_t i = count;
        while (i > 0 && (from[i - 1] != s || to[i - 1] != t)) i--;
        if (i > 0) continue;
        from[count] = s;
        to[count++] = t;
    }
    return count;
}

#endif
