// Finds races in shared memory, and reads of shared memory that nothing in the block has written.
//
// Each granule (a word, or a byte in kernels with narrower accesses) has the stamps of its last
// write and last read. A stamp consists of an epoch and a warp. The epoch counts the barriers that
// the block has passed. An access races if another warp has accessed the granule in this epoch and
// one of the two accesses writes. Epochs go on counting from block to block: a write stamp from
// before the block's start means that the block has not written the granule.
//
// Accesses by lanes of one warp are compared by phases. A warp's phase ends at a barrier, fence or
// __syncwarp (in machine code a NOP if the lanes are converged, otherwise WARPSYNC).
// block.last_lane has the phase and the lane of the last write. The warp's reads are kept until all
// its lanes synchronise. When only some lanes have synchronised, warp_races.ordered_before says for
// each pair of lanes which phases are ordered.
//
// Atomics do not race with each other, nor do two writes of the same value.
// In kernels that synchronise not only by block-wide barriers (order.c lists the other means),
// order.c decides which accesses of different warps are ordered.
// Limit: of a warp's reads since it synchronised, only the last 64 requests are known.
#include "order.h"
#include "reports.h"

// Unused dynamic shared memory is reported only for launches with at least this many bytes of it.
enum { LEAST_UNUSED = 64 };
enum { LANE_MANY = 63, LANE_BITS = STAMP_LANE_BITS };
// Bit in block.last_atomic: in this epoch, the warp made a plain write to the granule and then an
// atomic. Stamps never reach this bit (run/block.c).
#define OVER_PLAIN 0x80000000u

// --- the other access ----------------------------------------------------------------------------

// Returns the index + 1 of the instruction by which the warp probably accessed the address last: in
// the latest epoch, the one that touched the narrowest range. Returns 0 if there is none. The load
// of a compare-and-swap or polling loop is the last choice, because it does not race with atomics.
static uint32_t last_touch(const struct warp *w, uint32_t address, bool writes) {
    const struct touched *best = NULL;
    const struct detail *detail = w->block->launch->program->detail;
    for (int i = 0; i < TOUCHES; i++) {
        const struct touched *t = &w->touched[i];
        if (!t->index || t->writes != writes || address < t->low || address >= t->high) continue;
        const bool spins = detail[t->index - 1].spins, spun = best && detail[best->index - 1].spins;
        if (best && spins && !spun) continue;
        if (!best || spun > spins || t->epoch > best->epoch ||
            (t->epoch == best->epoch && t->high - t->low < best->high - best->low))
            best = t;
    }
    return best ? best->index : 0;
}

// Like last_touch(), among all other warps. Sets *other_warp to the warp's index + 1.
static uint32_t last_touch_of_others(const struct warp *w, uint32_t address, bool writes,
                                     uint32_t *other_warp) {
    const struct block *b = w->block;
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        const uint32_t found = i == w->index ? 0 : last_touch(&b->warp[i], address, writes);
        if (!found) continue;
        *other_warp = i + 1;
        return found;
    }
    return 0;
}

static const char *const verbs[] = {"reads",     "reads", "writes", "updates",
                                    "copies to", "reads", "writes", "reads"};

static struct evidence *about_race(struct warp *w, uint32_t address, enum access how) {
    return evidence_about(w, "shared", address, 1u << w->block->launch->granule, verbs[how]);
}

// Adds the other access to the evidence. `other` is its warp; a number that no warp of the block
// has means that the warp is unknown.
static void other_is(struct warp *w, struct evidence *v, uint32_t address, uint32_t other,
                     const char *did) {
    const bool writes = *did != 'r';
    v->other_action = writes ? *did == 'u' ? "updates" : "writes" : "reads";
    if (other >= w->block->launch->warps) {
        v->other = last_touch_of_others(w, address, writes, &v->other_warp);
    } else {
        v->other_warp = other + 1;
        v->other = last_touch(&w->block->warp[other], address, writes);
    }
}

static void race(struct warp *w, const struct uop *u, int lane, uint32_t address, enum access how,
                 const char *text) {
    checks_report(w, REPORT_RACE, u->detail->index, lane, false,
                  "%s shared memory at " SHARED_BYTE ", %s", verbs[how],
                  SHARED_BYTE_AT(w->block->launch, address), text);
}

static void race_of_warps(struct warp *w, const struct uop *u, int lane, uint32_t address,
                          enum access how, uint32_t other, const char *did) {
    char text[160];
    struct evidence *v = about_race(w, address, how);
    if (other == COPY_STAMP) {
        v->facts = FACT_COPY_UNDER_WAY;
        snprintf(text, sizeof text,
                 "where an asynchronous copy that nobody waited for is under way");
    } else if ((other & 63) == STAMP_MANY) {
        other_is(w, v, address, UINT32_MAX, did);
        snprintf(text, sizeof text, "which several other warps %s since the last barrier", did);
    } else {
        other_is(w, v, address, other & 63, did);
        snprintf(text, sizeof text, "which warp %u %s since the last barrier", other & 63, did);
    }
    race(w, u, lane, address, how, text);
}

static void race_of_lanes(struct warp *w, const struct uop *u, int lane, uint32_t address,
                          enum access how, uint32_t other, const char *did) {
    char text[160];
    struct evidence *v = about_race(w, address, how);
    v->facts = FACT_LANES;
    v->other_action = *did == 'r' ? "reads" : "writes";
    v->other = last_touch(w, address, *did != 'r');
    v->other_warp = w->index + 1;
    v->other_lane = other == LANE_MANY ? 0 : other + 1;
    if (other == LANE_MANY) {
        snprintf(text, sizeof text, "which other lanes of its warp %s, no __syncwarp between", did);
    } else {
        snprintf(text, sizeof text, "which lane %u of its warp %s, no __syncwarp between", other,
                 did);
    }
    race(w, u, lane, address, how, text);
}

// --- phases and reads ----------------------------------------------------------------------------

void shadow_publish(struct warp *w, uint32_t lanes) {
    struct warp_races *r = &w->races;
    const bool more =
        r->published && r->published_whole == r->whole && r->published_epoch == r->epoch;
    r->published = more ? r->published | lanes : lanes;
    r->published_whole = r->whole;
    r->published_phase = r->phase;
    r->published_epoch = r->epoch;
    r->whole_since = false;
}

void shadow_synchronise(struct warp *w) {
    w->races.whole_since = true;
    w->races.whole = ++w->races.phase;
    w->races.partial = false;
    w->races.stored_low = UINT32_MAX;
    w->races.stored_high = 0;
    w->races.past.count = 0;
}

void shadow_synchronise_lanes(struct warp *w, uint32_t lanes) {
    uint32_t known[LANES];
    if ((w->alive & ~lanes) == 0) {
        shadow_synchronise(w);
        return;
    }
    for (int l = 0; l < LANES; l++) {
        for (int m = 0; m < LANES && !w->races.partial; m++)
            w->races.ordered_before[l][m] = w->races.whole;
        known[l] = w->races.whole;
    }
    w->races.partial = true;
    w->races.phase++;
    EACH_LANE(l, lanes) {
        const uint32_t *of = w->races.ordered_before[l];
        for (int m = 0; m < LANES; m++)
            known[m] = (lanes >> m & 1) ? w->races.phase : of[m] > known[m] ? of[m] : known[m];
    }
    EACH_LANE(l, lanes) memcpy(w->races.ordered_before[l], known, sizeof known);
}

void shadow_synchronise_by(struct warp *w, const uint32_t *masks, uint32_t lanes) {
    for (uint32_t rest = lanes; rest;) {
        const uint32_t one = masks[first_lane(rest)];
        shadow_synchronise_lanes(w, one);
        rest &= ~one & (rest - 1);
    }
}

// Returns true if what lane `other` did in `phase` is not ordered before the access of `lane`.
static bool is_open(const struct warp *w, int lane, uint32_t other, uint32_t phase) {
    if (phase < w->races.whole || !w->races.partial) return phase >= w->races.whole;
    return phase >= (other == LANE_MANY ? w->races.phase : w->races.ordered_before[lane][other]);
}

void shadow_keep(struct warp *w, const struct request_memo *memo) {
    const uint32_t count = w->races.past.count < PAST_READS ? w->races.past.count : PAST_READS;
    for (uint32_t i = 0; i < count; i++) {
        struct past_read *r = &w->races.past.read[i];
        if (r->kept || r->memo != memo || r->number != memo->number) continue;
        memcpy(w->races.past.address[i], memo->row, sizeof memo->row);
        r->kept = true;
    }
}

void shadow_keep_generic(struct warp *w, const struct uop *u, const uint64_t *address,
                         uint32_t mask) {
    const uint32_t i = w->races.past.count++ % PAST_READS;
    for (int l = 0; l < LANES; l++)
        w->races.past.address[i][l] = (uint32_t)address[l] & SHARED_OFFSET;
    w->races.past.read[i] = (struct past_read){.mask = mask,
                                               .phase = w->races.phase,
                                               .width = u->detail->width,
                                               .unread = u->detail->unread | u->detail->copied,
                                               .kept = true};
}

// Records one lane's read of a copied word as a past read, after its deferred check (load_copied).
// Successive calls for different lanes share an entry.
static void keep_copied(struct warp *w, int lane, uint32_t address) {
    struct past_reads *past = &w->races.past;
    struct past_read *last = &past->read[(past->count - 1) % PAST_READS];
    if (!past->count || !last->copy || last->mask >> lane & 1 || last->phase != w->races.phase) {
        last = &past->read[past->count++ % PAST_READS];
        *last = (struct past_read){.phase = w->races.phase, .width = 4, .kept = true, .copy = true};
    }
    last->mask |= 1u << lane;
    past->address[last - past->read][lane] = address;
}

// Returns a lane that has read the granule and has not synchronised with `lane` since; -1 if there
// is none.
static int reading_lane(const struct warp *w, int lane, uint32_t address, uint32_t bytes) {
    const uint32_t count = w->races.past.count < PAST_READS ? w->races.past.count : PAST_READS;
    for (uint32_t i = 0; i < count; i++) {
        const struct past_read *r = &w->races.past.read[i];
        const uint32_t *row = r->kept ? w->races.past.address[i] : r->memo->row;
        EACH_LANE(l, r->mask & ~(1u << lane)) {
            const uint32_t from = row[l] + r->shift;
            if (from < address + bytes && address < from + r->width &&
                !(r->unread >> (address - from) / 4 & 1) && is_open(w, lane, (uint32_t)l, r->phase))
                return l;
        }
    }
    return -1;
}

// --- accesses ------------------------------------------------------------------------------------

struct granule {
    uint32_t at;             // index of the granule's stamps
    uint32_t address, bytes; // the part of the access that falls into the granule
    const uint8_t *value;    // the value to be stored; NULL if unknown
};

static bool changes(const struct warp *w, const struct granule *g) {
    return !g->value || memcmp(w->block->shared + g->address, g->value, g->bytes) != 0;
}

bool shadow_is_unwritten(const struct block *b, uint32_t address, uint32_t bytes) {
    const int granule = b->launch->granule;
    for (uint32_t at = address >> granule; at <= (address + bytes - 1) >> granule; at++) {
        if (b->last_write[at] >= b->epoch_base << 6) return false;
    }
    return true;
}

// Marks registers that are loaded from unwritten memory as undefined; hazards.c reports their use.
// The load alone is no error, because words of a wide load or a prefetched fragment may never be
// used.
static void load_unwritten(struct warp *w, const struct uop *u, int lane, uint32_t address,
                           uint32_t bytes) {
    for (uint32_t at = address; at < address + bytes && u->d < ROW_ZERO; at += 4) {
        struct unwritten *to = &w->hazards.unwritten[u->d + (at - address) / 4];
        if (!shadow_is_unwritten(w->block, at, bytes < 4 ? bytes : 4)) continue;
        w->hazards.any_unwritten = true;
        to->lanes = (to->from == FROM_COPY ? 0 : to->lanes) | 1u << lane;
        to->loader = u->detail->index;
        to->address = at;
        w->hazards.unset[to - w->hazards.unwritten][lane] = (uint32_t)to->address;
        to->from = FROM_SHARED;
    }
}

// Defers the check of a word that is only copied to the stack, until its first use. A cell that is
// already undefined keeps its state, and the word is not checked. Returns false if the word must be
// checked now: this load found unwritten memory in another lane, but not in this one.
static bool load_copied(struct warp *w, const struct uop *u, int lane, uint32_t address,
                        uint32_t word) {
    const uint32_t number = u->d + word;
    struct unwritten *to = &w->hazards.unwritten[number];
    const struct unwritten now = {.lanes = 1u << lane,
                                  .loader = u->detail->index,
                                  .address = order_time(w),
                                  .phase = w->races.phase,
                                  .epoch = w->races.epoch,
                                  .ready = to->ready,
                                  .from = FROM_COPY};
    if (to->lanes && to->from != FROM_COPY)
        return to->from != FROM_SHARED || to->loader != now.loader || to->lanes >> lane & 1;
    if (to->lanes && to->loader == now.loader && to->address == now.address &&
        to->phase == now.phase)
        to->lanes |= now.lanes;
    else
        *to = now;
    w->hazards.unset[number][lane] = address;
    w->hazards.any_unwritten = true;
    return true;
}

// Reports a race between the load that copied the word and the word's last write, if another warp
// wrote in the load's epoch, or another lane in the load's phase. Does nothing if order.c decides.
static void look_beside_copy(struct warp *w, const struct unwritten *what, int lane,
                             uint32_t address) {
    const struct block *b = w->block;
    const struct uop *u = &b->launch->program->code[what->loader];
    const uint32_t at = address >> b->launch->granule, written = b->last_write[at],
                   writer = b->last_lane[at];
    if (b->ordering || written >> 6 != what->epoch || (written & 63) >= MAX_WARPS ||
        written == COPY_STAMP)
        return;
    if ((written & 63) != w->index) {
        if (flags_order(w, written & 63, writer >> LANE_BITS)) return;
        race_of_warps(w, u, lane, address, ACCESS_READ, written, "wrote");
        return;
    }
    if (writer >> LANE_BITS != what->phase || (writer & LANE_MANY) == (uint32_t)lane) return;
    race_of_lanes(w, u, lane, address, ACCESS_READ, writer & LANE_MANY, "wrote");
}

void shadow_read_copied(struct warp *w, const struct unwritten *what, int lane, uint32_t address) {
    if (what->address != order_time(w) || what->phase != w->races.phase) {
        look_beside_copy(w, what, lane, address);
        return;
    }
    shadow_access(w, &w->block->launch->program->code[what->loader], lane, address, 4, ACCESS_READ,
                  NULL);
    keep_copied(w, lane, address);
}

// Returns true if one of the past reads of warp `other` is of the granule, in `phase` or later.
static bool has_read_since(const struct warp *other, uint32_t phase, const struct granule *g) {
    const uint32_t count =
        other->races.past.count < PAST_READS ? other->races.past.count : PAST_READS;
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        const struct past_read *r = &other->races.past.read[i];
        const uint32_t *row = r->kept ? other->races.past.address[i] : r->memo->row;
        EACH_LANE(l, r->phase < phase ? 0 : r->mask) {
            const uint32_t from = row[l] + r->shift;
            found |= from < g->address + g->bytes && g->address < from + r->width &&
                     !(r->unread >> (g->address - from) / 4 & 1);
        }
    }
    return found;
}

// Returns true if a flag that this warp has acquired orders the reader's past reads before this
// access. `reader` is STAMP_MANY if several warps have read.
static bool is_ordered_by_flag(const struct warp *w, uint32_t reader, const struct granule *g) {
    const struct warp *all = w->block->warp;
    bool ordered = false;
    for (uint32_t i = 0; i < w->block->launch->warps; i++) {
        if (i == w->index || (i != reader && reader != STAMP_MANY)) continue;
        ordered |= flags_order(w, i, all[i].races.epoch_phase);
        if (w->flags.acquired[i] && has_read_since(&all[i], w->flags.acquired[i], g)) return false;
    }
    return ordered;
}

static bool warps_race(struct warp *w, const struct uop *u, int lane, const struct granule *g,
                       enum access how) {
    const struct block *b = w->block;
    const uint32_t base = w->races.epoch << 6, own = base | w->index,
                   written = b->last_write[g->at], read = b->last_read[g->at];
    const bool atomic = how == ACCESS_ATOMIC || how == ACCESS_SPIN,
               atomics = atomic && b->last_atomic[g->at] == written;
    const bool other_wrote = written >= base && written != own && !atomics;
    if (how == ACCESS_SPIN && u->detail->looks && atomics && written >= base && written != own)
        checks_warn(w, REPORT_RACE, SEVERITY_WARNING, u->detail->index, lane,
                    "reads shared memory at " SHARED_BYTE
                    ", which other warps update since the last "
                    "barrier: the hardware reads whole words, CUDA C++ promises it of atomic "
                    "loads only",
                    SHARED_BYTE_AT(b->launch, g->address));
    const bool ordered = written != COPY_STAMP &&
                         flags_order(w, written & STAMP_MANY, b->last_lane[g->at] >> LANE_BITS);
    if (other_wrote && !ordered &&
        (how != ACCESS_WRITE || written == COPY_STAMP || changes(w, g))) {
        race_of_warps(w, u, lane, g->address, how, written,
                      b->last_atomic[g->at] == written ? "updated" : "wrote");
        return true;
    }
    if (how != ACCESS_READ && how != ACCESS_SPIN && read >= base && read != own &&
        !is_ordered_by_flag(w, read & STAMP_MANY, g)) {
        race_of_warps(w, u, lane, g->address, how, read, "read");
        return true;
    }
    return false;
}

// Returns the copy engine's copy that is under way to this address; NULL if there is none.
static const struct bulk *bulk_to(const struct block *b, uint32_t address) {
    for (int i = b->bulk_count; i-- > 0;)
        if (address >= b->bulk[i].to && address - b->bulk[i].to < b->bulk[i].bytes)
            return &b->bulk[i];
    return NULL;
}

static void race_without_barrier(struct warp *w, const struct uop *u, int lane,
                                 const struct block *there, const struct granule *g,
                                 enum access how, const struct conflict *c) {
    char text[200] = "where a copy that nobody waited for is under way", of[48] = "", in[48] = "";
    struct evidence *v = about_race(w, g->address, how);
    if (there != w->block)
        snprintf(in, sizeof in, "of block %u of the cluster, ", there->window >> 24);
    if (c->block != w->block->window >> 24)
        snprintf(of, sizeof of, " of block %u of the cluster", c->block);
    const bool alone = there == w->block && c->block == w->block->window >> 24;
    const struct bulk *bulk = c->under_way ? bulk_to(there, g->address) : NULL;
    v->facts = c->engine || bulk ? FACT_ENGINE
               : c->async        ? FACT_ASYNC_READ
               : c->under_way    ? FACT_COPY_UNDER_WAY
               : alone           ? 0
                                 : FACT_CLUSTER;
    if (!v->facts) other_is(w, v, g->address, c->warp, c->did);
    if (bulk && bulk->by->block == w->block) {
        v->other = bulk->index + 1;
        v->other_warp = bulk->by->index + 1;
        v->other_action = "copies to";
    }
    if (c->again) v->facts |= FACT_AGAIN;
    if (c->early && !v->facts) v->facts = FACT_EARLY;
    if (c->again && (c->engine || bulk))
        snprintf(text, sizeof text,
                 "which the copy engine fills again before this warp has read it");
    else if (c->engine)
        snprintf(text, sizeof text,
                 "which the copy engine wrote; the warp has not waited for its mbarrier");
    else if (bulk)
        snprintf(
            text, sizeof text,
            "where a copy of the copy engine is under way; nobody has waited for its mbarrier");
    else if (c->async)
        snprintf(text, sizeof text, "which a product or a copy that warp %u%s started still reads",
                 c->warp, of);
    else if (!c->under_way)
        snprintf(text, sizeof text, "%swhich warp %u%s %s, and no barrier orders the two", in,
                 c->warp, of, c->did);
    race(w, u, lane, g->address, how, text);
}

// Reports a read of data that one lane stored and another lane released, if the two lanes did not
// synchronise in between. Returns true if it reported one.
static bool published_by_another_lane(struct warp *w, const struct uop *u, int lane,
                                      const struct granule *g, enum access how) {
    const struct block *b = w->block;
    const uint32_t written = b->last_write[g->at], writer = written & 63,
                   base = w->races.epoch << 6;
    if ((how != ACCESS_READ && how != ACCESS_LOAD) || written < base || written == COPY_STAMP ||
        writer >= b->launch->warps)
        return false;
    const struct warp_races *by = &b->warp[writer].races;
    const uint32_t phase = b->last_lane[g->at] >> LANE_BITS,
                   stored = b->last_lane[g->at] & LANE_MANY;
    if (!by->published || by->published_epoch != by->epoch || stored == LANE_MANY ||
        by->published >> stored & 1)
        return false;
    if (phase < by->published_whole || phase > by->published_phase || b->last_atomic[g->at])
        return false;
    if (writer == w->index && (by->whole_since || stored == (uint32_t)lane)) return false;
    for (uint32_t l = 0; l < LANES && by->partial; l++)
        if (by->published >> l & 1 && phase < by->ordered_before[l][stored]) return false;
    struct evidence *v = about_race(w, g->address, how);
    other_is(w, v, g->address, writer, "wrote");
    v->facts = FACT_ARRIVAL;
    v->other_warp = writer + 1;
    v->other_lane = stored + 1;
    if (writer == w->index) v->other = last_touch(w, g->address, true);
    char text[160];
    snprintf(text, sizeof text,
             "which lane %u of warp %u wrote; only lane %d of that warp arrived after it", stored,
             writer, first_lane(by->published));
    race(w, u, lane, g->address, how, text);
    return true;
}

static bool barriers_leave_open(struct warp *w, const struct uop *u, int lane,
                                const struct granule *g, enum access how) {
    const struct conflict c = order_conflict(w, w->block, g->at, how, changes(w, g));
    if (!c.found) return published_by_another_lane(w, u, lane, g, how);
    const bool of_warp = !c.engine && !c.async && !c.under_way && c.block == w->block->window >> 24;
    const bool wrote =
        of_warp && *c.did != 'r' && c.warp == (w->block->last_write[g->at] & STAMP_MANY);
    if (wrote ? flags_order(w, c.warp, w->block->last_lane[g->at] >> LANE_BITS)
              : of_warp && is_ordered_by_flag(w, c.warp, g))
        return false;
    race_without_barrier(w, u, lane, w->block, g, how, &c);
    return true;
}

static bool lanes_race(struct warp *w, const struct uop *u, int lane, const struct granule *g,
                       enum access how) {
    const struct block *b = w->block;
    const uint32_t own = w->races.epoch << 6 | w->index, writer = b->last_lane[g->at];
    if (how == ACCESS_POLL || how == ACCESS_FLAG) return false;
    if (b->last_write[g->at] == own && (writer & LANE_MANY) != (uint32_t)lane &&
        is_open(w, lane, writer & LANE_MANY, writer >> LANE_BITS) &&
        !((how == ACCESS_ATOMIC || how == ACCESS_SPIN) &&
          (b->last_atomic[g->at] & ~OVER_PLAIN) == own) &&
        (how != ACCESS_WRITE || changes(w, g))) {
        race_of_lanes(w, u, lane, g->address, how, writer & LANE_MANY, "wrote");
        return true;
    }
    const uint32_t read = b->last_read[g->at];
    const int reader =
        how != ACCESS_READ && how != ACCESS_SPIN && (read == own || read == (own | STAMP_MANY))
            ? reading_lane(w, lane, g->address, g->bytes)
            : -1;
    if (reader < 0) return false;
    race_of_lanes(w, u, lane, g->address, how, (uint32_t)reader, "read");
    return true;
}

static void mark(struct warp *w, int lane, const struct granule *g, enum access how) {
    struct block *b = w->block;
    const uint32_t base = w->races.epoch << 6, own = base | w->index;
    if (how == ACCESS_SPIN || how == ACCESS_POLL) return;
    if (how == ACCESS_READ) {
        const uint32_t read = b->last_read[g->at];
        b->last_read[g->at] = read < base || read == own ? own : base | STAMP_MANY;
        return;
    }
    const uint32_t written = b->last_write[g->at];
    const bool plain = how == ACCESS_ATOMIC && written == own && b->last_atomic[g->at] != own;
    if (plain && !b->last_atomic[g->at] && b->last_lane[g->at] >> LANE_BITS >= w->races.whole)
        return; // the granule keeps the stamp of the warp's plain write
    const bool shared = how == ACCESS_ATOMIC && written >= base && written != own &&
                        b->last_atomic[g->at] == written;
    const uint32_t stamp = how == ACCESS_COPY ? COPY_STAMP : shared ? base | STAMP_MANY : own;
    const bool several = how == ACCESS_ATOMIC && written == own &&
                         b->last_lane[g->at] >> LANE_BITS >= w->races.whole &&
                         (b->last_lane[g->at] & LANE_MANY) != (uint32_t)lane;
    b->last_write[g->at] = stamp;
    b->last_atomic[g->at] = how == ACCESS_ATOMIC ? stamp | (plain ? OVER_PLAIN : 0) : 0;
    b->last_lane[g->at] =
        w->races.phase << LANE_BITS | (several ? (uint32_t)LANE_MANY : (uint32_t)lane);
}

// Records an access in order.c. After a store to a word that other warps poll, this warp yields, so
// that they read the value. Otherwise the warp's next store might replace the value first, and they
// would acquire too much: everything up to that next store.
static void mark_in_order(struct warp *w, const struct block *b, size_t granule, enum access how) {
    if (how == ACCESS_WRITE || how == ACCESS_ATOMIC || how == ACCESS_FLAG)
        w->yield |= order_is_awaited(w, b, granule);
    order_mark(w, b, granule, how);
}

bool shadow_access(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t bytes,
                   enum access how, const void *value) {
    const struct block *b = w->block;
    const uint32_t size = 1u << b->launch->granule;
    const bool reads = how == ACCESS_LOAD || how == ACCESS_POLL;
    bool good = true;
    // cooperative groups synchronise tiles through shared memory that the system reserves
    if (is_system_shared(b->launch, address, bytes)) {
        const bool plain = how == ACCESS_LOAD || how == ACCESS_READ || how == ACCESS_WRITE;
        if (b->ordering && !plain) mark_in_order(w, b, address >> b->launch->granule, how);
        return true;
    }
    if (!b->ordering && how == ACCESS_POLL) how = ACCESS_LOAD;
    if (!b->ordering && how == ACCESS_FLAG) how = ACCESS_WRITE;
    w->races.atomic_since_fence |= how == ACCESS_ATOMIC || how == ACCESS_POLL;
    if (!u->detail->is_shared)
        note_touched(w, u->detail->index, address, address + bytes,
                     how != ACCESS_LOAD && how != ACCESS_READ);
    if (how == ACCESS_POLL) load_unwritten(w, u, lane, address, bytes);
    if (how == ACCESS_LOAD) {
        load_unwritten(w, u, lane, address, bytes);
        how = ACCESS_READ;
    } else if ((how == ACCESS_READ || how == ACCESS_ATOMIC || how == ACCESS_SPIN) &&
               shadow_is_unwritten(b, address, bytes)) {
        good = false;
        about_race(w, address, ACCESS_READ)->bytes = bytes;
        checks_report(w, REPORT_UNWRITTEN, u->detail->index, lane, false,
                      "reads shared memory at " SHARED_BYTE
                      ", which nothing in this block has written",
                      SHARED_BYTE_AT(b->launch, address));
    }
    for (uint32_t at = address; at < address + bytes; at += size) {
        const struct granule g = {at >> b->launch->granule, at, bytes < size ? bytes : size,
                                  value ? (const uint8_t *)value + (at - address) : NULL};
        if (reads && u->detail->unread >> (at - address) / 4 & 1) continue;
        if (reads && u->detail->copied >> (at - address) / 4 & 1 &&
            (at % 4 || load_copied(w, u, lane, at, (at - address) / 4)))
            continue;
        if (good && b->ordering)
            good = !barriers_leave_open(w, u, lane, &g, how) && !lanes_race(w, u, lane, &g, how);
        if (good && !b->ordering)
            good = !warps_race(w, u, lane, &g, how) && !lanes_race(w, u, lane, &g, how);
        mark(w, lane, &g, how);
        if (b->ordering) mark_in_order(w, b, g.at, how);
    }
    if (how == ACCESS_WRITE || how == ACCESS_ATOMIC || how == ACCESS_FLAG) {
        if (address < w->races.stored_low) w->races.stored_low = address;
        if (address + bytes > w->races.stored_high) w->races.stored_high = address + bytes;
    }
    return good;
}

bool shadow_remote(struct warp *w, const struct uop *u, int lane, struct block *there,
                   uint32_t address, uint32_t bytes, enum access how, const void *value) {
    const uint32_t size = 1u << there->launch->granule, number = there->window >> 24;
    const uint32_t stamp = (there->epoch_base + there->barriers_passed) << 6 | STAMP_ENGINE;
    const bool loads = how == ACCESS_LOAD;
    bool good = true;
    if (loads) how = ACCESS_READ;
    if (address < there->launch->shared_reserved || !there->ordering) return true;
    if (!order_reaches(w, there, u->detail->index)) {
        good = false;
        struct evidence *v = about_race(w, address, how);
        v->facts = FACT_CLUSTER;
        v->start_unordered = true;
        checks_report(w, REPORT_RACE, u->detail->index, lane, false,
                      "reaches shared memory of block %u of the cluster, and no barrier of the "
                      "cluster ensures that it has started",
                      number);
    }
    if (how != ACCESS_WRITE && how != ACCESS_FLAG && shadow_is_unwritten(there, address, bytes)) {
        good = false;
        about_race(w, address, ACCESS_READ)->facts = FACT_CLUSTER;
        checks_report(w, REPORT_UNWRITTEN, u->detail->index, lane, false,
                      "reads shared memory at " SHARED_BYTE
                      " of block %u of the cluster, which nothing has written",
                      SHARED_BYTE_AT(there->launch, address), number);
    }
    for (uint32_t at = address; at < address + bytes; at += size) {
        const struct granule g = {at >> there->launch->granule, at, bytes < size ? bytes : size,
                                  NULL};
        if (loads && u->detail->unread >> (at - address) / 4 & 1) continue;
        const bool changes =
            !value ||
            memcmp(there->shared + at, (const uint8_t *)value + (at - address), g.bytes) != 0;
        const struct conflict c = order_conflict(w, there, g.at, how, changes);
        if (good && c.found) {
            good = false;
            race_without_barrier(w, u, lane, there, &g, how, &c);
        }
        order_mark(w, there, g.at, how);
        if (how == ACCESS_WRITE || how == ACCESS_ATOMIC || how == ACCESS_FLAG)
            there->last_write[g.at] = stamp;
    }
    return good;
}

void shadow_read_async(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes) {
    const struct block *b = w->block;
    const int granule = b->launch->granule;
    if (!b->ordering || address < b->launch->shared_reserved ||
        address + bytes > b->launch->shared_bytes)
        return;
    for (uint32_t at = address; at < address + bytes; at += 1u << granule) {
        const struct granule g = {at >> granule, at, 1u << granule, NULL};
        if (barriers_leave_open(w, u, -1, &g, ACCESS_READ)) break;
    }
    order_async_read(w, address >> granule, bytes >> granule);
}

void shadow_written_by_proxy(struct warp *w, const struct uop *u, const struct block *b,
                             uint32_t address, uint32_t bytes) {
    const uint32_t size = 1u << b->launch->granule;
    bool good = true;
    for (uint32_t at = address; b->ordering && at < address + bytes; at += size) {
        const struct granule g = {at >> b->launch->granule, at, size, NULL};
        const struct conflict c = order_conflict(w, b, g.at, ACCESS_COPY, true);
        if (good && c.found) {
            good = false;
            race_without_barrier(w, u, -1, b, &g, ACCESS_COPY, &c);
        }
        order_mark(w, b, g.at, ACCESS_COPY);
    }
}

bool shadow_read_by_proxy(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes) {
    const struct block *b = w->block;
    const int granule = b->launch->granule;
    if (shadow_is_unwritten(b, address, bytes)) {
        about_race(w, address, ACCESS_READ)->bytes = bytes;
        checks_report(w, REPORT_UNWRITTEN, u->detail->index, -1, false,
                      "reads shared memory at " SHARED_BYTE
                      ", which nothing in this block has written",
                      SHARED_BYTE_AT(b->launch, address));
        return false;
    }
    for (uint32_t at = address >> granule; at <= (address + bytes - 1) >> granule; at++) {
        const uint32_t writer = b->last_write[at] & 63;
        if (writer >= MAX_WARPS || b->last_write[at] == COPY_STAMP) continue;
        if (b->last_lane[at] >> LANE_BITS < b->warp[writer].races.fenced) continue;
        other_is(w, about_race(w, at << granule, ACCESS_READ), at << granule, writer, "wrote");
        checks_report(w, REPORT_PROXY, u->detail->index, -1, false,
                      "reads shared memory at " SHARED_BYTE
                      " by the asynchronous proxy; warp %u stored "
                      "there, and no fence.proxy.async of it came after",
                      SHARED_BYTE_AT(b->launch, at << granule), writer);
        return false;
    }
    return true;
}

// --- the block's end -----------------------------------------------------------------------------

static bool is_store(const struct detail *detail, const struct touched *t) {
    return t->index && detail[t->index - 1].instruction.form->opcode == SASS_STS;
}

// Returns true if two store instructions of a warp wrote ranges with the same start in one epoch of
// this block: two arrays may then lie in one place. Ranges with different starts do not count,
// because interleaved strided stores have overlapping ranges, too.
static bool stores_overlap(const struct warp *w) {
    const struct detail *detail = w->block->launch->program->detail;
    for (int i = 0; i < TOUCHES; i++) {
        const struct touched *x = &w->touched[i];
        if (!x->writes || x->epoch < w->block->epoch_base || !is_store(detail, x)) continue;
        for (int j = 0; j < i; j++) {
            const struct touched *y = &w->touched[j];
            if (y->writes && y->epoch == x->epoch && y->low == x->low && is_store(detail, y))
                return true;
        }
    }
    return false;
}

// Returns true if a store to shared memory is lost: another store to its address follows in
// straight-line code, with neither a load nor a barrier in between.
static bool loses_a_store(const struct program *p) {
    enum { BETWEEN = 32 };
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *first = &p->detail[i];
        if (first->unknown || first->instruction.form->opcode != SASS_STS ||
            !sass_always(&first->instruction))
            continue;
        for (uint32_t k = i + 1; k < p->count && k < i + BETWEEN; k++) {
            const struct detail *d = &p->detail[k];
            bool moved = d->unknown || p->code[k].flags & UOP_CONTROL ||
                         (d->is_shared && sass_facts_of(&d->instruction)->load);
            for (int o = 0; o < d->cells.out_count && !moved; o++)
                moved = d->cells.out[o] == first->base;
            if (moved) break;
            if (d->instruction.form->opcode == SASS_STS && same_place(first, d) &&
                d->width >= first->width)
                return true;
        }
    }
    return false;
}

// Returns how many bytes of constant memory the operand may read. An arithmetic operand at a
// multiple of 8 bytes counts as 8 bytes, because it may be a 64-bit value.
static int constant_bytes(const struct sass_instruction *in, const struct sass_operand *o) {
    const enum sass_opcode opcode = in->form->opcode;
    const bool loads = opcode == SASS_LDC || opcode == SASS_ULDC || opcode == SASS_LDCU;
    if (loads) return in->modifiers.size == 6 ? 16 : in->modifiers.size == 5 ? 8 : 4;
    return o->value % 8 == 0 ? 8 : 4;
}

static bool reads_argument(const struct program *p, int offset) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        for (int role = 0; !p->detail[i].unknown && role < SASS_ROLE_COUNT; role++) {
            const struct sass_operand *o = &in->operand[role];
            if (o->kind != SASS_CONSTANT || o->bank != 0) continue;
            // an indexed operand may read any argument
            if (o->has_base && o->number != SASS_RZ) return true;
            if (o->value < offset + 8 && o->value + constant_bytes(in, o) > offset) return true;
        }
    }
    return false;
}

// Returns the index of the first pointer argument that the code never reads; -1 if it reads all.
static int unused_pointer(const struct launch_state *l) {
    const struct sass_kernel *k = l->program->kernel;
    for (int i = 0; i < k->parameter_count; i++) {
        const int offset = k->param_base + k->parameters[i].offset;
        uint64_t value;
        if (k->parameters[i].size != sizeof value || l->parameters) continue;
        memcpy(&value, l->constant[0] + offset, sizeof value);
        if (memory_find(l->memory, value, value) && !reads_argument(l->program, offset)) return i;
    }
    return -1;
}

static bool copies_to_shared(const struct program *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        const enum sass_opcode opcode = d->unknown ? SASS_NOP : d->instruction.form->opcode;
        if (opcode == SASS_LDGSTS || opcode == SASS_UTMALDG || opcode == SASS_UBLKCP) return true;
    }
    return false;
}

// Reports that block 0 has touched at most half of its dynamic shared memory, if its stores or an
// unread argument also suggest that two arrays lie in one place. Unused memory alone may only mean
// that the block had little to do (e.g. K is 0).
static void look_at_unused(const struct block *b) {
    const struct launch_state *l = b->launch;
    const uint32_t end = l->shared_bytes, begin = end - ((l->dynamic_shared + 15) & ~15u),
                   base = b->epoch_base << 6;
    uint32_t touched = 0, last = 0;
    if (l->dynamic_shared < LEAST_UNUSED || begin > end) return;
    for (uint32_t at = begin >> l->granule; at < end >> l->granule; at++) {
        if (b->last_write[at] < base && b->last_read[at] < base) continue;
        touched += 1u << l->granule;
        last = at << l->granule;
    }
    if (2 * touched > l->dynamic_shared) return;
    // the compiler drops no asynchronous copies, so their arguments are all read
    const int dropped = copies_to_shared(l->program) ? -1 : unused_pointer(l);
    bool overlap = loses_a_store(l->program);
    for (uint32_t i = 0; i < l->warps && !overlap; i++) overlap = stores_overlap(&b->warp[i]);
    if (!touched || (!overlap && dropped < 0)) return;
    struct finding f = {.severity = SEVERITY_NOTE,
                        .argument = NOBODY_KNOWN,
                        .space = "shared",
                        .at = touched ? last + (1u << l->granule) : begin,
                        .bytes = l->dynamic_shared - touched,
                        .expected = {l->dynamic_shared, "bytes"},
                        .actual = {touched, "bytes"},
                        .rule = "half-unused"};
    snprintf(
        f.message, sizeof f.message,
        "of the %u bytes of dynamic shared memory that the launch gives, block 0 never touches %u",
        l->dynamic_shared, l->dynamic_shared - touched);
    if (overlap)
        snprintf(f.cause, sizeof f.cause,
                 "two stores of a warp overlap, so two arrays may begin in one place: each "
                 "`extern __shared__` array begins at the start of dynamic shared memory");
    else
        snprintf(f.cause, sizeof f.cause,
                 "the compiled code never reads argument %d, so two arrays may begin in one "
                 "place: a compiler drops a store that the next one overwrites, and each `extern "
                 "__shared__` array begins at the start of dynamic shared memory",
                 dropped);
    snprintf(
        f.remedy, sizeof f.remedy,
        "place the second array behind the first: float *Bs = As + size of As; or ask for less");
    reports_add((struct launch_state *)(uintptr_t)l, REPORT_SHARED_UNUSED, &f);
}

void shadow_block_ends(const struct block *b) {
    if (b->linear == 0) look_at_unused(b);
    uint32_t index;
    const struct warp *w = b->cluster->size > 1 ? order_left_behind(b, &index) : NULL;
    if (!w) return;
    evidence_about((struct warp *)(uintptr_t)w, NULL, 0, 0, NULL)->facts = FACT_CLUSTER;
    checks_report((struct warp *)(uintptr_t)w, REPORT_RACE, index, -1, false,
                  "reaches shared memory of block %u of the cluster, which may have ended: no "
                  "later barrier keeps that block from ending",
                  b->window >> 24);
}
