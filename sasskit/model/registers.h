// The register file of a scheduler: two banks, the reuse cache, and the write port.
//
// Reads: a bank delivers one register per cycle, and up to bank_queue reads may stay queued there
// without delaying issue. Memory instructions issue without their registers, and read them when
// they leave their queue (Huerta, see machine.def). Reuse cache: each operand slot holds one
// register per bank (isa/banks.c), from the last instruction that used the slot, whichever warp it
// belongs to. Writes: a fixed-latency result takes the write port for one cycle and is never late.
// Results from memory, two registers per cycle, use the cycles in between. If too many of them
// wait, or one waits too long, issue waits for them.
//
// The functions are inline because the scheduler calls them in every cycle.
#pragma once

#include "parts.h"

enum { BANKS = 2 };

static inline struct reuse_entry *reuse_entry_of(struct sm_scheduler *s,
                                                 const struct instruction *in, int slot, int bank) {
    return &s->reuse[in->reuse_cache][slot][bank];
}
static inline bool is_kept(const struct sm_scheduler *s, const struct sm_warp *w, int slot,
                           int bank) {
    const struct instruction *in = w->next;
    const struct reuse_entry *entry = &s->reuse[in->reuse_cache][slot][bank];
    return entry->warp == w && entry->number == ((in->slot[slot] & ~1) | bank);
}
static inline uint32_t reads_of_bank(uint32_t reads, int bank) {
    return reads & 0xffffu << 16 * bank;
}

// Returns the registers that w's next instruction reads at issue, per bank: bank 0 in bits 0-15,
// bank 1 in bits 16-31.
static inline uint32_t reads_of_next(const struct sm_scheduler *s, const struct sm_warp *w) {
    const struct instruction *in = w->next;
    if (in->unit == UNIT_MEMORY) return 0;
    uint32_t reads = in->reads;
    for (int i = 0; i < 3 && in->reuse_cache != NO_REUSE; i++) {
        for (int k = 0; k < BANKS && in->slot[i] != NO_REGISTER; k++) {
            const uint32_t mine = reads_of_bank(in->slot_reads[i], k);
            if (mine && is_kept(s, w, i, k)) reads -= mine;
        }
    }
    return reads;
}
static inline int of_bank(uint32_t reads, int bank) {
    return (int)(reads >> 16 * bank & 0xffff);
}

// Returns the cycle from which w's next instruction can read its operands: the banks can take
// `reads`, and the reuse cache has received the other operands.
static inline int64_t registers_ready(const struct sm *sm, const struct sm_scheduler *s,
                                      const struct sm_warp *w, uint32_t reads, int64_t now) {
    const struct instruction *in = w->next;
    const int most = sm->bank_queue + 1;
    int64_t ready = now;
    for (int i = 0; i < BANKS; i++) {
        const int room = of_bank(reads, i) < most ? most - of_bank(reads, i) : 0;
        const int64_t from = (of_bank(reads, i) > 0) * (s->read_by[i] - room);
        ready = from > ready ? from : ready;
    }
    for (int i = 0; i < 3 && in->reuse_cache != NO_REUSE; i++) {
        for (int k = 0; k < BANKS && in->slot[i] != NO_REGISTER; k++) {
            const int64_t from = s->reuse[in->reuse_cache][i][k].from;
            if (from > ready && of_bank(in->slot_reads[i], k) && is_kept(s, w, i, k)) ready = from;
        }
    }
    return ready;
}

// Updates the reuse cache: the instruction replaces the entries of its operand slots, and keeps its
// flagged operands there. The second of two operands in one bank arrives one cycle later, except in
// the FP64 pipe.
static inline void registers_keep(struct sm_scheduler *s, const struct sm_warp *w, int64_t now) {
    const struct instruction *in = w->next;
    int64_t by[BANKS] = {now, now};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < BANKS && in->slot[i] != NO_REGISTER; k++) {
            if (!of_bank(in->slot_reads[i], k)) continue;
            struct reuse_entry *entry = reuse_entry_of(s, in, i, k);
            if (!is_kept(s, w, i, k)) {
                by[k] += of_bank(in->slot_reads[i], k);
                entry->from = in->unit == UNIT_FP64 ? now : by[k];
            }
            entry->warp = in->kept[i] ? w : NULL;
            entry->number = (int16_t)((in->slot[i] & ~1) | k);
        }
    }
}

static inline void registers_empty(struct sm_scheduler *s, const struct sm_warp *w) {
    for (int p = 0; p < REUSE_CACHES; p++) {
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < BANKS; k++) {
                if (s->reuse[p][i][k].warp == w) s->reuse[p][i][k].warp = NULL;
            }
        }
    }
}

static inline void registers_queue(struct sm_scheduler *s, int bank, int reads, int64_t now) {
    s->read_by[bank] = (s->read_by[bank] > now ? s->read_by[bank] : now) + reads;
}

// Reads a memory instruction's registers when it leaves its queue. Returns the delay of the slower
// bank, in cycles.
static inline int64_t registers_fetch(struct sm_scheduler *s, uint32_t reads, int64_t now) {
    int64_t behind = 0;
    for (int i = 0; i < BANKS; i++) {
        if (of_bank(reads, i) && s->read_by[i] - now > behind) behind = s->read_by[i] - now;
        registers_queue(s, i, of_bank(reads, i), now);
    }
    return behind;
}

// Reads an instruction's registers at issue. Returns the cycles for which its warp waits beyond the
// stall count; other warps do not wait. Returns 0 except for an FP64 instruction with more reads in
// one bank than cycles in its pipe (Nsight Compute, step 11).
static inline int registers_read(struct sm_scheduler *s, const struct sm_warp *w, uint32_t reads,
                                 int64_t now) {
    const struct instruction *in = w->next;
    int more = 0;
    for (int i = 0; i < BANKS && in->unit == UNIT_FP64; i++)
        more = of_bank(reads, i) - in->busy > more ? of_bank(reads, i) - in->busy : more;
    if (in->reuse_cache != NO_REUSE) registers_keep(s, w, now);
    if (in->empties_reuse) registers_empty(s, w);
    for (int i = 0; i < BANKS; i++) {
        const int left = of_bank(reads, i) > more ? of_bank(reads, i) - more : 0;
        registers_queue(s, i, left, now);
    }
    return more;
}

// Returns the cycle in which a fixed-latency result can use the write port.
static inline int64_t registers_port(const struct sm *sm, struct sm_scheduler *s, int64_t now) {
    const int64_t gaps = now > s->writes_at ? now - s->writes_at : 0;
    s->results = s->results > gaps ? (int)(s->results - gaps) : 0;
    s->writes_at += gaps;
    const int64_t over = s->results - sm->write_queue;
    const int64_t from = over > 0 ? now + over : now;
    return from > s->port_closed ? from : s->port_closed;
}

static inline void registers_written(struct sm_scheduler *s, const struct instruction *in,
                                     int64_t now) {
    const int64_t cycles = now - s->written_at;
    s->writes_at = now + 1;
    for (int i = 0; i < BANKS; i++)
        s->written[i] = (cycles < 64 ? s->written[i] << cycles : 0) | (in->into >> i & 1);
    s->written_at = now;
}

// Returns true if a fixed-latency result was written to one of these banks in the given past cycle.
static inline bool registers_were_written(const struct sm_scheduler *s, int banks, int64_t cycle) {
    const int64_t ago = s->written_at - cycle;
    if (ago < 0 || ago > 63) return false;
    return (banks & 1 && s->written[0] >> ago & 1) || (banks & 2 && s->written[1] >> ago & 1);
}
