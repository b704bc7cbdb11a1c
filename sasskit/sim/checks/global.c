// Finds reads of unwritten device memory and, on demand, races in device memory.
//
// An allocation that starts unwritten has one flag per byte. For races, each granule (a word; a
// byte in kernels with narrower accesses) has a stamp of its last write and stamps of its last two
// reading warps. A stamp has the block, the epoch (number of barriers passed) and the warp. Two
// accesses race if one of them writes and they are by two blocks, or by two warps in one epoch.
//
// Not a race: two writes of one value; two atomic or strong (volatile) accesses. What a
// block did before a fence is ordered before the next accesses of any block that has read, by an
// atomic or strong load, a word written after the fence.
// Strong accesses race in three cases. A block waits for a flag, then loads data that were stored
// without a fence before the flag. A block loads a word and stores it, while another block stored
// it in between. Two blocks use atomics, and the scope of one atomic is its own block.
// Limits: it does not matter which block wrote the word and which warp fenced; lanes of one warp
// are compared only for stores of one instruction; only the last two reading warps of a word are
// known; not compared are the blocks of a launch with clusters, and warps if partial_barriers.
#include "checks.h"
#include "sim/machine/room.h"

#include <stdlib.h>

struct stamp {
    // Linear block index + 1 in the upper half, epoch and warp in the lower; 0 if there is none.
    uint64_t warp;
    uint64_t time : 44; // time of the access by the launch's clock
    uint64_t at : 20;   // index of the instruction
};
struct stamps {
    struct stamp write, read[2];
    bool atomic; // the last write was an atomic or a strong store
    bool narrow; // the last write's scope is its own block (STRONG.SM, atomicAdd_block)
    bool flag;   // the last write was a strong store, for example of a volatile variable
    // Linear index + 1 of the block that made the last strong load or atomic; 0 if that was an
    // atomic, or a load that may poll or reads a flag (detail.waits, detail.data).
    uint32_t strong_reader;
};

// A block's events that order its accesses with those of other blocks.
struct order {
    uint64_t *fence; // [count] times of the block's fences for the whole device
    uint32_t count, capacity;
    uint64_t fenced; // time of the block's latest fence of any scope
    bool waited;     // the block has waited for another block or warp, by an atomic or in a loop
    // time of the latest write that the block has seen by an atomic or a strong load
    uint64_t latest_seen;
};
struct global_races {
    uint64_t clock;
    uint64_t left; // number of accesses that are still checked
    uint64_t blocks;
    struct order order[]; // one entry per block
};

bool global_watch(const struct launch_state *l, struct allocation *a) {
    if (l->races) a->stamps = calloc((size_t)(a->size >> l->global_granule) + 2, sizeof *a->stamps);
    return !l->races || a->stamps;
}

bool global_begin_races(struct launch_state *l) {
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    struct allocation *a;
    l->races = calloc(1, sizeof *l->races + blocks * sizeof *l->races->order);
    bool good = l->races != NULL;
    if (good) l->races->blocks = blocks;
    if (good) l->races->left = l->most_looks ? l->most_looks : UINT64_MAX;
    for (int i = 0; good && (a = memory_at(l->memory, i)) != NULL; i++) good = global_watch(l, a);
    return good;
}
void global_end_races(struct launch_state *l) {
    struct allocation *a;
    if (!l->races) return;
    for (int i = 0; (a = memory_at(l->memory, i)) != NULL; i++) {
        free(a->stamps);
        a->stamps = NULL;
    }
    for (uint64_t i = 0; i < l->races->blocks; i++) free(l->races->order[i].fence);
    free(l->races);
}

void global_fence(struct warp *w, bool device) {
    struct global_races *r = w->block->launch->races;
    if (!r) return;
    struct order *o = &r->order[w->block->linear];
    o->fenced = ++r->clock;
    if (!device) return;
    MAKE_ROOM(o->fence, o->count, o->capacity);
    o->fence[o->count++] = r->clock;
}

// --- stores of several blocks to one element -----------------------------------------------------

// Returns true if a block can learn by this instruction what another block has done.
static bool observes_blocks(const struct detail *d) {
    const struct sass_facts *facts = sass_facts_of(&d->instruction);
    const struct sass_operand *result = &d->instruction.operand[SASS_D];
    if (d->spins && !d->is_shared) return true;
    if (facts->load && sass_is_strong(&d->instruction)) return true;
    return facts->atomic && result->kind == SASS_REGISTER && result->number != SASS_RZ;
}

bool global_must_not_overlap(const struct launch_state *l) {
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    const bool clusters = l->cluster[0] * l->cluster[1] * l->cluster[2] > 1;
    if (blocks < 2 || blocks >= UINT32_MAX || clusters || l->workspace) return false;
    if (l->races && !l->most_looks) return false; // the check of races finds all overlaps
    for (uint32_t i = 0; i < l->program->count; i++) {
        const struct detail *d = &l->program->detail[i];
        if (!d->unknown && d->instruction.form && observes_blocks(d)) return false;
    }
    return true;
}

// Returns an array with an entry per granule of the allocation: the block that stored last, and the
// value. The first call creates it. Returns NULL, so that nothing is checked, if memory is short.
static uint64_t *owners_of(struct allocation *a, int granule) {
    uint64_t *owner = __atomic_load_n(&a->owner, __ATOMIC_ACQUIRE), *none = NULL;
    if (owner) return owner;
    owner = calloc((size_t)(a->size >> granule) + 1, sizeof *owner);
    if (!owner || __atomic_compare_exchange_n(&a->owner, &none, owner, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE))
        return owner;
    free(owner); // another host thread has created the list in the meantime
    return none;
}

void global_end_overlaps(struct launch_state *l) {
    struct allocation *a;
    for (int i = 0; l->watches_overlaps && (a = memory_at(l->memory, i)) != NULL; i++) {
        free(a->owner);
        a->owner = NULL;
    }
}

uint64_t global_last_writer(const struct launch_state *l, uint64_t address) {
    const struct allocation *a = memory_find(l->memory, address, address + 1);
    if (!a) return 0;
    const uint64_t at = (address - a->base) >> l->global_granule;
    return a->stamps ? a->stamps[at].write.warp >> 32 : a->owner ? a->owner[at] >> 32 : 0;
}

static void report_overlap(struct warp *w, const struct uop *u, int lane, uint64_t address,
                           uint64_t other) {
    const uint64_t block = (other >> 32) - 1;
    const uint32_t *grid = w->block->launch->grid;
    struct evidence *v =
        evidence_about(w, "global", address, 1u << w->block->launch->global_granule, "writes");
    v->facts = FACT_OTHER_BLOCK | FACT_OVERLAP;
    v->other_block = block + 1;
    checks_report(w, REPORT_GLOBAL_RACE, u->detail->index, lane, false,
                  "writes global memory at 0x%llx, where block (%u, %u, %u) stores another value",
                  (unsigned long long)address, (unsigned)(block % grid[0]),
                  (unsigned)(block / grid[0] % grid[1]), (unsigned)(block / grid[0] / grid[1]));
}

// The block that stores second finds the value of the first, in whatever order host threads run.
void global_store(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes,
                  const uint32_t *value) {
    const struct launch_state *l = w->block->launch;
    const int granule = l->global_granule;
    struct allocation *a =
        (struct allocation *)(uintptr_t)memory_find(l->memory, address, address + bytes);
    uint64_t *owner = a && !a->heap ? owners_of(a, granule) : NULL;
    const uint64_t own = w->block->linear + 1;
    for (uint32_t i = 0; owner && i < bytes >> granule; i++) {
        const uint32_t word = granule ? value[i] : value[i / 4] >> 8 * (i % 4) & 0xff;
        const uint64_t before = __atomic_exchange_n(&owner[((address - a->base) >> granule) + i],
                                                    own << 32 | word, __ATOMIC_RELAXED);
        if (!before || before >> 32 == own || (uint32_t)before == word) continue;
        report_overlap(w, u, lane, address + ((uint64_t)i << granule), before);
        return;
    }
}

void global_report_lost(struct warp *w, const struct uop *u, int lane, int other,
                        uint64_t address) {
    struct evidence *v = evidence_about(w, "global", address, u->detail->width, "writes");
    v->facts = FACT_LANES;
    v->other = u->detail->index + 1;
    v->other_warp = w->index + 1;
    v->other_lane = (uint32_t)other + 1;
    v->other_action = "writes";
    checks_report(
        w, REPORT_GLOBAL_RACE, u->detail->index, lane, false,
        u->detail->changes
            ? "writes global memory at 0x%llx, which lane %d of its warp changes in the same "
              "instruction"
            : "writes global memory at 0x%llx, where lane %d of its warp stores another value",
        (unsigned long long)address, other);
}

// --- unwritten memory ----------------------------------------------------------------------------

static bool is_unwritten(const struct allocation *a, uint64_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) {
        if (a->written[at + i]) return false;
    }
    return true;
}

// Marks registers that are loaded from unwritten memory as undefined; hazards.c reports a use.
static void load_unwritten(struct warp *w, const struct uop *u, int lane,
                           const struct allocation *a, uint64_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint16_t row = row_of_word(u, i / 4);
        if (row >= ROW_ZERO || !is_unwritten(a, at + i, bytes < 4 ? bytes : 4)) continue;
        struct unwritten *to = &w->hazards.unwritten[row];
        w->hazards.any_unwritten = true;
        to->lanes |= 1u << lane;
        to->loader = u->detail->index;
        to->address = a->base + at + i;
        w->hazards.unset[u->d + i / 4][lane] = (uint32_t)to->address;
        to->from = FROM_GLOBAL;
    }
}

static void look_at_written(struct warp *w, const struct uop *u, int lane,
                            const struct allocation *a, uint64_t at, uint32_t bytes,
                            enum access how) {
    if (how == ACCESS_LOAD) {
        load_unwritten(w, u, lane, a, at, bytes);
    } else if (how != ACCESS_WRITE && how != ACCESS_FLAG && is_unwritten(a, at, bytes)) {
        evidence_about(w, "global", a->base + at, bytes, "reads");
        checks_report(w, REPORT_UNWRITTEN, u->detail->index, lane, false,
                      "reads global memory at 0x%llx, which nothing has written",
                      (unsigned long long)(a->base + at));
    }
    if (how == ACCESS_WRITE || how == ACCESS_ATOMIC || how == ACCESS_FLAG)
        memset(a->written + at, 1, bytes);
}

// --- races ---------------------------------------------------------------------------------------

static uint64_t own_name(const struct warp *w) {
    return (w->block->linear + 1) << 32 | (uint64_t)(w->races.epoch << 6 | w->index);
}

// Returns true if the other block (`theirs`) has fenced after `time`, and before a write that this
// block (`own`) has seen.
static bool is_fenced(const struct order *theirs, const struct order *own, uint64_t time) {
    uint32_t low = 0, high = theirs->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (theirs->fence[middle] > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < theirs->count && theirs->fence[low] < own->latest_seen;
}

static bool unordered(const struct warp *w, struct stamp other) {
    const struct block *b = w->block;
    const struct order *order = b->launch->races->order, *own = &order[b->linear];
    const uint64_t name = own_name(w), block = (other.warp >> 32) - 1;
    if (!other.warp || other.warp == name) return false;
    if (block != b->linear)
        return b->cluster->size == 1 && !is_fenced(&order[block], own, other.time);
    const bool flagged = own->fenced > other.time && own->latest_seen > other.time;
    return !b->partial_barriers && (other.warp ^ name) >> 6 == 0 && !flagged;
}

static void race(struct warp *w, const struct uop *u, int lane, uint64_t address, enum access how,
                 struct stamp stamp, const char *did) {
    const uint64_t other = stamp.warp;
    static const char *const verbs[] = {"reads", "reads", "writes", "updates",
                                        "reads", "reads", "writes"};
    const uint64_t block = (other >> 32) - 1;
    const uint32_t *grid = w->block->launch->grid, warp = (uint32_t)other & 63;
    char text[96];
    if (block == w->block->linear) {
        snprintf(text, sizeof text, "warp %u %s since the last barrier", warp, did);
    } else {
        snprintf(text, sizeof text, "block (%u, %u, %u) %s", (unsigned)(block % grid[0]),
                 (unsigned)(block / grid[0] % grid[1]), (unsigned)(block / grid[0] / grid[1]), did);
    }
    struct evidence *v =
        evidence_about(w, "global", address, 1u << w->block->launch->global_granule, verbs[how]);
    v->other = stamp.at + 1;
    v->other_action = did[0] == 'r' ? "reads" : did[0] == 'w' ? "writes" : "updates";
    if (block != w->block->linear) {
        v->facts = FACT_OTHER_BLOCK;
        v->other_block = block + 1;
    } else {
        v->other_warp = warp + 1;
    }
    v->block_scope = strstr(did, "for its block only") != NULL;
    checks_report(w, REPORT_GLOBAL_RACE, u->detail->index, lane, false,
                  "%s global memory at 0x%llx, which %s", verbs[how], (unsigned long long)address,
                  text);
}

// Records that the block has read this write by an atomic or a strong load. `waits` is true if the
// atomic or load may wait for another block or warp.
static void see_write(const struct warp *w, struct stamp written, bool waits) {
    struct order *own = &w->block->launch->races->order[w->block->linear];
    own->waited |= waits && written.warp && written.warp != own_name(w);
    if (written.warp && written.warp != own_name(w) && written.time > own->latest_seen)
        own->latest_seen = written.time;
}

// Checks and records an access to one granule. `changes` is true if it stores a different value.
static bool look_at_stamps(struct warp *w, const struct uop *u, int lane, struct stamps *s,
                           uint64_t address, enum access how, bool changes) {
    const bool strong = how == ACCESS_ATOMIC || how == ACCESS_SPIN || how == ACCESS_FLAG;
    const bool narrow = sass_is_narrow(&u->detail->instruction);
    const bool apart =
        (s->write.warp >> 32) - 1 != w->block->linear && w->block->cluster->size == 1;
    const bool atomics = strong && s->atomic && !(apart && (narrow || s->narrow));
    const bool writes = how == ACCESS_WRITE || (strong && how != ACCESS_SPIN);
    struct stamp reader = {0};
    const struct stamp own = {own_name(w), ++w->block->launch->races->clock, u->detail->index};
    const bool waits = u->detail->waits || how == ACCESS_ATOMIC;
    const bool data = how == ACCESS_SPIN && u->detail->data && !waits && s->flag &&
                      w->block->launch->races->order[w->block->linear].waited &&
                      unordered(w, s->write);
    if (how == ACCESS_ATOMIC || how == ACCESS_SPIN) see_write(w, s->write, waits);
    for (int i = 0; i < 2 && writes; i++) reader = unordered(w, s->read[i]) ? s->read[i] : reader;
    const uint32_t block = (uint32_t)w->block->linear + 1;
    bool good = true;
    if (data) { // the block has waited for a flag that does not order this value
        race(w, u, lane, address, how, s->write, "writes");
        good = false;
    } else if (how == ACCESS_FLAG && changes && s->flag && s->strong_reader == block &&
               s->write.warp >> 32 != block &&
               unordered(w, s->write)) { // e.g. blocks add to a sum by volatile loads and stores
        race(w, u, lane, address, how, s->write, "writes");
        good = false;
    } else if (unordered(w, s->write) && !atomics && (!writes || changes)) {
        race(w, u, lane, address, how, s->write,
             !s->atomic ? "writes"
             : strong   ? "updates, one of the two for its block only"
                        : "updates");
        good = false;
    } else if (reader.warp && changes) {
        race(w, u, lane, address, how, reader, "reads");
        good = false;
    }
    if (writes) {
        s->write = own;
        s->atomic = strong;
        s->narrow = strong && narrow;
        s->flag = how == ACCESS_FLAG;
    } else if (!strong) {
        // Keeps the last reads of two warps: a new read by the latest warp replaces its own read.
        if ((s->read[0].warp ^ own.warp) & ~(uint64_t)0xffffffc0) s->read[1] = s->read[0];
        s->read[0] = own;
    }
    if (how == ACCESS_SPIN || how == ACCESS_ATOMIC)
        s->strong_reader = waits || !u->detail->data ? 0 : block;
    return good;
}

bool global_access(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes,
                   enum access how, const void *value) {
    const struct launch_state *l = w->block->launch;
    const struct allocation *a = memory_find(l->memory, address, address + bytes);
    const uint32_t size = 1u << l->global_granule;
    if (!a) return true; // the wrong address was reported already
    const uint64_t at = address - a->base;
    if (a->written) look_at_written(w, u, lane, a, at, bytes, how);
    if (l->races && (!l->races->left || !l->races->left--)) return true;
    // The workspace of a grid barrier has no stamps; it counts as written just now.
    if (l->races && !a->stamps) see_write(w, (struct stamp){1, ++l->races->clock, 0}, false);
    for (uint32_t i = 0; a->stamps && i < bytes; i += size) {
        const uint32_t part = bytes - i < size ? bytes - i : size;
        const bool changes =
            !value || memcmp(a->host + at + i, (const uint8_t *)value + i, part) != 0;
        if (!look_at_stamps(w, u, lane, &a->stamps[(at + i) >> l->global_granule], address + i, how,
                            changes))
            return false;
    }
    return true;
}
