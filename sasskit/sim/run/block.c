// One block: schedules its warps, implements barriers, detects and reports deadlocks.
#include "isa/cubin.h"
#include "launch.h"
#include "sim/checks/order.h"
#include "sim/machine/progress.h"
#include "sim/observer.h"
#include "sim/ops/bulk.h"
#include "sim/ops/copies.h"

#include <stdlib.h>

enum { SLICE = 20000 };     // time slice of a warp, in branches
enum { SHORT_SLICE = 256 }; // time slice if the block only waited in the previous one
// A block counts as deadlocked if each of its warps has polled POLLS_OF_EACH times without
// progress, and the warps of all resident blocks together about POLLS_OF_ALL times.
enum { POLLS_OF_ALL = 1 << 22, POLLS_OF_EACH = 1 << 14 };
// Limit after a wrong address: four times the number of instructions that the faulty warp had
// executed until then, plus this number.
enum { AFTER_FAULT = 20000000 };
// A polling loop must return to an earlier state within this many branches.
enum { MOST_BRANCHES = 4096 };

static bool waits_at(const struct warp *w, uint32_t id) {
    for (int i = 0; i < w->group_count; i++) {
        if (w->group[i].state == GROUP_BARRIER && w->group[i].what == id) return true;
    }
    return false;
}

static void complete(struct block *b, uint32_t id) {
    const struct engine *engine = b->launch->program->engine;
    struct named_barrier *n = &b->barrier[id];
    const uint32_t results[3] = {n->reduce_count, n->reduce_and, n->reduce_or};
    if (n->reduces) b->reduction = results[n->how % 3];
    n->reduces = false;
    b->barrier[id].arrived = 0;
    b->barrier[id].expected = 0;
    b->barriers_passed++;
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        b->warp[i].races.epoch++;
        shadow_synchronise(&b->warp[i]);
        b->warp[i].tiled = false;
        b->warp[i].races.epoch_phase = b->warp[i].races.phase;
        if (waits_at(&b->warp[i], id)) order_pass(&b->warp[i], id);
        engine->pass_barrier(&b->warp[i], id);
    }
    order_complete(b, id);
}

static bool is_complete(const struct block *b, const struct named_barrier *barrier) {
    return barrier->arrived > 0 &&
           barrier->arrived >= (barrier->expected ? barrier->expected : b->alive);
}

// Returns true if two barrier instructions have different source lines (-lineinfo). One
// __syncthreads() may be compiled to several instructions, which have the same line.
static bool is_elsewhere(const struct block *b, uint32_t one, uint32_t other) {
    const struct sass_kernel *k = b->launch->program->kernel;
    if (one == other) return false;
    const struct sass_line *a = cubin_line(k, one * SASS_BYTES),
                           *c = cubin_line(k, other * SASS_BYTES);
    return a && c && (a->line != c->line || a->own_line != c->own_line);
}

// Returns true if other lanes of the warp wait at the barrier by a different __syncthreads().
static bool is_parted(const struct warp *w, uint32_t id, uint32_t index) {
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->group[i];
        if (g->state == GROUP_BARRIER && g->what == id && is_elsewhere(w->block, g->pc, index))
            return true;
    }
    return false;
}

// Reports threads that arrive at barrier 0 (__syncthreads) by different calls. Hardware counts
// threads wherever they arrive, but PTX guarantees that only for whole warps. So calls by lanes of
// one warp are a warning, and calls by different warps are a note. cause_barriers.c raises the note
// to a warning, because CUDA guarantees less for __syncthreads(), unless both calls are inline PTX.
static void check_place(struct warp *w, uint32_t index, const struct named_barrier *barrier,
                        int lane) {
    const struct block *b = w->block;
    const bool parted = is_parted(w, 0, index);
    char place[SASS_MAX_TEXT + 32];
    if (!barrier->arrived || !is_elsewhere(b, barrier->place, index)) return;
    program_text(b->launch->program, barrier->place, place, sizeof place);
    evidence_about(w, NULL, 0, 0, "waits")->other = barrier->place + 1;
    checks_warn(w, REPORT_BARRIER, parted ? SEVERITY_WARNING : SEVERITY_NOTE, index, lane,
                "waits for the block at one __syncthreads(), and %s wait at another one, %s: the "
                "hardware counts both%s",
                parted ? "lanes of the same warp" : "other warps", place,
                parted ? ", CUDA does not promise it" : "");
}

void barrier_arrive(struct warp *w, uint32_t index, uint32_t id, uint32_t count, uint32_t lanes) {
    struct named_barrier *barrier = &w->block->barrier[id];
    if (barrier->arrived && barrier->expected != count) {
        struct evidence *v = evidence_about(w, NULL, 0, 0, "arrives");
        v->other = barrier->place + 1;
        v->other_action = "arrives";
        v->expected = barrier->expected;
        v->actual = count;
        v->unit = "threads";
        checks_report(w, REPORT_BARRIER, index, -1, false,
                      "arrives at barrier %u with %u threads, others with %u", id, count,
                      barrier->expected);
    }
    if (id == 0 && count == 0) check_place(w, index, barrier, first_lane(lanes));
    if (!barrier->arrived) barrier->place = index;
    barrier->expected = count;
    barrier->arrived += lanes_count(lanes);
    order_arrive(w, id);
    if (is_complete(w->block, barrier)) complete(w->block, id);
}

void barrier_check_all(struct block *b) {
    for (uint32_t id = 0; id < NAMED_BARRIERS; id++) {
        if (b->barrier[id].expected == 0 && is_complete(b, &b->barrier[id])) complete(b, id);
    }
}

// Marks as undefined the cells (registers, predicates) that the code may read before it writes.
static void watch_unset(struct warp *w) {
    for (uint32_t k = 0; k < CELL_WORDS; k++) {
        for (uint64_t rest = w->block->launch->program->unset[k]; rest; rest &= rest - 1) {
            const uint32_t number = 64 * k + (uint32_t)__builtin_ctzll(rest);
            w->hazards.unwritten[number] =
                (struct unwritten){.lanes = w->lanes, .address = number, .from = FROM_REGISTER};
            memset(w->hazards.unset[number], 0xff, sizeof w->hazards.unset[number]);
            w->cell[number].ready = UNWRITTEN;
            note_busy(w, number);
            w->hazards.any_unwritten = true;
        }
    }
}

static void start_warp(struct block *b, uint32_t index) {
    struct launch_state *l = b->launch;
    struct warp *w = &b->warp[index];
    const int registers = l->program->registers;
    const uint32_t threads =
        l->threads - index * LANES < LANES ? l->threads - index * LANES : LANES;
    w->block = b;
    w->index = index;
    w->watch.stream = b->stream ? &b->stream[index] : NULL;
    w->watch.spin = (struct spin){0};
    w->base[0] = (const char *)w->row;
    w->base[1] = (const char *)l->program->constant;
    w->lanes = threads == LANES ? ALL_LANES : (1u << threads) - 1;
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t thread = index * LANES + i, row = thread / l->block[0];
        w->thread[0][i] = thread % l->block[0];
        w->thread[1][i] = row % l->block[1];
        w->thread[2][i] = row / l->block[1];
    }
    const size_t zeros = offsetof(struct warp, predicate);
    memset((char *)w + zeros, 0, offsetof(struct warp, block) - zeros);
    w->predicate[PREDICATE_TRUE] = w->predicate[PREDICATE_UNIFORM + PREDICATE_TRUE] = ALL_LANES;
    w->clock = 16;
    w->races.epoch = b->epoch_base;
    w->acts_at = UINT64_MAX;
    w->hazards.spread = w->hazards.undefined_source = 0;
    shadow_synchronise(w);
    w->races.fenced = w->races.epoch_phase = w->races.phase;
    w->races.atomic_since_fence = false;
    w->bulk.polled = NOTHING_POLLED;
    w->bulk.group_count = 0;
    w->bulk.copy = 0;
    w->copies.count = w->copies.group_count = 0;
    w->copies.arrived = false;
    w->mmas.count = 0;
    w->mmas.groups = w->mmas.sum = 0;
    w->mmas.may_multiply = false;
    w->mmas.last_of[0] = 0;
    memset(&w->flags, 0, sizeof w->flags);
    // registers are NaN until they are written
    memset(w->row, 0xff, (size_t)(registers < 255 ? registers : 255) * sizeof *w->row);
    memset(w->row[ROW_ZERO], 0, sizeof *w->row);
    memset(w->row[ROW_UNIFORM], 0xff, SASS_URZ * sizeof *w->row);
    memset(w->row[ROW_UNIFORM_ZERO], 0, sizeof *w->row);
    if (w->hazards.any_unwritten) memset(w->hazards.unwritten, 0, sizeof w->hazards.unwritten);
    w->hazards.any_unwritten = false;
    w->hazards.kept_count = 0;
    watch_unset(w);
    for (int i = 0; i < SCOREBOARDS; i++) w->pending[i].count = 0;
    for (int i = 0; i < SASS_UNIT_COUNT; i++) w->unguarded[i].count = 0;
    l->program->engine->start(w);
}

// Returns true if warp `next` is in the same state and at the same instruction as warp w.
static bool is_beside(const struct warp *w, const struct warp *next) {
    const bool waits = w->state == WARP_WAITS;
    return next->state == w->state && next->group_count &&
           (waits ? next->group[0].pc == w->group[0].pc : next->pc == w->pc);
}

static bool is_named(const struct block *b, uint32_t warp) {
    for (uint32_t i = 0; i < warp; i++)
        if (is_beside(&b->warp[warp], &b->warp[i])) return true;
    return false;
}

// Sets text to, for example, "warps 0 to 3 wait at `BAR.SYNC...` at 0x120, warp 4 runs at ..., 3
// warps are elsewhere". A waiting warp's position is that of its first group of lanes.
static void describe(const struct block *b, char *text, size_t size) {
    enum { MOST_PLACES = 3 };
    int length = 0, places = 0;
    uint32_t elsewhere = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        const struct warp *w = &b->warp[i];
        char instruction[SASS_MAX_TEXT + 32], named[48];
        if (w->state == WARP_DONE || w->group_count == 0 || is_named(b, i)) continue;
        const bool waits = w->state == WARP_WAITS;
        uint32_t last = i, more = 0; // warps i to last and `more` others are here
        for (uint32_t k = i + 1; k < b->launch->warps; k++)
            if (is_beside(w, &b->warp[k])) *(k == last + 1 ? &last : &more) += 1;
        if (places++ >= MOST_PLACES) {
            elsewhere += last + 1 - i + more;
            continue;
        }
        program_text(b->launch->program, waits ? w->group[0].pc : w->pc, instruction,
                     sizeof instruction);
        if (more)
            snprintf(named, sizeof named, "%u warps %s", last + 1 - i + more,
                     waits ? "wait" : "run");
        else if (last > i)
            snprintf(named, sizeof named, "warps %u to %u %s", i, last, waits ? "wait" : "run");
        else
            snprintf(named, sizeof named, "warp %u %s", i, waits ? "waits" : "runs");
        length += snprintf(text + length, size - (size_t)length, "%s%s at %.110s",
                           length ? ", " : "", named, instruction);
    }
    if (elsewhere)
        snprintf(text + length, size - (size_t)length, ", %u warp%s elsewhere", elsewhere,
                 elsewhere == 1 ? " is" : "s are");
}

// Appends whether the limit of instructions came before some warps had reached a barrier.
static void describe_cut(const struct block *b, char *text, size_t size) {
    const size_t length = strlen(text);
    bool waits = false, runs = false;
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        const struct warp *w = &b->warp[i];
        waits |= w->state == WARP_WAITS && w->group[0].state == GROUP_BARRIER;
        runs |= w->state == WARP_READY;
    }
    if (waits && runs)
        snprintf(text + length, size - length,
                 "; the limit came before those that run had reached the barrier");
}

// Appends "; the mbarrier at 0x8 still wants ..." for the first warp that polls an mbarrier.
static void describe_mbarriers(const struct block *b, char *text, size_t size) {
    const size_t length = strlen(text);
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        const uint32_t at = b->warp[i].bulk.polled;
        if (b->warp[i].state == WARP_DONE || at == NOTHING_POLLED) continue;
        const struct mbarrier barrier = mbarrier_at(b, at);
        if (barrier.bytes < 0)
            snprintf(text + length, size - length,
                     "%sthe mbarrier at " SHARED_BYTE
                     " still wants %u arrivals and has got %d bytes more "
                     "than were announced",
                     length ? "; " : "", SHARED_BYTE_AT(b->launch, at), barrier.pending,
                     -(int)barrier.bytes);
        else
            snprintf(text + length, size - length,
                     "%sthe mbarrier at " SHARED_BYTE " still wants %u arrivals and %d bytes",
                     length ? "; " : "", SHARED_BYTE_AT(b->launch, at), barrier.pending,
                     (int)barrier.bytes);
        return;
    }
}

static uint32_t position_of(const struct warp *w) {
    return w->state == WARP_WAITS ? w->group[0].pc : w->pc;
}

// Returns how much a warp's position tells about the cause of a deadlock. 5: an mbarrier lacks
// bytes; 4: an mbarrier lacks arrivals; 3: the warp polls a word of global memory; 2: anything
// else; 1: the warp waits at the cluster's barrier for other warps; 0: the warp has ended.
static int tells(const struct warp *w) {
    const struct program *p = w->block->launch->program;
    if (w->state == WARP_DONE) return 0;
    if (w->bulk.polled != NOTHING_POLLED)
        return mbarrier_at(w->block, w->bulk.polled).bytes ? 5 : 4;
    const uint32_t at = position_of(w);
    const bool in_code = at < p->count && p->detail[at].instruction.form;
    if (in_code && p->detail[at].instruction.form->opcode == SASS_UCGABAR_WAIT) return 1;
    return w->state == WARP_READY && w->flags.polled ? 3 : 2;
}

// Returns the first warp with the highest tells().
static struct warp *most_telling_warp(struct block *b) {
    struct warp *best = &b->warp[0];
    for (uint32_t i = 1; i < b->launch->warps; i++) {
        if (tells(&b->warp[i]) > tells(best)) best = &b->warp[i];
    }
    return best;
}

int block_tells(struct block *b) {
    return tells(most_telling_warp(b));
}

// Returns the address of the word of global memory that the warp polls; 0 if it polls none.
static uint64_t polled_word(const struct warp *w) {
    const uint64_t at = w->flags.polled & ~UINT64_C(3);
    return at && tells(w) == 3 && memory_find(w->block->launch->memory, at, at + 4) ? at : 0;
}

// Appends the word of global memory that the warp polls, and the word's value.
static void describe_polled_word(const struct warp *w, char *text, size_t size) {
    const uint64_t at = polled_word(w);
    const struct allocation *a = at ? memory_find(w->block->launch->memory, at, at + 4) : NULL;
    const size_t length = strlen(text);
    uint32_t value;
    if (!a) return;
    memcpy(&value, a->host + (at - a->base), sizeof value);
    snprintf(text + length, size - length,
             "%sthe word at 0x%llx, byte %llu of the allocation of %llu bytes, is %u",
             length ? "; " : "", (unsigned long long)at, (unsigned long long)(at - a->base),
             (unsigned long long)a->size, value);
}

static struct warp *first_alive(struct block *b) {
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        if (b->warp[i].state != WARP_DONE) return &b->warp[i];
    }
    return &b->warp[0];
}

// Sets text to the operands of the comparison before the back edge of the loop around `at`, for
// example "R4 is 17 and R5 is 16 in lane 0".
static void describe_condition(const struct warp *w, uint32_t at, char *text, size_t size) {
    const struct program *p = w->block->launch->program;
    uint32_t branch = at;
    while (branch < p->count &&
           !(p->detail[branch].instruction.form && p->detail[branch].target <= at &&
             p->detail[branch].instruction.form->opcode == SASS_BRA))
        branch++;
    if (branch == p->count || !w->active) return;
    const int lane = first_lane(w->active);
    for (uint32_t i = branch; i-- > p->detail[branch].target;) {
        const struct detail *d = &p->detail[i];
        char name[8];
        int n = 0;
        if (!d->instruction.form || d->instruction.form->opcode != SASS_ISETP) continue;
        for (int k = 0; k < d->cells.in_count; k++) {
            const uint32_t number = d->cells.in[k];
            if (number >= CELL_UNIFORM || n < 0 || (size_t)n >= size) continue;
            n += snprintf(text + n, size - (size_t)n, "%s%s is %d", n ? " and " : "",
                          program_cell(number, name), (int)w->row[number][lane]);
        }
        if (n > 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, " in lane %d", lane);
        return;
    }
}

void block_report_endless(struct block *b, struct warp *limited, const char *why) {
    const bool limit = limited;
    struct warp *w = limit ? limited : most_telling_warp(b);
    char where[640] = "";
    describe(b, where, sizeof where);
    if (limit) describe_cut(b, where, sizeof where);
    describe_mbarriers(b, where, sizeof where);
    if (!limit) describe_polled_word(w, where, sizeof where);
    const uint32_t at = position_of(w);
    const uint64_t word = limit ? 0 : polled_word(w);
    struct evidence *v = evidence_about(w, word ? "global" : NULL, word, word ? 4 : 0, NULL);
    v->facts = limit ? FACT_LIMIT : FACT_POLLS;
    const struct launch_state *l = b->launch;
    // the block may wait for blocks that have not started
    if (!limit && l->next < l->blocks) {
        v->expected = (int64_t)l->blocks;
        v->actual = (int64_t)l->fit;
        v->unit = "blocks";
    }
    if (limit) describe_condition(w, at, v->detail, sizeof v->detail);
    if (!limit) describe_mbarriers(b, v->detail, sizeof v->detail);
    if (!limit) describe_polled_word(w, v->detail, sizeof v->detail);
    checks_report(w, REPORT_ENDLESS, at, -1, true, "%s: %s", why, where);
}

// Returns a group of lanes that waits at a WARPSYNC; NULL if none does.
static const struct group *waiting_for_lanes(const struct warp *w) {
    for (int i = 0; i < w->group_count; i++) {
        if (w->group[i].state == GROUP_WARPSYNC) return &w->group[i];
    }
    return NULL;
}

// Reports a deadlock. Requires: no warp of the block can run, and not all have ended.
static void report_deadlock(struct block *b) {
    struct warp *w = first_alive(b);
    const struct group *g = &w->group[0];
    char where[640] = "";
    describe(b, where, sizeof where);
    // Lanes that wait for lanes of their own warp are reported first: they keep a barrier
    // incomplete.
    for (uint32_t i = 0; i < b->launch->warps; i++)
        if (b->warp[i].state != WARP_DONE && waiting_for_lanes(&b->warp[i]) &&
            b->warp[i].group_count > 1)
            w = &b->warp[i];
    if (g->state == GROUP_BARRIER && (!waiting_for_lanes(w) || w->group_count < 2)) {
        const struct named_barrier *barrier = &b->barrier[g->what];
        struct evidence *v = evidence_about(first_alive(b), NULL, 0, 0, "waits");
        v->facts = FACT_DEADLOCK;
        v->expected = barrier->expected ? barrier->expected : b->alive;
        v->actual = barrier->arrived;
        v->unit = "threads";
        checks_report(first_alive(b), REPORT_BARRIER, g->pc, first_lane(g->mask), true,
                      "waits for ever: %u of %u threads arrived at barrier %u and no other can: %s",
                      barrier->arrived, barrier->expected ? barrier->expected : b->alive, g->what,
                      where);
    } else if ((g = waiting_for_lanes(w)) != NULL) {
        checks_report(w, REPORT_LANE, g->pc, first_lane(g->mask), true,
                      "waits for ever: of the lanes 0x%08x that it names, 0x%08x are elsewhere: %s",
                      g->what, g->what & w->alive & ~g->mask, where);
    } else {
        g = &w->group[0];
        checks_report(first_alive(b), REPORT_BARRIER, g->pc, first_lane(g->mask), true,
                      "waits for ever for other lanes of its warp to converge: %s", where);
    }
}

// Returns the number of stamps (races.c): one per granule (byte or word) of shared memory, plus a
// few for reads past the end.
static size_t stamps(const struct launch_state *l) {
    return (l->shared_end >> l->granule) + 16;
}

void block_start(struct block *b, uint64_t linear) {
    struct launch_state *l = b->launch;
    // Copies that the previous block did not wait for end with that block.
    for (uint32_t i = 0; i < l->warps; i++) copies_finish(&b->warp[i], -1);
    b->linear = linear;
    b->lowest = linear == 0 ? b->launch->lowest : NULL;
    b->order = b->pictured = 0;
    b->index[0] = (uint32_t)(linear % l->grid[0]);
    b->index[1] = (uint32_t)(linear / l->grid[0] % l->grid[1]);
    b->index[2] = (uint32_t)(linear / l->grid[0] / l->grid[1]);
    b->alive = l->threads;
    b->epoch_base += b->barriers_passed + 1;
    b->barriers_passed = 0;
    b->waits = b->over = false;
    if (b->flagged) memset(b->flag, 0, sizeof b->flag);
    b->flagged = false;
    b->window = 0;
    b->mbarrier_record_count = 0;
    b->own = (struct cluster){.block = {b}, .size = 1};
    b->cluster = &b->own;
    bulk_drop(b);
    if (b->epoch_base > 1u << 25) { // a stamp has 26 bits for the epoch
        // the arrays of stamps of writes, reads and atomics lie one after the other
        memset(b->last_write, 0, 3 * stamps(l) * sizeof *b->last_write);
        b->epoch_base = 1;
    }
    memset(b->barrier, 0, sizeof b->barrier);
    order_start(b->ordering);
    memset(b->shared, 0xff, l->shared_bytes);
    memset(b->shared, 0,
           l->shared_reserved < l->shared_bytes ? l->shared_reserved : l->shared_bytes);
    memset(b->shared + l->shared_bytes, 0, l->shared_end - l->shared_bytes);
    for (uint32_t i = 0; i < l->warps; i++) start_warp(b, i);
}

static bool past_limit(struct block *b, struct warp *w) {
    const struct launch_state *l = b->launch;
    const uint64_t after = 4 * l->at_fault + AFTER_FAULT;
    const bool faulty = l->at_fault && !l->limit_is_given && after < l->limit;
    const uint64_t limit = faulty ? after : l->limit;
    char why[160];
    if (w->executed <= limit) return false;
    snprintf(why, sizeof why, "warp %u met the limit of %llu instructions%s (--limit)", w->index,
             (unsigned long long)limit, faulty ? " after a wrong address" : "");
    block_report_endless(b, w, why);
    return true;
}

// Restarts the count of polls if any warp has done something that others can observe.
static void note_polls(struct warp *w) {
    const uint64_t acts = __atomic_load_n(&w->block->launch->acts, __ATOMIC_RELAXED);
    if (w->acted || acts != w->acts_at) w->polls_before = w->polls;
    w->acts_at = acts;
}

// Returns true if all running warps have polled so often that the block counts as deadlocked.
static bool only_polls(const struct block *b) {
    uint64_t warps = 0, least = UINT64_MAX;
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        const struct warp *w = &b->warp[i];
        const uint64_t asked = w->polls - w->polls_before;
        if (w->state != WARP_READY) continue;
        warps++;
        if (w->acts_at != __atomic_load_n(&b->launch->acts, __ATOMIC_RELAXED)) return false;
        if (asked < least) least = asked;
    }
    return warps && (least >= POLLS_OF_EACH && least * warps * b->launch->resident >= POLLS_OF_ALL);
}

static void run_warp(struct warp *w, uint64_t branches) {
    const struct engine *engine = w->block->launch->program->engine;
    engine->run(w, branches);
}

enum block_state block_run(struct block *b) {
    struct launch_state *l = b->launch;
    while (!l->stop) {
        bool running = false, acted = false;
        for (uint32_t i = 0; i < l->warps && !l->stop; i++) {
            struct warp *w = &b->warp[i];
            if (w->state != WARP_READY) continue;
            running = true;
            w->acted = w->acted_before = false;
            run_warp(w, b->waits ? SHORT_SLICE : SLICE);
            w->acted |= w->acted_before;
            acted |= w->acted || w->state != WARP_READY;
            note_polls(w);
            if (!l->stop && past_limit(b, w)) break;
        }
        progress_show(l);
        if (!running) break;
        if (acted) __atomic_fetch_add(&l->acts, 1, __ATOMIC_RELAXED);
        b->waits = !acted;
        if (b->waits) return BLOCK_QUIET;
    }
    if (!l->stop && b->alive) report_deadlock(b);
    return BLOCK_DONE;
}

void block_step(struct block *b, uint32_t warp) {
    struct launch_state *l = b->launch;
    struct warp *w = &b->warp[warp];
    bool running = false;
    w->acted = w->acted_before = false;
    l->program->engine->step(w);
    if (l->stop || past_limit(b, w)) return;
    for (uint32_t i = 0; i < l->warps; i++) running |= b->warp[i].state == WARP_READY;
    if (!running && b->alive) report_deadlock(b);
}

// The state that determines a warp's next instructions, apart from memory.
struct warp_snapshot {
    uint32_t row[ROWS][LANES], predicate[PREDICATES];
    struct group group[MAX_GROUPS];
    uint32_t pc, active;
    int group_count, current;
    // --- executed since the snapshot
    uint32_t start[MOST_BRANCHES]; // first instruction of each run of code up to a branch
    int runs;
    bool alone; // true if no other group of lanes ran
};

static bool same_place_as(const struct warp *w, const struct warp_snapshot *p) {
    if (w->pc != p->pc || w->active != p->active || w->group_count != p->group_count ||
        w->current != p->current)
        return false;
    for (int i = 0; i < w->group_count; i++) { // the current group is compared above
        const struct group *a = &w->group[i], *b = &p->group[i];
        if (i != w->current && (a->mask != b->mask || a->pc != b->pc || a->state != b->state))
            return false;
    }
    return true;
}

static bool same_registers(const struct warp *w, const struct warp_snapshot *p) {
    const size_t registers = (size_t)w->block->launch->program->registers;
    return memcmp(w->predicate, p->predicate, sizeof p->predicate) == 0 &&
           memcmp(w->row, p->row, (registers < 255 ? registers : 255) * sizeof *w->row) == 0 &&
           memcmp(w->row[ROW_UNIFORM], p->row[ROW_UNIFORM], SASS_URZ * sizeof *w->row) == 0;
}

// Does one step of a backward liveness analysis, over one instruction. `live` has the cells on
// which later branches and memory accesses depend. `replaces` is true if the instruction writes all
// lanes of its results. Returns false if the analysis must give up: the instruction may store to
// the stack, may read a clock, or accesses too many cells.
static bool step_back(const struct detail *d, bool replaces, bool live[CELLS]) {
    const struct uop_cells *c = &d->cells;
    const enum sass_opcode opcode = d->unknown ? SASS_ST : d->instruction.form->opcode;
    if (c->in_count == SASS_MAX_TOUCHES || c->out_count == SASS_MAX_TOUCHES || opcode == SASS_STL ||
        opcode == SASS_ST)
        return false;
    bool takes =
        !c->out_count || d->uop->flags & UOP_CONTROL || sass_facts_of(&d->instruction)->memory;
    for (int k = 0; k < c->out_count; k++) takes |= live[c->out[k]];
    if (takes &&
        (opcode == SASS_S2R || opcode == SASS_S2UR || opcode == SASS_CS2R || opcode == SASS_CS2UR))
        return false;
    for (int k = 0; replaces && k < c->out_count; k++)
        live[c->out[k]] &= !sass_always(&d->instruction);
    for (int k = 0; takes && k < c->in_count; k++) live[c->in[k]] = true;
    return true;
}

// Sets needed[cell] for the cells whose values at the snapshot matter if the code executed since
// then repeats for ever. Returns false if they are unknown.
static bool find_needed(const struct program *p, const struct warp_snapshot *s,
                        bool needed[CELLS]) {
    for (bool more = true; more;) {
        bool live[CELLS];
        memcpy(live, needed, sizeof live);
        for (int run = s->runs; run-- > 0;) {
            uint32_t i = s->start[run];
            while (i + 1 < p->count && !(p->code[i].flags & UOP_CONTROL)) i++;
            for (i++; i-- > s->start[run];)
                if (!step_back(&p->detail[i], s->alone, live)) return false;
        }
        more = false;
        for (int i = 0; i < CELLS; i++) {
            more |= live[i] && !needed[i];
            needed[i] |= live[i];
        }
    }
    return true;
}

// Returns true if all needed cells have the values of the snapshot. Other cells, such as a loop
// counter, may have changed.
static bool same_needed(const struct warp *w, const struct warp_snapshot *p) {
    bool needed[CELLS] = {false};
    bool same = find_needed(w->block->launch->program, p, needed);
    for (int i = 0; same && i < ROW_ZERO; i++)
        same = !needed[i] || memcmp(w->row[i], p->row[i], sizeof *w->row) == 0;
    for (int i = 0; same && i < SASS_URZ; i++)
        same = !needed[CELL_UNIFORM + i] ||
               memcmp(w->row[ROW_UNIFORM + i], p->row[ROW_UNIFORM + i], sizeof *w->row) == 0;
    for (int i = 0; same && i < CELL_NONE - CELL_PREDICATE; i++)
        same = !needed[CELL_PREDICATE + i] || w->predicate[i] == p->predicate[i];
    return same;
}

// Runs the warp for at most MOST_BRANCHES branches. Returns true if it comes back to its present
// state without an effect that other warps can observe: it repeats this until others do something.
// Cells that are not needed may differ.
static bool warp_only_repeats(struct warp *w) {
    struct warp_snapshot *p = malloc(sizeof *p);
    bool still = false;
    if (!p) return false;
    memcpy(p->row, w->row, sizeof p->row);
    memcpy(p->predicate, w->predicate, sizeof p->predicate);
    memcpy(p->group, w->group, sizeof p->group);
    p->pc = w->pc;
    p->active = w->active;
    p->group_count = w->group_count;
    p->current = w->current;
    p->runs = 0;
    p->alone = true;
    w->acted = w->acted_before = false;
    const uint64_t limit = w->block->launch->limit;
    int rounds = 0; // how often the warp has returned to the snapshot's program counters
    for (int i = 0;
         i < MOST_BRANCHES && !still && !w->acted && w->state == WARP_READY && w->executed <= limit;
         i++) {
        p->alone &= w->active == p->active;
        p->start[p->runs++] = w->pc;
        run_warp(w, 0);
        w->acted |= w->acted_before;
        if (w->acted || !same_place_as(w, p)) continue;
        // same_needed() takes time, so it is called only in rounds 0, 1, 3, 7 and so on
        still = same_registers(w, p) || ((rounds & (rounds + 1)) == 0 && same_needed(w, p));
        rounds++;
    }
    free(p);
    const bool acted = w->acted || w->state != WARP_READY;
    if (acted) __atomic_fetch_add(&w->block->launch->acts, 1, __ATOMIC_RELAXED);
    return still && !acted;
}

bool block_only_repeats(struct block *b) {
    const uint64_t *acts = &b->launch->acts, before = __atomic_load_n(acts, __ATOMIC_RELAXED);
    bool still = true;
    for (uint32_t i = 0; still && i < b->launch->warps; i++)
        still = b->warp[i].state != WARP_READY || warp_only_repeats(&b->warp[i]);
    return still || (__atomic_load_n(acts, __ATOMIC_RELAXED) == before && only_polls(b));
}

// Releases lanes at a BSYNC if every lane that they wait for has executed a YIELD. Hardware does
// so, too; otherwise a lock that each lane takes for itself would never be released. It is not
// documented when hardware does so. The simulator does so only when nothing else can run.
static bool release_lanes(struct warp *w) {
    uint32_t yielded = 0;
    bool released = false;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->group[i];
        if (g->yielded && g->state == GROUP_READY) yielded |= i == w->current ? w->active : g->mask;
    }
    for (int i = 0; i < w->group_count && yielded; i++) {
        struct group *g = &w->group[i];
        uint32_t *lanes = w->convergence[g->what % CONVERGENCE_REGISTERS];
        const uint32_t others =
            g->state == GROUP_SYNC ? lanes[first_lane(g->mask)] & w->alive & ~g->mask : 0;
        if (!others || others & ~yielded) continue;
        // the yielded lanes will no longer wait for this group
        EACH_LANE(l, others) lanes[l] &= ~g->mask;
        g->state = GROUP_READY;
        g->pc++;
        released = true;
    }
    return released;
}

bool block_release_yielded(struct block *b) {
    bool released = false;
    for (uint32_t i = 0; i < b->launch->warps; i++)
        released |= b->warp[i].state == WARP_READY && release_lanes(&b->warp[i]);
    if (released) __atomic_fetch_add(&b->launch->acts, 1, __ATOMIC_RELAXED);
    return released;
}

void block_run_alone(struct block *b, uint64_t linear) {
    block_start(b, linear);
    while (block_run(b) == BLOCK_QUIET && !b->launch->stop) {
        if (block_only_repeats(b) && !block_release_yielded(b))
            block_report_endless(b, NULL, "deadlock: it waits for another block, and runs alone");
    }
}

void block_close(struct block *b) {
    if (!b) return;
    bulk_drop(b);
    free(b->bulk);
    free(b->mbarrier_records);
    for (uint32_t i = 0; b->warp && i < b->launch->warps; i++) {
        free(b->warp[i].local);
        free(b->warp[i].copies.copy);
        free(b->warp[i].hazards.kept);
        free(b->warp[i].copies.group);
        free(b->warp[i].bulk.group);
        free(b->warp[i].mmas.mma);
    }
    free(b->memory);
    free(b->shared);
    free(b->last_write);
    order_close(b->ordering);
    free(b);
}

struct block *block_open(struct launch_state *l, struct tally *tally) {
    struct block *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    *b = (struct block){.launch = l,
                        .epoch_base = 1,
                        .partial_barriers = l->program->partial_barriers,
                        .tally = tally};
    // pages of calloc() are allocated only when they are used
    b->memory = calloc(1, l->warps * sizeof *b->warp + 63);
    if (b->memory) b->warp = (void *)((char *)b->memory + (-(uintptr_t)b->memory & 63));
    b->shared = malloc(l->shared_end + 64);
    b->last_write = calloc(4 * stamps(l), sizeof *b->last_write);
    bool done = b->warp && b->shared && b->last_write;
    if (done) {
        b->last_read = b->last_write + stamps(l);
        b->last_atomic = b->last_read + stamps(l);
        b->last_lane = b->last_atomic + stamps(l);
    }
    const uint32_t blocks = l->cluster[0] * l->cluster[1] * l->cluster[2];
    if (done &&
        (b->partial_barriers || (l->program->fences && l->program->synchronizes) || blocks > 1)) {
        b->ordering = order_open(blocks, l->warps, stamps(l), l->program->reads_async);
        done = b->ordering != NULL;
    }
    for (uint32_t i = 0; done && l->local_bytes && i < l->warps; i++) {
        b->warp[i].local = malloc((size_t)l->local_bytes * (LANES + 1));
        done = b->warp[i].local != NULL;
    }
    if (done) return b;
    block_close(b);
    return NULL;
}
