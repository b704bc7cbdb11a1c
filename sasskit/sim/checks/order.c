// Decides by vector clocks which accesses to shared memory are ordered, for kernels that have
// barriers for a part of the block, mbarriers, bulk copies, wgmma, clusters, or both fences and
// atomics or polls. (For block-wide barriers alone, counting them is enough: races.c.)
//
// A party is a warp of the cluster, the asynchronous reads of one warp (MMAs, copies to global
// memory), or the copy engine. Each party has a clock. Each warp has a vector with one time per
// party: what the party did up to that time happened before the warp's next access. A warp that
// arrives at a barrier merges its vector into the barrier's, and a warp that has waited there
// merges the barrier's vector into its own.
// Each granule (a word or byte: races.c) has the time of its last write and, per party, the time of
// its last read. A warp's access races with an earlier one if one of the two writes, and if the
// time of the earlier one is later than the entry of its party in the warp's vector.
//
// The copy engine has no vector. The time of its copy is merged into the vector of the mbarrier on
// which the copy completes. A fence saves its warp's vector as a note. Another warp that reads a
// later store of that warp, by an atomic or in a polling loop, merges the note into its own vector.
#include "order.h"
#include "sim/machine/room.h"

#include <stdlib.h>

// The vectors of the mbarrier at shared address `at`.
struct mbarrier_phases {
    uint32_t at;
    uint32_t *arrivals;  // [parties] merged vectors of all arrivals
    uint32_t *completed; // [parties] merged vectors of the arrivals of completed phases
};
// The last write of a granule.
struct touch {
    uint32_t time;
    // time of the same party's plain write that atomics have since replaced; 0 if there is none
    uint32_t plain;
    uint16_t party;
    uint16_t polled; // 1 + the party that has polled the granule since the write; 0 if none has
    bool atomic;     // the write is an atomic or a strong store
};
// The write before a granule's last one.
struct replaced {
    uint32_t time;
    uint32_t seen; // mask of the block's warps that had read the granule before the replacement
    uint32_t party;
};
enum { POLLED_BY_MANY = UINT16_MAX };
// The latest access by a warp of another block to this block's memory.
struct remote_access {
    uint32_t time, index;
};
struct ordering {
    uint32_t warps, blocks;
    uint32_t all;     // number of warps in the cluster
    uint32_t parties; // number of parties; the last one is the copy engine
    bool async;
    size_t granules;
    size_t first, end; // all granules accessed since order_start() lie between these two
    // --- per block
    struct mbarrier_phases *phases; // [count]
    int count, capacity;
    struct touch *touch;       // [granules]
    struct replaced *replaced; // [granules]
    // [granules] mask of the block's warps that have read the granule since its last write
    uint32_t *seen;
    uint32_t *read; // [granules][parties] times of the last reads; 0 if the party has not read
    // [granules] index + 1 of the note that the last write carries; 0 if it carries none
    uint32_t *message;
    uint32_t *named;              // [NAMED_BARRIERS][parties] vectors of the named barriers
    struct remote_access *remote; // [all]
    // --- per cluster, used only in its first block
    uint32_t *vectors; // [all][parties] one per warp
    // [parties] vectors of the cluster's barrier, as in struct mbarrier_phases
    uint32_t *arrivals, *completed;
    uint32_t *async_started; // [all] number of asynchronous operations that the warp has started
    uint32_t *fenced; // [all] index + 1 of the note of the warp's latest fence; 0 if there is none
    bool *quiet;      // [all] true if the warp has made no plain access since its latest fence
    uint32_t engine;  // clock of the copy engine
    uint32_t *note;   // [notes][parties] vectors that fences saved
    uint32_t notes, note_capacity;
};

// Sets the pointers to the zero-initialised arrays behind the struct. Returns the arrays' size in
// bytes.
static size_t order_parts(struct ordering *o) {
    const size_t granules = o->granules, parties = o->parties, all = o->all;
    uint8_t *const start = (uint8_t *)(o + 1), *at = start;
#define PART(member, count) \
    (o->member = (void *)at, at += ((count) * sizeof *o->member + 15) / 16 * 16)
    PART(touch, granules);
    PART(replaced, granules);
    PART(seen, granules);
    PART(read, granules * parties);
    PART(message, granules);
    PART(named, NAMED_BARRIERS * parties);
    PART(remote, all);
    PART(vectors, all * parties);
    PART(arrivals, parties);
    PART(completed, parties);
    PART(async_started, all);
    PART(fenced, all);
    PART(quiet, all);
#undef PART
    return (size_t)(at - start);
}

struct ordering *order_open(uint32_t blocks, uint32_t warps, size_t granules, bool async) {
    struct ordering wanted = {.warps = warps,
                              .blocks = blocks,
                              .all = blocks * warps,
                              .async = async,
                              .granules = granules};
    wanted.parties = wanted.all * (async ? 2 : 1) + 1;
    struct ordering *o = calloc(1, sizeof *o + order_parts(&wanted));
    if (!o) return NULL;
    *o = wanted;
    order_parts(o);
    o->first = granules;
    return o;
}

static void drop_phases(struct ordering *o) {
    for (int i = 0; i < o->count; i++) free(o->phases[i].arrivals);
    o->count = 0;
}

void order_close(struct ordering *o) {
    if (!o) return;
    drop_phases(o);
    free(o->phases);
    free(o->note);
    free(o);
}

static void include(struct ordering *o, size_t first, size_t end) {
    if (first < o->first) o->first = first;
    if (end > o->end) o->end = end;
}

// Clears the entries of the granules in use (often few), and all arrays that are not per granule.
static void clear(struct ordering *o) {
    const size_t first = o->first, count = o->end > first ? o->end - first : 0;
    memset(o->touch + first, 0, count * sizeof *o->touch);
    memset(o->replaced + first, 0, count * sizeof *o->replaced);
    memset(o->seen + first, 0, count * sizeof *o->seen);
    memset(o->read + first * o->parties, 0, count * o->parties * sizeof *o->read);
    memset(o->message + first, 0, count * sizeof *o->message);
    uint8_t *const others = (uint8_t *)o->named;
    memset(others, 0, order_parts(o) - (size_t)(others - (uint8_t *)(o + 1)));
    o->first = o->granules;
    o->end = 0;
}

void order_start(struct ordering *o) {
    if (!o) return;
    clear(o);
    for (size_t i = 0; i < o->all; i++) o->vectors[i * o->parties + i] = 1;
    drop_phases(o);
    o->engine = o->notes = 0;
}

// --- vectors and barriers ------------------------------------------------------------------------

static struct ordering *of_cluster(const struct block *b) {
    return b->cluster->block[0]->ordering;
}
static uint32_t first_party(const struct block *b) {
    return (b->window >> 24) * b->ordering->warps;
}
static uint32_t party_of(const struct warp *w) {
    return first_party(w->block) + w->index;
}
static uint32_t *vector_of(struct ordering *o, uint32_t party) {
    return o->vectors + (size_t)party * o->parties;
}

static void merge_vector(const struct ordering *o, uint32_t *to, const uint32_t *from) {
    for (uint32_t i = 0; i < o->parties; i++) {
        if (from[i] > to[i]) to[i] = from[i];
    }
}

// Releases: merges the warp's vector into `to`, then advances the warp's clock.
static void release(const struct warp *w, uint32_t *to) {
    struct ordering *o = of_cluster(w->block);
    const uint32_t party = party_of(w);
    merge_vector(o, to, vector_of(o, party));
    vector_of(o, party)[party]++;
}
// Acquires: merges `from` into the warp's vector.
static void acquire(const struct warp *w, const uint32_t *from) {
    struct ordering *o = of_cluster(w->block);
    merge_vector(o, vector_of(o, party_of(w)), from);
}

uint32_t order_time(const struct warp *w) {
    return w->block->ordering ? vector_of(of_cluster(w->block), party_of(w))[party_of(w)] : 0;
}

void order_arrive(const struct warp *w, uint32_t id) {
    struct ordering *o = w->block->ordering;
    if (o) release(w, o->named + (size_t)id * o->parties);
}
void order_pass(const struct warp *w, uint32_t id) {
    struct ordering *o = w->block->ordering;
    if (o) acquire(w, o->named + (size_t)id * o->parties);
}
void order_complete(const struct block *b, uint32_t id) {
    struct ordering *o = b->ordering;
    if (o) memset(o->named + (size_t)id * o->parties, 0, o->parties * sizeof *o->named);
}

void order_cluster(const struct warp *w, bool arrives) {
    if (!w->block->ordering) return;
    struct ordering *o = of_cluster(w->block);
    if (arrives)
        release(w, o->arrivals);
    else
        acquire(w, o->completed);
}
void order_cluster_complete(const struct cluster *c) {
    struct ordering *o = c->block[0]->ordering;
    if (o) memcpy(o->completed, o->arrivals, o->parties * sizeof *o->completed);
}

static struct mbarrier_phases *phases_of(struct ordering *o, uint32_t at) {
    for (int i = 0; i < o->count; i++) {
        if (o->phases[i].at == at) return &o->phases[i];
    }
    MAKE_ROOM(o->phases, o->count, o->capacity);
    uint32_t *arrivals = calloc(2 * (size_t)o->parties, sizeof *arrivals);
    if (!arrivals) abort();
    o->phases[o->count] = (struct mbarrier_phases){
        .at = at, .arrivals = arrivals, .completed = arrivals + o->parties};
    return &o->phases[o->count++];
}

void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at) {
    if (b->ordering) release(w, phases_of(b->ordering, at)->arrivals);
}
void order_mbarrier_complete(const struct block *b, uint32_t at) {
    if (!b->ordering) return;
    struct mbarrier_phases *p = phases_of(b->ordering, at);
    memcpy(p->completed, p->arrivals, b->ordering->parties * sizeof *p->completed);
}
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at) {
    if (b->ordering) acquire(w, phases_of(b->ordering, at)->completed);
}

// --- fences --------------------------------------------------------------------------------------

// Merges the vectors `a` and `b` into a new note. Returns the note's index + 1.
static uint32_t save_note(struct ordering *o, const uint32_t *a, const uint32_t *b) {
    const size_t used = (size_t)o->notes * o->parties;
    uint32_t *const old = o->note; // a and b may point into it
    if (o->notes == o->note_capacity) {
        o->note_capacity = o->note_capacity ? 2 * o->note_capacity : 16;
        o->note = malloc((size_t)o->note_capacity * o->parties * sizeof *o->note);
        if (!o->note) abort();
        if (old) memcpy(o->note, old, used * sizeof *old);
    }
    memcpy(o->note + used, a, o->parties * sizeof *a);
    merge_vector(o, o->note + used, b);
    if (old != o->note) free(old);
    return ++o->notes;
}
static const uint32_t *note_at(const struct ordering *o, uint32_t message) {
    return o->note + (size_t)(message - 1) * o->parties;
}
// Returns true if no time in the vector `part` is later than its counterpart in `all`.
static bool covers(const struct ordering *o, const uint32_t *all, const uint32_t *part) {
    bool good = true;
    for (uint32_t i = 0; i < o->parties; i++) good &= all[i] >= part[i];
    return good;
}

void order_fence(const struct warp *w) {
    if (!w->block->ordering) return;
    struct ordering *o = of_cluster(w->block);
    const uint32_t party = party_of(w);
    uint32_t *known = vector_of(o, party);
    if (o->quiet[party] && o->fenced[party] && covers(o, note_at(o, o->fenced[party]), known))
        return; // repeating a fence, as in a polling loop, saves nothing new
    o->fenced[party] = save_note(o, known, known);
    known[party]++;
    o->quiet[party] = true;
}

// --- accesses ------------------------------------------------------------------------------------

// Returns true for accesses that can synchronise warps.
static bool can_synchronise(enum access how) {
    return how == ACCESS_ATOMIC || how == ACCESS_SPIN || how == ACCESS_POLL || how == ACCESS_FLAG;
}
static bool reads_only(enum access how) {
    return how == ACCESS_READ || how == ACCESS_SPIN || how == ACCESS_POLL;
}

// Saves the granule's last write, which is about to be replaced.
static void replace(struct ordering *o, size_t granule) {
    const struct touch *t = &o->touch[granule];
    o->replaced[granule] = (struct replaced){t->time, o->seen[granule], t->party};
    o->seen[granule] = 0;
}

// Returns true if a stage of a pipeline was filled again too early. Then one party did the last two
// writes, and this warp has waited for the first but had not read its data before the second.
static bool is_refilled(const struct warp *w, const struct block *b, size_t granule,
                        const uint32_t *known) {
    const struct replaced *r = &b->ordering->replaced[granule];
    return w->block == b && r->time && r->party == b->ordering->touch[granule].party &&
           r->time != ORDER_UNDER_WAY && r->time <= known[r->party] && !(r->seen >> w->index & 1);
}

static struct conflict with(const struct ordering *o, uint32_t party, const char *did) {
    const uint32_t warp = party % o->all;
    return (struct conflict){.found = true,
                             .engine = party == o->parties - 1,
                             .async = party >= o->all && party != o->parties - 1,
                             .block = warp / o->warps,
                             .warp = warp % o->warps,
                             .did = did};
}

static bool has_polled(const struct touch *t, uint32_t party) {
    return t->polled == party + 1 || t->polled == POLLED_BY_MANY;
}

struct conflict order_conflict(const struct warp *w, const struct block *b, size_t granule,
                               enum access how, bool changes) {
    const struct ordering *o = b->ordering;
    struct ordering *c = of_cluster(b);
    const uint32_t party = party_of(w), *known = vector_of(c, party);
    const struct touch *t = &o->touch[granule];
    const uint32_t *read = &o->read[granule * o->parties];
    const bool unknown = t->party != party && t->time > known[t->party];
    const bool plain_known = !t->plain || t->plain <= known[t->party];
    // (1) The last write is an atomic or sets a flag, and this access can synchronise. (2) A poll
    // or atomic reads a word that was stored after a fence. (3) This warp stores, without a plain
    // access since its fence, to a word as in (1), or to a word as in (2) that it has polled.
    const bool synchronised =
        (t->atomic && plain_known && can_synchronise(how)) ||
        (o->message[granule] && (how == ACCESS_ATOMIC || how == ACCESS_POLL)) ||
        (how == ACCESS_WRITE && c->quiet[party] &&
         ((t->atomic && plain_known) || (o->message[granule] && has_polled(t, party))));
    const bool again = unknown && reads_only(how) && is_refilled(w, b, granule, known);
    if (unknown && t->time == ORDER_UNDER_WAY)
        return (struct conflict){.found = true, .under_way = true, .again = again};
    if (unknown && !synchronised && (how != ACCESS_WRITE || changes)) {
        struct conflict found = with(o, t->party, t->atomic && plain_known ? "updated" : "wrote");
        found.again = again;
        return found;
    }
    if (reads_only(how)) return (struct conflict){.found = false};
    uint32_t later = 0; // 1 if any party's read is not ordered before this access
    for (uint32_t i = 0; i < o->parties - 1; i++) later |= read[i] > known[i];
    for (uint32_t i = 0; later && i < o->parties - 1; i++) {
        if (read[i] <= known[i]) continue;
        struct conflict found = with(o, i, "read");
        found.early = t->time == 0;
        return found;
    }
    return (struct conflict){.found = false};
}

// Merges the note that the granule's last write carries into the warp's vector.
static void acquire_note(struct ordering *c, const struct ordering *o, uint32_t party,
                         size_t granule) {
    if (o->message[granule]) merge_vector(c, vector_of(c, party), note_at(c, o->message[granule]));
}

// Merges the completed phases of the mbarrier at this granule, if any, into the warp's vector.
// (Before sm_90, a warp waits for an mbarrier by polling its words.)
static void acquire_mbarrier(struct ordering *c, const struct block *b, uint32_t party,
                             size_t granule) {
    enum { BYTES = 8 };
    const struct ordering *o = b->ordering;
    const uint32_t at = (uint32_t)(granule << b->launch->granule) & ~(uint32_t)(BYTES - 1);
    for (int i = 0; i < o->count; i++) {
        if (o->phases[i].at == at) merge_vector(c, vector_of(c, party), o->phases[i].completed);
    }
}

static void leave_message(struct ordering *c, struct ordering *o, uint32_t party, size_t granule,
                          enum access how) {
    uint32_t *message = &o->message[granule];
    const uint32_t own = c->fenced[party];
    if (how != ACCESS_ATOMIC || !*message) {
        *message = own;
    } else if (own && own != *message &&
               // an atomic passes on the note that it found, too
               !covers(c, note_at(c, *message), note_at(c, own))) {
        *message = covers(c, note_at(c, own), note_at(c, *message))
                       ? own
                       : save_note(c, note_at(c, own), note_at(c, *message));
    }
}

bool order_is_awaited(const struct warp *w, const struct block *b, size_t granule) {
    const struct touch *t = &b->ordering->touch[granule];
    return t->polled && t->polled != party_of(w) + 1;
}

void order_mark(const struct warp *w, const struct block *b, size_t granule, enum access how) {
    struct ordering *o = b->ordering, *c = of_cluster(b);
    const uint32_t party = party_of(w), now = vector_of(c, party)[party];
    struct touch *t = &o->touch[granule];
    include(o, granule, granule + 1);
    if (can_synchronise(how)) acquire_note(c, o, party, granule);
    if (how == ACCESS_POLL) acquire_mbarrier(c, b, party, granule);
    if (how == ACCESS_SPIN || how == ACCESS_POLL)
        t->polled =
            t->polled && t->polled != party + 1 ? (uint16_t)POLLED_BY_MANY : (uint16_t)(party + 1);
    if (how == ACCESS_SPIN || how == ACCESS_POLL) return;
    if (how == ACCESS_READ) {
        o->read[granule * o->parties + party] = now;
        c->quiet[party] = false;
        if (w->block == b) o->seen[granule] |= 1u << w->index;
    } else if (how == ACCESS_COPY) {
        replace(o, granule);
        *t = (struct touch){.time = ORDER_UNDER_WAY, .party = (uint16_t)(o->parties - 1)};
        o->message[granule] = 0;
    } else {
        const bool plain = how == ACCESS_WRITE;
        const uint32_t before = t->party != party ? 0 : t->atomic ? t->plain : t->time;
        replace(o, granule);
        *t = (struct touch){
            .time = now, .plain = plain ? 0 : before, .party = (uint16_t)party, .atomic = !plain};
        leave_message(c, o, party, granule, how);
        if (plain) c->quiet[party] = false;
    }
}

void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier) {
    struct ordering *o = b->ordering;
    if (!o) return;
    const uint32_t engine = o->parties - 1, now = ++of_cluster(b)->engine;
    include(o, granule, granule + count);
    for (size_t i = granule; i < granule + count; i++) {
        if (o->touch[i].time == ORDER_UNDER_WAY)
            o->touch[i].time = now;
        else
            o->touch[i] = (struct touch){.time = now, .party = (uint16_t)engine};
        o->message[i] = 0;
    }
    phases_of(o, mbarrier)->arrivals[engine] = now;
}

void order_copies_waited(const struct warp *w) {
    if (!w->block->ordering) return;
    struct ordering *o = of_cluster(w->block);
    vector_of(o, party_of(w))[o->parties - 1] = o->engine;
}

// --- asynchronous reads --------------------------------------------------------------------------

uint32_t order_async_begin(const struct warp *w) {
    const struct ordering *own = w->block->ordering;
    return own && own->async ? ++of_cluster(w->block)->async_started[party_of(w)] : 0;
}
void order_async_read(const struct warp *w, size_t granule, size_t count) {
    struct ordering *o = w->block->ordering;
    if (!o || !o->async) return;
    const uint32_t party = party_of(w), now = of_cluster(w->block)->async_started[party],
                   bit = 1u << w->index;
    const size_t end = granule + count < o->granules ? granule + count : o->granules,
                 parties = o->parties;
    uint32_t *const read = o->read + o->all + party, *const seen = o->seen;
    include(o, granule, end);
    for (size_t i = granule; i < end; i++) read[i * parties] = now;
    // if the first and the last granule have this warp's bit, those in between are assumed to, too
    if (granule >= end || (seen[granule] & seen[end - 1] & bit)) return;
    for (size_t i = granule; i < end; i++) seen[i] |= bit;
}
void order_async_waited(const struct warp *w, const struct warp *of, uint32_t number) {
    const struct ordering *own = w->block->ordering;
    if (!own || !own->async) return;
    uint32_t *known = vector_of(of_cluster(w->block), party_of(w)) + own->all + party_of(of);
    if (number > *known) *known = number;
}

// --- clusters ------------------------------------------------------------------------------------

bool order_reaches(const struct warp *w, const struct block *b, uint32_t index) {
    struct ordering *o = b->ordering;
    if (!o) return true;
    struct ordering *c = of_cluster(b);
    const uint32_t party = party_of(w), first = first_party(b), *known = vector_of(c, party);
    o->remote[party] = (struct remote_access){known[party], index};
    for (uint32_t i = 0; i < o->warps; i++) {
        if (known[first + i]) return true;
    }
    return false;
}

const struct warp *order_left_behind(const struct block *b, uint32_t *index) {
    const struct ordering *o = b->ordering;
    const uint32_t first = b->ordering ? first_party(b) : 0;
    for (uint32_t p = 0; o && p < o->all; p++) {
        bool known = o->remote[p].time == 0;
        for (uint32_t i = 0; i < o->warps && !known; i++)
            known = vector_of(of_cluster(b), first + i)[p] >= o->remote[p].time;
        *index = o->remote[p].index;
        if (!known) return &b->cluster->block[p / o->warps]->warp[p % o->warps];
    }
    return NULL;
}
