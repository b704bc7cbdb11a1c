// Who is known to come after whom, in kernels whose barriers are not all for the whole block: bar.sync and bar.arrive for a part
// of it, and mbarriers. (Where all are, counting them is enough: races.c.)
//
// Each warp has a clock, and knows up to which time of each other warp's everything was before it. It gives what it knows to a
// barrier that it arrives at, and takes what the barrier was given when it has waited. A granule has the time of its last write, and
// of each warp's last read. An access is in a race when the one before it is later than what its warp knows, and one of them writes.
//
// The copy engine is one more party: it knows nothing, its copies end at times of its own, which their mbarrier passes on.
// Limits: clusters of several blocks are not looked at; nor is what tensor cores and the copy engine read.
#include "order.h"

#include <stdlib.h>

enum { PARTIES = MAX_WARPS + 1 };

struct knowledge {
    uint32_t time[PARTIES]; // of each party, up to which everything was before
};
struct phases { // of an mbarrier
    uint32_t at;
    struct knowledge given, over; // by all who arrived; by those of phases that are over
};
struct touch {
    uint32_t time; // of the last write, 0 none
    uint8_t party;
    bool atomic;
};
struct ordering {
    uint32_t warps;
    size_t granules;
    struct knowledge warp[MAX_WARPS], named[NAMED_BARRIERS], cluster;
    struct phases *phases; // (count)
    int count, capacity;
    uint32_t engine;     // the copy engine's clock
    struct touch *touch; // (granules)
    uint32_t *read;      // (granules, warps): times of the last reads, 0 none
};

struct ordering *order_open(uint32_t warps, size_t granules) {
    struct ordering *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    o->warps = warps;
    o->granules = granules;
    o->touch = calloc(granules, sizeof *o->touch);
    o->read = calloc(granules * warps, sizeof *o->read);
    if (o->touch && o->read) return o;
    order_close(o);
    return NULL;
}

void order_close(struct ordering *o) {
    if (!o) return;
    free(o->phases);
    free(o->touch);
    free(o->read);
    free(o);
}

void order_start(struct ordering *o) {
    if (!o) return;
    memset(o->warp, 0, sizeof o->warp);
    memset(o->named, 0, sizeof o->named);
    memset(&o->cluster, 0, sizeof o->cluster);
    memset(o->touch, 0, o->granules * sizeof *o->touch);
    memset(o->read, 0, o->granules * o->warps * sizeof *o->read);
    for (uint32_t i = 0; i < o->warps; i++) o->warp[i].time[i] = 1;
    o->count = 0;
    o->engine = 0;
}

// --- what is known -----------------------------------------------------------------------------------------------------------

static void learn(struct knowledge *to, const struct knowledge *from) {
    for (int i = 0; i < PARTIES; i++) {
        if (from->time[i] > to->time[i]) to->time[i] = from->time[i];
    }
}

// What the warp does from now on is later than what it gives.
static void give(struct ordering *o, const struct warp *w, struct knowledge *to) {
    learn(to, &o->warp[w->index]);
    o->warp[w->index].time[w->index]++;
}

void order_arrive(const struct warp *w, uint32_t id) {
    struct ordering *o = w->block->ordering;
    if (o) give(o, w, &o->named[id]);
}
void order_pass(const struct warp *w, uint32_t id) {
    struct ordering *o = w->block->ordering;
    if (o) learn(&o->warp[w->index], &o->named[id]);
}
void order_complete(const struct block *b, uint32_t id) {
    if (b->ordering) memset(&b->ordering->named[id], 0, sizeof b->ordering->named[id]);
}

void order_cluster(const struct warp *w, bool arrives) {
    struct ordering *o = w->block->ordering;
    if (!o) return;
    if (arrives)
        give(o, w, &o->cluster);
    else
        learn(&o->warp[w->index], &o->cluster);
}

static struct phases *phases_of(struct ordering *o, uint32_t at) {
    for (int i = 0; i < o->count; i++) {
        if (o->phases[i].at == at) return &o->phases[i];
    }
    if (o->count == o->capacity) {
        o->capacity = o->capacity ? 2 * o->capacity : 8;
        o->phases = realloc(o->phases, (size_t)o->capacity * sizeof *o->phases);
        if (!o->phases) abort();
    }
    o->phases[o->count] = (struct phases){.at = at};
    return &o->phases[o->count++];
}

void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at) {
    if (b->ordering && b == w->block) give(b->ordering, w, &phases_of(b->ordering, at)->given);
}
void order_mbarrier_over(const struct block *b, uint32_t at) {
    if (!b->ordering) return;
    struct phases *p = phases_of(b->ordering, at);
    p->over = p->given;
}
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at) {
    if (b->ordering && b == w->block) learn(&b->ordering->warp[w->index], &phases_of(b->ordering, at)->over);
}

// --- accesses ----------------------------------------------------------------------------------------------------------------

struct conflict order_conflict(const struct warp *w, size_t granule, enum access how, bool changes) {
    const struct ordering *o = w->block->ordering;
    const struct knowledge *known = &o->warp[w->index];
    const struct touch *t = &o->touch[granule];
    const uint32_t *read = &o->read[granule * o->warps];
    const bool atomics = (how == ACCESS_ATOMIC || how == ACCESS_SPIN) && t->atomic;
    const bool foreign = t->party != w->index && t->time > known->time[t->party];
    if (foreign && !atomics && (how != ACCESS_WRITE || t->time == ORDER_UNDER_WAY || changes)) {
        return (struct conflict){true, t->party, t->time == ORDER_UNDER_WAY, t->atomic ? "updated" : "wrote"};
    }
    for (uint32_t i = 0; i < o->warps && how != ACCESS_READ && how != ACCESS_SPIN; i++) {
        if (i != w->index && read[i] > known->time[i]) return (struct conflict){true, i, false, "read"};
    }
    return (struct conflict){.found = false};
}

void order_mark(const struct warp *w, size_t granule, enum access how) {
    struct ordering *o = w->block->ordering;
    const uint32_t now = o->warp[w->index].time[w->index];
    if (how == ACCESS_READ)
        o->read[granule * o->warps + w->index] = now;
    else if (how == ACCESS_COPY)
        o->touch[granule] = (struct touch){ORDER_UNDER_WAY, ORDER_ENGINE, false};
    else if (how != ACCESS_SPIN)
        o->touch[granule] = (struct touch){now, (uint8_t)w->index, how == ACCESS_ATOMIC};
}

void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier) {
    struct ordering *o = b->ordering;
    if (!o) return;
    o->engine++;
    for (size_t i = granule; i < granule + count; i++) o->touch[i] = (struct touch){o->engine, ORDER_ENGINE, false};
    phases_of(o, mbarrier)->given.time[ORDER_ENGINE] = o->engine;
}
