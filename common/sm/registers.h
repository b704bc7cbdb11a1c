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

// Reads of each bank that w's next instruction needs.
static inline void count_reads(const struct scheduler *s, const struct warp *w, int reads[BANKS]) {
    const struct instruction *in = w->next;
    uint32_t both = in->reads;
    if (s->kept_for == w && in->uses_cache) {
        for (int i = 0; i < 3; i++) both -= s->kept[i] == in->slot[i] ? in->slot_reads[i] : 0;
    }
    reads[0] = (int)(both & 0xffff);
    reads[1] = (int)(both >> 16);
}

static inline void registers_catch_up(struct scheduler *s, int64_t now) {
    const int64_t cycles = now - s->banks_at;
    for (int i = 0; i < BANKS; i++) s->behind[i] = s->behind[i] > cycles ? (int)(s->behind[i] - cycles) : 0;
    s->banks_at = now;
}

// When the operands of w's next instruction can be read, once the file has caught up.
static inline int64_t registers_ready(const struct sm *sm, const struct scheduler *s, const struct warp *w,
                                      int64_t now) {
    if ((s->behind[0] | s->behind[1]) == 0) return now;
    const int most = (int)sm->machine->bank_queue + 1;
    int reads[BANKS], late = 0;
    count_reads(s, w, reads);
    for (int i = 0; i < BANKS; i++) {
        int over = s->behind[i] + reads[i] - most;
        if (reads[i] == 0) continue;
        if (over > s->behind[i]) over = s->behind[i];
        if (over > late) late = over;
    }
    return now + late;
}

// FP64 instructions read pairs. Those of which a bank has more than fits the cycles of their pipe take that much more, which is
// returned: their own warp waits, as Nsight Compute sees it (step 11), and not the whole scheduler.
static inline int registers_read(struct scheduler *s, const struct warp *w) {
    const struct instruction *in = w->next;
    int reads[BANKS], more = 0;
    count_reads(s, w, reads);
    for (int i = 0; i < BANKS && in->unit == UNIT_FP64; i++)
        more = reads[i] - in->busy > more ? reads[i] - in->busy : more;
    for (int i = 0; i < BANKS; i++) s->behind[i] += reads[i] > more ? reads[i] - more : 0;
    if (!in->uses_cache) return 0;
    s->kept_for = in->keeps && in->reuse ? w : NULL;
    for (int i = 0; i < 3; i++) s->kept[i] = in->reuse >> i & 1 ? in->slot[i] : NO_REGISTER;
    return more;
}

// When a result can be written.
static inline int64_t registers_port(const struct sm *sm, struct scheduler *s, int64_t now) {
    const int64_t gaps = now - s->writes_at;
    if (gaps > 0) {
        s->results = s->results > gaps ? (int)(s->results - gaps) : 0;
        s->writes_at = now;
    }
    const int64_t over = s->results - (int64_t)sm->machine->write_queue;
    return over > 0 ? now + over : now;
}

static inline void registers_written(struct scheduler *s, int64_t now) {
    const int64_t cycles = now - s->written_at;
    s->writes_at = now + 1;
    s->written = (cycles < 64 ? s->written << cycles : 0) | 1;
    s->written_at = now;
}

#endif
