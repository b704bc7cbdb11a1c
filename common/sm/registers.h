// The register file of a scheduler: two banks, the reuse cache, and the port through which results are written.
//
// A bank delivers one register a cycle, and may be some reads behind before that holds up issue. The reuse cache keeps, for
// each operand slot, what the instruction before flagged, and for one warp only: the scheduler that turns to another warp
// loses it. Fixed-latency results take the write port one cycle each, in time, so results from memory, two registers a
// cycle, wait for gaps; when too many wait, issue of the others does.
//
// Inline: the scheduler asks in every cycle.
#ifndef SM_REGISTERS_H
#define SM_REGISTERS_H

#include "parts.h"

enum { BANKS = 2 };

// Reads that w's next instruction needs, as in struct instruction.
static inline uint32_t reads_of_next(const struct scheduler *s, const struct warp *w) {
    const struct instruction *in = w->next;
    uint32_t reads = in->reads;
    if (s->kept_for != w) return reads;
    for (int i = 0; i < 3; i++) reads -= (s->keeper->kept[i] == in->slot[i]) * in->slot_reads[i];
    return reads;
}
static inline int of_bank(uint32_t reads, int bank) {
    return (int)(reads >> 16 * bank & 0xffff);
}

// When so much can be read.
static inline int64_t registers_ready(const struct sm *sm, const struct scheduler *s, uint32_t reads, int64_t now) {
    const int most = sm->bank_queue + 1;
    int64_t ready = now;
    for (int i = 0; i < BANKS; i++) {
        const int room = of_bank(reads, i) < most ? most - of_bank(reads, i) : 0;
        const int64_t from = (of_bank(reads, i) > 0) * (s->read_by[i] - room);
        ready = from > ready ? from : ready;
    }
    return ready;
}

// FP64 instructions read pairs. Those of which a bank has more than fits the cycles of their pipe take that much more, which is
// returned: their own warp waits, as Nsight Compute sees it (step 11), and not the whole scheduler.
static inline int registers_read(struct scheduler *s, const struct warp *w, uint32_t reads, int64_t now) {
    const struct instruction *in = w->next;
    int more = 0;
    for (int i = 0; i < BANKS && in->unit == UNIT_FP64; i++)
        more = of_bank(reads, i) - in->busy > more ? of_bank(reads, i) - in->busy : more;
    for (int i = 0; i < BANKS; i++) {
        const int left = of_bank(reads, i) > more ? of_bank(reads, i) - more : 0;
        s->read_by[i] = (s->read_by[i] > now ? s->read_by[i] : now) + left;
    }
    if (in->uses_cache) {
        s->kept_for = w;
        s->keeper = in;
    }
    return more;
}

// When a result can be written.
static inline int64_t registers_port(const struct sm *sm, struct scheduler *s, int64_t now) {
    const int64_t gaps = now > s->writes_at ? now - s->writes_at : 0;
    s->results = s->results > gaps ? (int)(s->results - gaps) : 0;
    s->writes_at += gaps;
    const int64_t over = s->results - sm->write_queue;
    return over > 0 ? now + over : now;
}

static inline void registers_written(struct scheduler *s, int64_t now) {
    const int64_t cycles = now - s->written_at;
    s->writes_at = now + 1;
    s->written = (cycles < 64 ? s->written << cycles : 0) | 1;
    s->written_at = now;
}

#endif
