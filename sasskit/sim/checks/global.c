// What is wrong with an access to device memory beyond its address: reads of what nothing has written, and on demand races.
//
// An allocation that begins unwritten has a flag a byte. For races each granule (a word; a byte in kernels that touch less at once)
// has stamps of its last write and of its last two readers: block, epoch (barriers that the block has passed) and warp. Two
// accesses are in a race when they are of different blocks, or of two warps of a block in one epoch, and one of them writes.
//
// No race: atomics and strong (volatile) accesses among themselves, and two writes of one value; blocks of one cluster; and what a
// block did before a fence, once the other has asked, by an atomic or a strong load, for a word that was written after that fence.
// By whom it was written is not looked at, nor which warp of the block fences. Limits too: lanes of one warp are not held against each other; of a word's readers the last
// two warps are known.
#include "checks.h"
#include "sim/machine/room.h"

#include <stdlib.h>

struct stamp {
    uint64_t who;                // block + 1 in the upper half, epoch and warp below, 0 nobody
    uint64_t time : 44, at : 20; // by the launch's clock; the instruction
};
struct stamps {
    struct stamp write, read[2];
    bool atomic, narrow; // the write; for its block alone (STRONG.SM, atomicAdd_block)
};

// Of a block: when it fenced for the whole device, last for itself or more, and when the latest was written of what it has asked for.
struct order {
    uint64_t *fence; // (count)
    uint32_t count, capacity;
    uint64_t fenced, asked;
};
struct global_races {
    uint64_t clock;
    uint64_t blocks;
    struct order order[]; // (blocks)
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

// --- what nothing has written --------------------------------------------------------------------------------------------

static bool is_unwritten(const struct allocation *a, uint64_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) {
        if (a->written[at + i]) return false;
    }
    return true;
}

// What a load brings may be more than is used: its registers remember it, and who uses it is reported (hazards.c).
static void load_unwritten(struct warp *w, const struct uop *u, int lane, const struct allocation *a, uint64_t at,
                           uint32_t bytes) {
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

static void look_at_written(struct warp *w, const struct uop *u, int lane, const struct allocation *a, uint64_t at,
                            uint32_t bytes, enum access how) {
    if (how == ACCESS_LOAD) {
        load_unwritten(w, u, lane, a, at, bytes);
    } else if (how != ACCESS_WRITE && how != ACCESS_FLAG && is_unwritten(a, at, bytes)) {
        about(w, "global", a->base + at, bytes, "reads");
        checks_report(w, REPORT_UNWRITTEN, u->detail->index, lane, false,
                      "reads global memory at 0x%llx, which nothing has written", (unsigned long long)(a->base + at));
    }
    if (how == ACCESS_WRITE || how == ACCESS_ATOMIC || how == ACCESS_FLAG) memset(a->written + at, 1, bytes);
}

// --- races -----------------------------------------------------------------------------------------------------------------

static uint64_t own_name(const struct warp *w) {
    return (w->block->linear + 1) << 32 | (uint64_t)(w->races.epoch << 6 | w->index);
}

// A fence of that block came after `time`, and before a word was written that this block has asked for.
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
    return low < theirs->count && theirs->fence[low] < own->asked;
}

static bool unordered(const struct warp *w, struct stamp other) {
    const struct block *b = w->block;
    const struct order *order = b->launch->races->order, *own = &order[b->linear];
    const uint64_t name = own_name(w), block = (other.who >> 32) - 1;
    if (!other.who || other.who == name) return false;
    if (block != b->linear) return b->cluster->size == 1 && !is_fenced(&order[block], own, other.time);
    const bool flagged = own->fenced > other.time && own->asked > other.time;
    return !b->partial_barriers && (other.who ^ name) >> 6 == 0 && !flagged;
}

static void race(struct warp *w, const struct uop *u, int lane, uint64_t address, enum access how, struct stamp stamp,
                 const char *did) {
    const uint64_t other = stamp.who;
    static const char *const verbs[] = {"reads", "reads", "writes", "updates", "reads", "reads", "writes"};
    const uint64_t block = (other >> 32) - 1;
    const uint32_t *grid = w->block->launch->grid, warp = (uint32_t)other & 63;
    char who[96];
    if (block == w->block->linear) {
        snprintf(who, sizeof who, "warp %u %s since the last barrier", warp, did);
    } else {
        snprintf(who, sizeof who, "block (%u, %u, %u) %s", (unsigned)(block % grid[0]),
                 (unsigned)(block / grid[0] % grid[1]), (unsigned)(block / grid[0] / grid[1]), did);
    }
    struct evidence *v = about(w, "global", address, 1u << w->block->launch->global_granule, verbs[how]);
    v->other = stamp.at + 1;
    v->other_action = did[0] == 'r' ? "reads" : did[0] == 'w' ? "writes" : "updates";
    if (block != w->block->linear) {
        v->facts = FACT_OTHER_BLOCK;
        v->other_block = block + 1;
    } else {
        v->other_warp = warp + 1;
    }
    checks_report(w, REPORT_GLOBAL_RACE, u->detail->index, lane, false, "%s global memory at 0x%llx, which %s",
                  verbs[how], (unsigned long long)address, who);
}

static void ask(const struct warp *w, struct stamp written) {
    struct order *own = &w->block->launch->races->order[w->block->linear];
    if (written.who && written.who != own_name(w) && written.time > own->asked) own->asked = written.time;
}

// One granule; `changes`: the access leaves another value there.
static bool look_at_stamps(struct warp *w, const struct uop *u, int lane, struct stamps *s, uint64_t address,
                           enum access how, bool changes) {
    const bool strong = how == ACCESS_ATOMIC || how == ACCESS_SPIN || how == ACCESS_FLAG;
    const bool narrow = u->detail->instruction.modifiers.order == SASS_STRONG_SM;
    const bool apart = (s->write.who >> 32) - 1 != w->block->linear && w->block->cluster->size == 1;
    const bool atomics = strong && s->atomic && !(apart && (narrow || s->narrow));
    const bool writes = how == ACCESS_WRITE || (strong && how != ACCESS_SPIN);
    struct stamp reader = {0};
    const struct stamp own = {own_name(w), ++w->block->launch->races->clock, u->detail->index};
    if (how == ACCESS_ATOMIC || how == ACCESS_SPIN) ask(w, s->write);
    for (int i = 0; i < 2 && writes; i++) reader = unordered(w, s->read[i]) ? s->read[i] : reader;
    bool good = true;
    if (unordered(w, s->write) && !atomics && (!writes || changes)) {
        race(w, u, lane, address, how, s->write,
             !s->atomic ? "writes"
             : strong   ? "updates, one of the two for its block only"
                        : "updates");
        good = false;
    } else if (reader.who && changes) {
        race(w, u, lane, address, how, reader, "reads");
        good = false;
    }
    if (writes) {
        s->write = own;
        s->atomic = strong;
        s->narrow = strong && narrow;
    } else if (!strong) {
        if ((s->read[0].who ^ own.who) & ~(uint64_t)0xffffffc0) s->read[1] = s->read[0]; // another warp's
        s->read[0] = own;
    }
    return good;
}

bool global_access(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes, enum access how,
                   const void *value) {
    const struct launch_state *l = w->block->launch;
    const struct allocation *a = memory_find(l->memory, address, address + bytes);
    const uint32_t size = 1u << l->global_granule;
    if (!a) return true; // reported already
    const uint64_t at = address - a->base;
    if (a->written) look_at_written(w, u, lane, a, at, bytes, how);
    // The workspace of a grid's barrier has no stamps: taken to have been written just now.
    if (l->races && !a->stamps) ask(w, (struct stamp){1, ++l->races->clock, 0});
    for (uint32_t i = 0; a->stamps && i < bytes; i += size) {
        const uint32_t part = bytes - i < size ? bytes - i : size;
        const bool changes = !value || memcmp(a->host + at + i, (const uint8_t *)value + i, part) != 0;
        if (!look_at_stamps(w, u, lane, &a->stamps[(at + i) >> l->global_granule], address + i, how, changes))
            return false;
    }
    return true;
}
