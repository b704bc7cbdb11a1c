// Instructions on mbarriers (mbarrier.h): SYNCS, ARRIVES and ATOMS.ARRIVE; also FENCE.VIEW.ASYNC
// and ELECT.
#include "bulk.h"
#include "copies.h"
#include "lanes.h"

// Returns the block of the cluster whose shared memory has an mbarrier, and sets *at to the
// mbarrier's address there. If the address is invalid, reports that and returns NULL.
static struct block *find(struct warp *w, const struct uop *u, int lane, uint32_t address,
                          const char *verb, uint32_t *at) {
    const struct launch_state *launch = w->block->launch;
    struct block *b = cluster_block(w->block, address >> 24);
    *at = address & 0xffffff;
    if (!b) {
        checks_report(w, REPORT_ADDRESS, u->detail->index, lane, false,
                      "%s an mbarrier of block %u of the cluster of %u blocks: there is no such "
                      "block, or it has ended",
                      verb, address >> 24, w->block->cluster->size);
    } else if (*at % BARRIER_BYTES || !is_own_shared(launch, *at, BARRIER_BYTES)) {
        checks_report(w, REPORT_ADDRESS, u->detail->index, lane, false,
                      "%s an mbarrier in shared memory at " SHARED_BYTE
                      "%s; the block has %u bytes",
                      verb, SHARED_BYTE_AT(launch, *at),
                      *at % BARRIER_BYTES ? ", which is not a multiple of 8" : "",
                      launch->shared_bytes - launch->shared_reserved);
    } else {
        return b;
    }
    return NULL;
}

// Records an access to an mbarrier. Returns false after reporting that nothing has initialised it.
static bool is_initialised(struct warp *w, const struct uop *u, int lane, struct block *b,
                           uint32_t at) {
    if (!shadow_is_unwritten(b, at, BARRIER_BYTES)) {
        if (b == w->block) {
            shadow_access(w, u, lane, at, BARRIER_BYTES, ACCESS_SPIN, NULL);
        } else {
            shadow_remote(w, u, lane, b, at, BARRIER_BYTES, ACCESS_SPIN, NULL);
        }
        return true;
    }
    evidence_about(w, "shared", at, BARRIER_BYTES, "uses")->facts = FACT_MBARRIER;
    checks_report(w, REPORT_UNWRITTEN, u->detail->index, lane, false,
                  "uses an mbarrier at " SHARED_BYTE " that nothing has initialised",
                  SHARED_BYTE_AT(b->launch, at));
    return false;
}

// SYNCS.EXCH (PTX mbarrier.init) stores a new mbarrier's words, computed by earlier instructions.
static void run_exchange(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t value = ROW_UNIFORM + m->instruction.operand[SASS_B].number;
    const uint32_t words[2] = {w->row[value][0], w->row[value + 1][0]};
    uint32_t at;
    struct block *b = find(w, u, -1, short_address(w, m, 0), "initialises", &at);
    if (!b) return;
    // If the lanes have different addresses, the kernel handles one address after the other, and
    // R2UR picks the next one. The store is recorded for a lane with the address picked last.
    const uint32_t chosen = w->bulk.chosen_in == m->uniform ? w->bulk.chosen & w->active : 0;
    const int lane = first_lane(chosen ? chosen : w->active);
    shadow_access(w, u, lane, at, BARRIER_BYTES, ACCESS_WRITE, NULL);
    memcpy(b->shared + at, words, sizeof words);
    w->acted = true;
}

// The operations of SYNCS.ARRIVE, by their number in the instruction.
enum { ARRIVE_AND_EXPECT, ARRIVE, EXPECT_ONE, EXPECT, COMPLETE, ARRIVE_MANY };

static void arrive(struct warp *w, const struct uop *u, int lane, uint32_t count) {
    const struct detail *m = u->detail;
    const int how = m->instruction.modifiers.operation;
    const bool drops = m->instruction.modifiers.flag;
    const uint32_t arrivals = how == ARRIVE_MANY                          ? count
                              : how == ARRIVE || how == ARRIVE_AND_EXPECT ? 1
                                                                          : 0;
    uint32_t at;
    struct block *b = find(w, u, lane, short_address(w, m, lane), "arrives at", &at);
    if (!b || !is_initialised(w, u, lane, b, at)) return;
    struct mbarrier barrier = mbarrier_at(b, at);
    const uint64_t before = mbarrier_bits(barrier);
    if (arrivals > barrier.pending) {
        checks_report(w, REPORT_BARRIER, m->index, lane, false,
                      "arrives %u times at the mbarrier at " SHARED_BYTE
                      ", whose phase expects %u arrivals",
                      arrivals, SHARED_BYTE_AT(b->launch, at), barrier.pending);
        return;
    }
    barrier.pending -= arrivals;
    if (drops) barrier.expected -= arrivals;
    if (how == ARRIVE_AND_EXPECT || how == EXPECT) barrier.bytes += (int32_t)count;
    if (how == EXPECT_ONE) barrier.bytes++;
    if (how == COMPLETE) barrier.bytes -= (int32_t)count;
    order_mbarrier_arrive(w, b, at);
    mbarrier_store(b, at, barrier);
    w->acted = true;
    if (u->d == ROW_TRASH) return;
    w->row[u->d][lane] = (uint32_t)before;
    w->row[u->d + 1][lane] = (uint32_t)(before >> 32);
}
static void run_arrive(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *count =
        (const uint32_t *)(const void *)(w->base[u->source_base[1]] + u->source[1]);
    w->block->tally[u->detail->index].requests++;
    if (u->detail->instruction.modifiers.operation != EXPECT &&
        u->detail->instruction.modifiers.operation != EXPECT_ONE)
        shadow_publish(w, mask);
    EACH_LANE(l, mask) arrive(w, u, l, count[l]);
}

// SYNCS.PHASECHK tests whether the phase with the given parity has ended. Before the test, it
// delivers the copies that the mbarrier counts: this is as late as allowed.
static void run_check(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *state =
        (const uint32_t *)(const void *)(w->base[u->source_base[1]] + u->source[1]);
    const struct detail *m = u->detail;
    uint32_t over = 0, at;
    w->bulk.polled = NOTHING_POLLED;
    EACH_LANE(l, mask) {
        struct block *b = find(w, u, l, short_address(w, m, l), "waits for", &at);
        if (!b || !is_initialised(w, u, l, b, at)) {
            over |= 1u << l; // the wait ends, so that this fault does not also cause a deadlock
            continue;
        }
        if (bulk_deliver(b, at)) w->acted = true;
        if (mbarrier_at(b, at).parity != state[l] >> 31) {
            over |= 1u << l;
            order_mbarrier_pass(w, b, at);
        } else if (b == w->block) {
            w->bulk.polled = at;
            w->polls++;
        }
    }
    const bool whole_since = w->races.whole_since;
    if (over) shadow_synchronise(w);
    w->races.whole_since = whole_since; // a wait does not make lanes converge
    if (over != mask) w->yield = true;
    if (m->pu != PREDICATE_TRASH) w->predicate[m->pu] = (w->predicate[m->pu] & ~mask) | over;
}

// ARRIVES (PTX cp.async.mbarrier.arrive) arrives when the warp's earlier copies are complete. Here
// they are complete at once, but only for readers that wait for the mbarrier. Without ARRIVALS, it
// does not arrive, but completes the byte that an EXPECT_ONE has announced.
static void run_copies(struct warp *w, const struct uop *u, uint32_t mask) {
    enum { ARRIVALS = 1 };
    const bool arrivals = u->detail->instruction.modifiers.operation == ARRIVALS;
    uint32_t at = short_address(w, u->detail, first_lane(mask)) & 0xffffff;
    copies_arrive(w, at);
    EACH_LANE(l, mask) {
        struct block *b = find(w, u, l, short_address(w, u->detail, l), "arrives at", &at);
        if (!b || !is_initialised(w, u, l, b, at)) continue;
        struct mbarrier barrier = mbarrier_at(b, at);
        if (arrivals && barrier.pending) barrier.pending--;
        if (!arrivals) barrier.bytes--;
        order_mbarrier_arrive(w, b, at);
        mbarrier_store(b, at, barrier);
        w->acted = true;
    }
}

// Before sm_90, an mbarrier is a pair of words, which code also reads and changes directly. The low
// 30 bits of the first word are -(arrivals per phase). The low 31 bits of the second word are
// -(arrivals that this phase still expects); their carry inverts the parity in bit 31.
static void arrive_at_words(struct warp *w, const struct uop *u, int lane) {
    const uint32_t all = 1u << 30, parity = 1u << 31;
    uint32_t at, words[2];
    struct block *b = find(w, u, lane, short_address(w, u->detail, lane), "arrives at", &at);
    if (!b) return;
    shadow_access(w, u, lane, at, BARRIER_BYTES, ACCESS_ATOMIC, NULL);
    memcpy(words, b->shared + at, sizeof words);
    const uint32_t before[2] = {words[0], words[1]};
    words[1]++;
    if (words[1] % parity == 0) { // the phase ends
        words[1] += parity - (all - words[0]) % all;
        order_mbarrier_complete(b, at);
    }
    memcpy(b->shared + at, words, sizeof words);
    w->acted = true;
    for (int i = 0; i < 2 && u->d != ROW_TRASH; i++) w->row[u->d + i][lane] = before[i];
}
static void run_arrive_at_words(struct warp *w, const struct uop *u, uint32_t mask) {
    // ARRIVES arrives when the lanes' copies are complete; the warp itself does not wait for them
    const bool copies = u->detail->instruction.form->opcode == SASS_ARRIVES;
    const uint32_t at = short_address(w, u->detail, first_lane(mask)) & SHARED_OFFSET;
    if (copies) copies_arrive(w, at);
    if (copies) order_mbarrier_arrive(w, w->block, at);
    w->block->tally[u->detail->index].requests++;
    EACH_LANE(l, mask) arrive_at_words(w, u, l);
}
static sim_execute *bind_arrive_at_words(struct detail *d) {
    bind_rows_of_address(d);
    d->width = BARRIER_BYTES;
    d->program->synchronizes = true;
    d->program->partial_barriers |= d->instruction.form->opcode == SASS_ARRIVES;
    return run_arrive_at_words;
}

// SYNCS.CCTL (PTX mbarrier.inval) marks the bytes of an mbarrier as unwritten.
static void run_invalidate(struct warp *w, const struct uop *u, uint32_t mask) {
    uint32_t at;
    struct block *b = find(w, u, -1, short_address(w, u->detail, 0), "invalidates", &at);
    if (!b || !is_initialised(w, u, -1, b, at)) return;
    for (uint32_t i = at >> b->launch->granule; i <= (at + BARRIER_BYTES - 1) >> b->launch->granule;
         i++)
        b->last_write[i] = 0;
}

static void run_fence(struct warp *w, const struct uop *u, uint32_t mask) {
    w->races.fenced = ++w->races.phase;
}

static void run_elect(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t lane = (uint32_t)first_lane(mask);
    for (int l = 0; l < LANES; l++) w->row[u->d][l] = lane;
    if (m->pu != PREDICATE_TRASH) w->predicate[m->pu] = (w->predicate[m->pu] & ~mask) | 1u << lane;
}

static sim_execute *bind(struct detail *d) {
    if (d->instruction.form->opcode == SASS_ARRIVES && !d->instruction.modifiers.operation)
        return bind_arrive_at_words(d);
    bind_rows_of_address(d);
    d->program->partial_barriers = true;
    switch (d->instruction.form->opcode) {
    case SASS_SYNCS_EXCH:
        d->uop->flags |= UOP_UNIFORM;
        return d->uop->d == ROW_TRASH ? run_exchange : NULL;
    case SASS_SYNCS_ARRIVE:
        return run_arrive;
    case SASS_SYNCS_PHASECHK:
        return run_check;
    case SASS_SYNCS_CCTL:
        // SYNCS.CCTL.IVALL has no address; it is a part of a fence
        if (d->instruction.operand[SASS_M].kind != SASS_ADDRESS) return run_nothing;
        d->uop->flags |= UOP_UNIFORM;
        return run_invalidate;
    case SASS_ARRIVES:
        return run_copies;
    default:
        return run_nothing;
    }
}
// ELECT elects one active lane of a mask. Only the mask of all lanes is supported: the predicate PT
// or, with nvcc 12, the register ~URZ.
static sim_execute *bind_elect(struct detail *d) {
    const struct sass_operand *lanes = &d->instruction.operand[SASS_A];
    const bool masked = lanes->kind == SASS_UNIFORM_REGISTER;
    if (masked) return lanes->number == SASS_URZ && lanes->invert ? run_elect : NULL;
    return d->pp == PREDICATE_TRUE && !d->pp_flip ? run_elect : NULL;
}

const struct binding syncs_bindings[] = {
    {SASS_SYNCS_EXCH, .bind = bind},     {SASS_SYNCS_ARRIVE, .bind = bind},
    {SASS_SYNCS_PHASECHK, .bind = bind}, {SASS_SYNCS_CCTL, .bind = bind},
    {SASS_ARRIVES, .bind = bind},        {SASS_ATOMS_ARRIVE, .bind = bind_arrive_at_words},
    {SASS_FENCE_VIEW, .run = run_fence}, {SASS_ELECT, .bind = bind_elect},
    {.opcode = SASS_OPCODE_COUNT}};
