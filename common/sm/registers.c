// The register file of a scheduler: two banks, the reuse cache, and the port through which results are written.
//
// A bank delivers one register a cycle, and may be some reads behind before that holds up issue. The reuse cache keeps, for
// each operand slot, what the instruction before flagged, and for one warp only: the scheduler that turns to another warp
// loses it. Fixed-latency results take the write port one cycle each, in time, so results from memory, two registers a
// cycle, wait for gaps; when too many wait, issue of the others does.
#include "parts.h"

enum { BANKS = 2 };

static bool is_kept(const struct scheduler *s, const struct warp *w, const struct instruction *in, int slot) {
    return s->kept_for == w && s->kept[slot] == in->slot[slot];
}

// Reads of each bank that an instruction needs.
static void count_reads(const struct scheduler *s, const struct warp *w, const struct instruction *in,
                        int reads[BANKS]) {
    reads[0] = in->address[0];
    reads[1] = in->address[1];
    for (int slot = 0; in->uses_cache && slot < 3; slot++) {
        if (in->slot[slot] == NO_REGISTER || is_kept(s, w, in, slot)) continue;
        for (int i = 0; i < in->width[slot]; i++) reads[(in->slot[slot] + i) & 1]++;
    }
}

static void catch_up(struct scheduler *s, int64_t now) {
    const int64_t cycles = now - s->banks_at;
    for (int i = 0; i < BANKS; i++) s->behind[i] = s->behind[i] > cycles ? (int)(s->behind[i] - cycles) : 0;
    s->banks_at = now;
}

int64_t registers_ready(const struct sm *sm, struct scheduler *s, const struct warp *w, int64_t now) {
    const int most = (int)sm->machine->bank_queue + 1;
    int reads[BANKS], late = 0;
    catch_up(s, now);
    if (s->behind[0] + s->behind[1] == 0) return now;
    count_reads(s, w, w->next, reads);
    for (int i = 0; i < BANKS; i++) {
        int over = s->behind[i] + reads[i] - most;
        if (reads[i] == 0) continue;
        if (over > s->behind[i]) over = s->behind[i];
        if (over > late) late = over;
    }
    return now + late;
}

void registers_read(struct scheduler *s, const struct warp *w, int64_t now) {
    const struct instruction *in = w->next;
    int reads[BANKS];
    catch_up(s, now);
    count_reads(s, w, in, reads);
    for (int i = 0; i < BANKS; i++) s->behind[i] += reads[i];
    if (!in->uses_cache) return;
    for (int i = 0; i < 3; i++) s->kept[i] = in->keeps && (in->reuse >> i & 1) ? in->slot[i] : NO_REGISTER;
    s->kept_for = w;
}

int64_t registers_port(const struct sm *sm, struct scheduler *s, int64_t now) {
    const int64_t gaps = now - s->writes_at;
    if (gaps > 0) {
        s->results = s->results > gaps ? (int)(s->results - gaps) : 0;
        s->writes_at = now;
    }
    const int64_t over = s->results - (int64_t)sm->machine->write_queue;
    return over > 0 ? now + over : now;
}

void registers_written(struct scheduler *s, int64_t now) {
    s->writes_at = now + 1;
}
