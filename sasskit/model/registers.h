// The register file of a scheduler: two banks, the reuse cache, and the port through which results are written.
//
// A bank delivers one register a cycle, and may be some reads behind before that holds up issue. Memory instructions are issued
// without their registers, and read them when they leave their queue (Huerta). The reuse cache has a place for a register of each
// bank in each operand slot (isa/banks.c), which the last instruction that asked it holds, of whatever warp. Fixed-latency results take the write port one cycle each, in time, so results from memory, two registers a cycle, wait for gaps; when too many or
// one of them for too long wait, issue of the others does.
//
// Inline: the scheduler asks in every cycle.
#pragma once

#include "parts.h"

enum { BANKS = 2 };

static inline struct place *place_of(struct scheduler *s, const struct instruction *in, int slot, int bank) {
    return &s->place[in->places][slot][bank];
}
static inline bool is_kept(const struct scheduler *s, const struct warp *w, int slot, int bank) {
    const struct instruction *in = w->next;
    const struct place *place = &s->place[in->places][slot][bank];
    return place->warp == w && place->number == ((in->slot[slot] & ~1) | bank);
}
static inline uint32_t reads_of_bank(uint32_t reads, int bank) {
    return reads & 0xffffu << 16 * bank;
}

// Reads that w's next instruction needs to be issued, as in struct instruction.
static inline uint32_t reads_of_next(const struct scheduler *s, const struct warp *w) {
    const struct instruction *in = w->next;
    if (in->unit == UNIT_MEMORY) return 0;
    uint32_t reads = in->reads;
    for (int i = 0; i < 3 && in->places != NO_PLACES; i++) {
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

// When w's next instruction can read so much, and what it reads from the cache has come there.
static inline int64_t registers_ready(const struct sm *sm, const struct scheduler *s, const struct warp *w,
                                      uint32_t reads, int64_t now) {
    const struct instruction *in = w->next;
    const int most = sm->bank_queue + 1;
    int64_t ready = now;
    for (int i = 0; i < BANKS; i++) {
        const int room = of_bank(reads, i) < most ? most - of_bank(reads, i) : 0;
        const int64_t from = (of_bank(reads, i) > 0) * (s->read_by[i] - room);
        ready = from > ready ? from : ready;
    }
    for (int i = 0; i < 3 && in->places != NO_PLACES; i++) {
        for (int k = 0; k < BANKS && in->slot[i] != NO_REGISTER; k++) {
            const int64_t from = s->place[in->places][i][k].from;
            if (from > ready && of_bank(in->slot_reads[i], k) && is_kept(s, w, i, k)) ready = from;
        }
    }
    return ready;
}

// An instruction takes the places of the registers that it names, and keeps those that are flagged. Of two operands in one bank the
// second comes a cycle later.
static inline void registers_keep(struct scheduler *s, const struct warp *w, int64_t now) {
    const struct instruction *in = w->next;
    int64_t by[BANKS] = {now, now};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < BANKS && in->slot[i] != NO_REGISTER; k++) {
            if (!of_bank(in->slot_reads[i], k)) continue;
            struct place *place = place_of(s, in, i, k);
            if (!is_kept(s, w, i, k)) {
                by[k] += of_bank(in->slot_reads[i], k);
                place->from = in->unit == UNIT_FP64 ? now : by[k];
            }
            place->warp = in->kept[i] ? w : NULL;
            place->number = (int16_t)((in->slot[i] & ~1) | k);
        }
    }
}

static inline void registers_empty(struct scheduler *s, const struct warp *w) {
    for (int p = 0; p < PLACES; p++) {
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < BANKS; k++) {
                if (s->place[p][i][k].warp == w) s->place[p][i][k].warp = NULL;
            }
        }
    }
}

// A bank has so many more registers to deliver.
static inline void registers_ask(struct scheduler *s, int bank, int reads, int64_t now) {
    s->read_by[bank] = (s->read_by[bank] > now ? s->read_by[bank] : now) + reads;
}

// What a memory instruction reads as it leaves its queue. Returns for how many cycles a bank of these was behind.
static inline int64_t registers_fetch(struct scheduler *s, uint32_t reads, int64_t now) {
    int64_t behind = 0;
    for (int i = 0; i < BANKS; i++) {
        if (of_bank(reads, i) && s->read_by[i] - now > behind) behind = s->read_by[i] - now;
        registers_ask(s, i, of_bank(reads, i), now);
    }
    return behind;
}

// FP64 instructions read pairs. Those of which a bank has more than fits the cycles of their pipe take that much more, which is
// returned: their own warp waits, as Nsight Compute sees it (step 11), and not the whole scheduler.
static inline int registers_read(struct scheduler *s, const struct warp *w, uint32_t reads, int64_t now) {
    const struct instruction *in = w->next;
    int more = 0;
    for (int i = 0; i < BANKS && in->unit == UNIT_FP64; i++)
        more = of_bank(reads, i) - in->busy > more ? of_bank(reads, i) - in->busy : more;
    if (in->places != NO_PLACES) registers_keep(s, w, now);
    if (in->empties) registers_empty(s, w);
    for (int i = 0; i < BANKS; i++) {
        const int left = of_bank(reads, i) > more ? of_bank(reads, i) - more : 0;
        registers_ask(s, i, left, now);
    }
    return more;
}

// When a result can be written.
static inline int64_t registers_port(const struct sm *sm, struct scheduler *s, int64_t now) {
    const int64_t gaps = now > s->writes_at ? now - s->writes_at : 0;
    s->results = s->results > gaps ? (int)(s->results - gaps) : 0;
    s->writes_at += gaps;
    const int64_t over = s->results - sm->write_queue;
    const int64_t from = over > 0 ? now + over : now;
    return from > s->port_closed ? from : s->port_closed;
}

static inline void registers_written(struct scheduler *s, const struct instruction *in, int64_t now) {
    const int64_t cycles = now - s->written_at;
    s->writes_at = now + 1;
    for (int i = 0; i < BANKS; i++) s->written[i] = (cycles < 64 ? s->written[i] << cycles : 0) | (in->into >> i & 1);
    s->written_at = now;
}

// Whether fixed-latency results took one of these banks in a cycle that is over.
static inline bool registers_were_written(const struct scheduler *s, int banks, int64_t cycle) {
    const int64_t ago = s->written_at - cycle;
    if (ago < 0 || ago > 63) return false;
    return (banks & 1 && s->written[0] >> ago & 1) || (banks & 2 && s->written[1] >> ago & 1);
}
