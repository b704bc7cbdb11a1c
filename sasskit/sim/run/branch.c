// Executes control instructions, which change the program counter or the active lanes: branches,
// convergence, barriers.
//
// A warp is a list of groups; a group is a set of converged lanes with one program counter. One
// group runs until it blocks or its time slice ends. If a part of it jumps, that is a new group.
// BSSY stores the active lanes in a convergence register. BSYNC waits for these lanes, except those
// that have exited or left by BREAK. Before a BSYNC, groups that reach one instruction by chance
// stay separate, as on a GPU. Each lane has its own copy of the convergence registers: a called
// function saves (BMOV) and reuses them, perhaps while lanes that did not call it wait at a BSYNC.
#include "branch.h"
#include "isa/codec.h"
#include "isa/place.h"
#include "launch.h"
#include "sim/checks/order.h"
#include "sim/ops/bulk.h"
#include "sim/ops/lanes.h"
#include "system.h"

static void remove_group(struct warp *w, int index) {
    w->group[index] = w->group[--w->group_count];
    if (w->current == w->group_count) w->current = index;
}

static void save_current(struct warp *w) {
    struct group *g = &w->group[w->current];
    g->pc = w->pc;
    g->mask = w->active;
    g->named = w->named_by == w->active ? w->named : 0;
}

void groups_start(struct warp *w) {
    w->group_count = 1;
    w->current = 0;
    w->group[0] = (struct group){.mask = w->lanes, .pc = 0, .state = GROUP_READY};
    w->alive = w->active = w->lanes;
    w->pc = 0;
    w->state = w->lanes ? WARP_READY : WARP_DONE;
}

void groups_switch(struct warp *w) {
    for (int i = 1; i <= w->group_count; i++) {
        const int next = (w->current + i) % w->group_count;
        if (w->group[next].state != GROUP_READY) continue;
        if (w->group[next].mask != w->active) w->switched = w->clock;
        w->current = next;
        w->active = w->group[next].mask;
        w->pc = w->group[next].pc;
        w->named = w->group[next].named;
        w->named_by = w->named ? w->active : 0;
        w->state = WARP_READY;
        return;
    }
    w->state = w->group_count ? WARP_WAITS : WARP_DONE;
}

void groups_turn(struct warp *w) {
    if (w->group_count < 2 || w->state != WARP_READY) return;
    save_current(w);
    groups_switch(w);
}

// Makes the current group wait at its program counter, in `state` for `what` (struct group).
static void block_current(struct warp *w, enum group_state state, uint32_t what) {
    save_current(w);
    w->group[w->current].state = state;
    w->group[w->current].what = what;
}

// Makes the groups ready that wait in `state` for `what` and have lanes of `mask`. Merges those
// with equal program counters.
static void merge_waiting(struct warp *w, enum group_state state, uint32_t what, uint32_t mask) {
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->group[i];
        if (g->state != state || g->what != what || !(g->mask & mask)) continue;
        g->state = GROUP_READY;
        g->pc++;
        g->named = state == GROUP_WARPSYNC ? what : 0;
        for (int k = w->group_count - 1; k > i; k--) {
            const struct group *other = &w->group[k];
            if (other->state != state || other->what != what || !(other->mask & mask) ||
                other->pc + 1 != g->pc)
                continue;
            g->mask |= other->mask;
            if (w->current == k) w->current = i;
            remove_group(w, k);
        }
    }
}

static uint32_t waiting(const struct warp *w, enum group_state state, uint32_t what) {
    uint32_t mask = 0;
    for (int i = 0; i < w->group_count; i++) {
        if (w->group[i].state == state && w->group[i].what == what) mask |= w->group[i].mask;
    }
    return mask;
}

// Releases the lanes for which `lane` waits at a BSYNC, and returns true, if all have arrived.
// A lane that waits at register n for a set without `lane` does not count as arrived: it is in a
// called function, which uses the register, too.
static bool converge(struct warp *w, uint32_t n, int lane) {
    const uint32_t expected = w->convergence[n][lane] & w->alive;
    uint32_t here = waiting(w, GROUP_SYNC, n) & expected;
    EACH_LANE(l, here) {
        if (!(w->convergence[n][l] >> lane & 1)) here &= ~(1u << l);
    }
    if (here != expected) return false;
    merge_waiting(w, GROUP_SYNC, n, expected);
    return true;
}

// Completes a WARPSYNC. Requires: all its lanes `named` have arrived.
static void pass_warpsync(struct warp *w, uint32_t named) {
    shadow_synchronise_lanes(w, named);
    merge_waiting(w, GROUP_WARPSYNC, named, named);
}

// Returns the BAR to which the WARPSYNC at `index` belongs: the first one after it in straight-line
// code. Returns UINT32_MAX if there is none.
static uint32_t barrier_after(const struct program *p, uint32_t index) {
    for (uint32_t i = index + 1; i < p->count; i++) {
        if (p->detail[i].unknown) return UINT32_MAX;
        if (p->detail[i].instruction.form->opcode == SASS_BAR) return i;
        if (p->code[i].flags & UOP_CONTROL) return UINT32_MAX;
    }
    return UINT32_MAX;
}

static void warn_of_part(struct warp *w, uint32_t barrier, uint32_t lanes) {
    evidence_about(w, NULL, 0, 0, "waits")->facts = FACT_LANES;
    checks_warn(w, REPORT_BARRIER, SEVERITY_WARNING, barrier, first_lane(lanes),
                "waits with a part of its warp, whose other lanes go on: the hardware lets them, "
                "bar.sync does not promise it");
}

// Reports lanes that exit while other lanes wait for them at a WARPSYNC. This is only a warning if
// the WARPSYNC belongs to a predicated BAR, as ptxas makes it before sm_90. It is not reported if
// an unpredicated BAR follows directly, or if the warp has since done nothing that others can
// observe (`acted`): nvcc lets such lanes exit before or after the others wait.
static void check_exiting(struct warp *w, uint32_t leaving) {
    const struct program *p = w->block->launch->program;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->group[i];
        if (g->state != GROUP_WARPSYNC || !(g->what & leaving) || p->detail[g->pc + 1].unknown)
            continue;
        const uint32_t barrier = barrier_after(p, g->pc);
        const struct detail *bar = barrier == UINT32_MAX ? NULL : &p->detail[barrier];
        // A BAR.RED's predicate operand is what it reduces, not a guard.
        const bool guarded =
            bar && (bar->instruction.guard != SASS_PT || bar->instruction.guard_negate);
        if (guarded)
            warn_of_part(w, barrier, g->mask);
        else if (w->acted && barrier != g->pc + 1)
            checks_report(w, REPORT_LANE, g->pc, first_lane(g->mask), false,
                          "names the lanes 0x%08x, of which 0x%08x went on elsewhere and ended "
                          "without reaching it",
                          g->what, g->what & leaving);
    }
}

// Releases lanes if all lanes that they still waited for have now exited or left by BREAK.
static void check_waiting(struct warp *w) {
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->group[i];
        // converge() has changed the list, so the search starts again.
        if (g->state == GROUP_SYNC && converge(w, g->what, first_lane(g->mask))) i = -1;
    }
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->group[i];
        if (g->state != GROUP_WARPSYNC) continue;
        if ((g->what & w->alive & ~waiting(w, GROUP_WARPSYNC, g->what)) == 0)
            pass_warpsync(w, g->what);
    }
}

// --- instructions --------------------------------------------------------------------------------

// Lanes `taken` of the current group jump to `target`; the others continue with the next
// instruction.
static void go(struct warp *w, uint32_t taken, uint32_t target) {
    if (taken == 0) {
        w->pc++;
    } else if (taken == w->active) {
        w->pc = target;
        w->block->tally[target].arrivals++;
    } else {
        w->block->tally[target].arrivals++;
        w->block->tally[w->pc].splits++;
        w->active &= ~taken;
        w->pc++;
        save_current(w);
        w->group[w->group_count++] =
            (struct group){.mask = taken, .pc = target, .state = GROUP_READY};
    }
}

// Modifiers of BRA. BRA.DIV jumps if the lanes of the mask in operand A are diverged, BRA.CONV if
// they are converged. Without operand A (sm_75), the mask is all lanes.
enum { FLOW_ANY = 0, FLOW_DIV = 2, FLOW_CONV = 3 };

static void act_bra(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint32_t taken = mask & predicate_p(w, m);
    // the second condition is a uniform predicate
    if (m->pq != PREDICATE_TRUE || m->pq_flip) taken &= predicate_q(w, m);
    if (m->shift != FLOW_ANY) {
        const struct sass_operand *lanes = &m->instruction.operand[SASS_A];
        const uint32_t named = lanes->kind == SASS_NONE
                                   ? w->alive
                                   : source(w, u, 0)[0] ^ (lanes->invert ? ALL_LANES : 0);
        // true if all living lanes of the mask are active
        const bool together = (named & w->alive & ~w->active) == 0;
        if (together == (m->shift == FLOW_DIV)) taken = 0;
        w->tiled = m->base != ROW_ZERO;
        if (w->tiled) memcpy(w->tile, w->row[m->base], sizeof w->tile);
        if (together && m->shift == FLOW_DIV) w->named = named, w->named_by = w->active;
    }
    // .ANY: if one lane jumps, all do
    if (m->instruction.modifiers.flag && taken) taken = w->active;
    go(w, taken, m->target);
}

// Calls a toolkit header's function from the user's source, as nvcc -G compiles atomicAdd().
// Reports show the source line of this call.
static void act_call_library(struct warp *w, const struct uop *u, uint32_t mask) {
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) w->called[l] = u->detail->index + 1;
    act_bra(w, u, mask);
}

// Executes BRX, RET, and CALL by a register, where each lane may have its own target.
static void act_indirect(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *low = w->row[m->base];
    const uint64_t code_bytes = (uint64_t)w->block->launch->program->count * SASS_BYTES;
    struct tally *tally = &w->block->tally[m->index];
    const uint64_t splits = tally->splits;
    while (mask) {
        const uint32_t value = low[first_lane(mask)];
        uint32_t same = 0;
        for (int l = 0; l < LANES; l++) same |= (uint32_t)((mask >> l & 1) && low[l] == value) << l;
        const uint64_t address = (uint32_t)(value + m->target);
        const bool calls = m->instruction.form->opcode == SASS_CALL;
        // address 0 is the kernel's own start, to which no function pointer points
        if (calls && value == 0) {
            evidence_about(w, NULL, 0, 0, "calls")->facts = FACT_NULL_FUNCTION;
            checks_report(w, REPORT_ADDRESS, m->index, first_lane(mask), true,
                          "calls a null function pointer");
            return;
        }
        if (address % SASS_BYTES != 0 || address >= code_bytes) {
            checks_report(w, REPORT_UNKNOWN, m->index, first_lane(mask), true,
                          "jumps to 0x%llx, outside the kernel's code",
                          (unsigned long long)address);
            return;
        }
        const bool all = same == w->active;
        go(w, same, (uint32_t)(address / SASS_BYTES));
        if (!all && tally->splits > splits + 1) tally->again++;
        if (all) return;
        mask &= ~same;
        w->pc--; // go() has advanced the program counter for the remaining lanes
    }
    w->pc++;
}

// Executes CALL.ABS by a register pair, to code or to a function of the driver.
static void act_call_out(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *low = w->row[m->base], *high = w->row[m->base + 1];
    if (!mask || high[first_lane(mask)] != SYSTEM_WINDOW) {
        act_indirect(w, u, mask);
        return;
    }
    while (mask) {
        const uint32_t address = low[first_lane(mask)];
        uint32_t same = 0;
        for (int l = 0; l < LANES; l++)
            same |= (uint32_t)((mask >> l & 1) && low[l] == address) << l;
        system_call(w, m->index, address, same);
        mask &= ~same;
    }
    w->pc++; // the function returns at once
}

// Executes CALL.ABS to a function of the driver.
static void act_call_system(struct warp *w, const struct uop *u, uint32_t mask) {
    if (mask)
        system_call(w, u->detail->index, (uint32_t)u->detail->instruction.operand[SASS_T].value,
                    mask);
    w->pc++;
}

// Executes BPT.TRAP, which comes from __trap(), a breakpoint, or a check that nvcc inserted.
static void act_bpt(struct warp *w, const struct uop *u, uint32_t mask) {
    if (mask)
        checks_report(w, REPORT_TRAP, u->detail->index, first_lane(mask), true,
                      "a trap stops the kernel");
    w->pc++;
}

static void act_bssy(struct warp *w, const struct uop *u, uint32_t mask) {
    uint32_t *lanes = w->convergence[u->detail->instruction.operand[SASS_X].number & 15];
    const uint32_t entered = mask & predicate_p(w, u->detail), active = w->active;
    LANE_LOOP lanes[l] = (active >> l & 1) ? entered : lanes[l];
    w->pc++;
}
static void act_bsync(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t n = u->detail->instruction.operand[SASS_X].number & 15;
    if (mask != w->active) { // the other lanes become a group that continues
        if (mask) go(w, w->active & ~mask, w->pc + 1);
        if (!mask) {
            w->pc++;
            return;
        }
        w->pc--;
    }
    const int lane = first_lane(w->active);
    const uint32_t expected = w->convergence[n][lane] & w->alive;
    if ((expected & ~w->active) == 0 || (expected & w->active) == 0) {
        w->pc++;
        return;
    }
    block_current(w, GROUP_SYNC, n);
    converge(w, n, lane);
    groups_switch(w);
}
static void act_break(struct warp *w, const struct uop *u, uint32_t mask) {
    uint32_t *lanes = w->convergence[u->detail->instruction.operand[SASS_X].number & 15];
    const uint32_t leaving = mask & predicate_p(w, u->detail);
    const uint32_t of = leaving ? lanes[first_lane(leaving)] : 0;
    LANE_LOOP lanes[l] = (of >> l & 1) ? lanes[l] & ~leaving : lanes[l];
    LANE_LOOP lanes[l] = (leaving >> l & 1) ? 0 : lanes[l];
    check_waiting(w);
    w->pc++;
}
// Handles a WARPSYNC whose lanes have different masks. Lanes with the first lane's mask stay in
// this group; the others form a group that executes the WARPSYNC again. The group is not split if
// it contains the lanes of every mask and the WARPSYNC is not `exclusive` (EXCLUSIVE or
// COLLECTIVE). Returns the lanes that stay.
static uint32_t same_mask(struct warp *w, const uint32_t *named, uint32_t mask, bool exclusive) {
    const uint32_t first = named[first_lane(mask)];
    uint32_t same = 0;
    bool together = !exclusive;
    EACH_LANE(l, mask) {
        same |= (uint32_t)(named[l] == first) << l;
        together &= (named[l] & w->alive & ~w->active) == 0;
    }
    if (together || same == w->active) return w->active;
    save_current(w);
    w->group[w->group_count++] =
        (struct group){.mask = w->active & ~same, .pc = w->pc, .state = GROUP_READY};
    w->block->tally[w->pc].splits++;
    w->active = same;
    save_current(w);
    return same;
}
static void act_warpsync(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint32_t all[LANES];
    if (!mask) {
        w->pc++;
        return;
    }
    // A WARPSYNC.COLLECTIVE has its mask in operand A, a register. Other WARPSYNCs have it in
    // operand B, a number or, before sm_90, perhaps a register.
    const bool in_b = m->instruction.operand[SASS_A].kind == SASS_NONE;
    const uint32_t *masks = m->width & 1 ? all : source(w, u, in_b);
    for (int l = 0; l < LANES; l++) all[l] = ALL_LANES;
    EACH_LANE(l, mask) {
        if (masks[l] >> l & 1) continue;
        evidence_about(w, NULL, 0, 0, NULL)->outside_mask = true;
        checks_report(w, REPORT_LANE, m->index, l, false,
                      "names the lanes 0x%08x, and its own is not among them", masks[l]);
        break;
    }
    w->tiled = false;
    if (mask == w->active) mask = same_mask(w, masks, mask, m->width & 2);
    const uint32_t named = masks[first_lane(mask)], expected = named & w->alive;
    if (expected & ~mask & w->active) { // lanes whose guard is false become a group that continues
        go(w, w->active & ~mask, w->pc + 1);
        w->pc--;
    }
    if ((expected & ~w->active) == 0) {
        if (!m->elects) shadow_synchronise_by(w, masks, mask);
        w->named = named;
        w->named_by = w->active;
        w->pc++;
        return;
    }
    block_current(w, GROUP_WARPSYNC, named);
    w->acted_before |= w->acted;
    w->acted = false;
    if ((expected & ~waiting(w, GROUP_WARPSYNC, named)) == 0) pass_warpsync(w, named);
    groups_switch(w);
}

// Completes the cluster's barrier if all its living threads have arrived.
static void cluster_check(struct cluster *c) {
    uint32_t alive = 0;
    for (uint32_t i = 0; i < c->size; i++) alive += c->block[i]->alive;
    if (c->arrived == 0 || c->arrived < alive) return;
    c->arrived = 0;
    c->phase++;
    order_cluster_complete(c);
}

// Executes UCGABAR_ARV and UCGABAR_WAIT, which arrive and wait at the cluster's barrier. A warp
// that has to wait yields, and executes the instruction again.
static void act_cluster(struct warp *w, const struct uop *u, uint32_t mask) {
    struct cluster *c = w->block->cluster;
    struct tally *tally = &w->block->tally[u->detail->index];
    if (u->detail->width) { // the instruction is UCGABAR_ARV
        w->cluster_phase = c->phase;
        c->arrived += lanes_count(w->active);
        w->acted = true;
        order_cluster(w, true);
        cluster_check(c);
    } else if (c->phase == w->cluster_phase) {
        tally[0].executed--;
        tally[1].executed++;
        tally->threads -= lanes_count(mask);
        tally->active--;
        w->yield = true;
        return;
    }
    if (!u->detail->width) order_cluster(w, false);
    shadow_synchronise(w);
    w->pc++;
}

static void block_ends(struct block *b) {
    shadow_block_ends(b);
    bulk_block_ends(b);
    absent_from_mma(b);
}

static void act_exit(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t leaving = mask & predicate_p(w, u->detail);
    w->alive &= ~leaving;
    w->block->alive -= lanes_count(leaving);
    if (leaving && w->alive) scoreboard_forget(w, leaving);
    if (!w->alive) bulk_leave(w);
    w->active &= ~leaving;
    w->pc++;
    save_current(w);
    if (leaving) check_exiting(w, leaving);
    if (leaving) check_waiting(w);
    if (leaving && w->active == 0) {
        remove_group(w, w->current);
        groups_switch(w);
    }
    if (leaving) barrier_check_all(w->block);
    if (leaving) cluster_check(w->block->cluster);
    if (leaving && w->block->alive == 0) block_ends(w->block);
}

static void act_yield(struct warp *w, const struct uop *u, uint32_t mask) {
    w->pc++;
    w->group[w->current].yielded = true;
    groups_turn(w);
    w->yield = true;
}

// Executes BMOV, which copies convergence registers to and from general registers.
static void act_bmov(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint32_t n = o[SASS_X].number & 15;
    w->pc++;
    if (!mask) return;
    if (o[SASS_D].kind == SASS_REGISTER) {
        uint32_t *d = destination(w, u);
        EACH_LANE(l, mask) {
            d[l] = w->convergence[n][l];
            if (m->instruction.modifiers.flag) w->convergence[n][l] = 0;
        }
    } else {
        merge(w->convergence[n], source(w, u, m->shift), mask);
    }
}

static void act_bar(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    if (!mask) {
        w->pc++;
        return;
    }
    const uint32_t id = source(w, u, m->wide ? 1 : 0)[first_lane(mask)] & (NAMED_BARRIERS - 1);
    const uint32_t threads = m->width ? source(w, u, 1)[first_lane(mask)] : 0;
    const uint32_t count = threads >> (m->packed ? 16 : 0) & 0xfff;
    const bool waits = m->shift != 1;
    struct named_barrier *b = &w->block->barrier[id];
    if (m->shift == 2) { // BAR.RED
        const uint32_t yes = predicate_p(w, m) & mask;
        if (b->arrived == 0) b->reduce_count = 0, b->reduce_and = 1, b->reduce_or = 0;
        b->reduce_count += lanes_count(yes);
        b->reduce_and &= yes == mask;
        b->reduce_or |= yes != 0;
        b->reduces = true;
        b->how = m->instruction.modifiers.boolean;
    }
    if (count % LANES != 0) {
        checks_report(w, REPORT_BARRIER, m->index, -1, false,
                      "barrier %u is for %u threads, not a multiple of 32", id, count);
    }
    if (waits && mask != w->active) { // the other lanes become a group that continues
        warn_of_part(w, m->index, mask);
        go(w, w->active & ~mask, w->pc + 1);
        w->pc--;
    }
    if (sass_barrier_reads(&m->instruction)) w->read_through[SASS_QUEUE_MEMORY] = w->order;
    if (waits) {
        block_current(w, GROUP_BARRIER, id);
    } else {
        w->pc++;
        save_current(w);
    }
    barrier_arrive(w, m->index, id, count, mask);
    if (waits && w->group[w->current].state != GROUP_READY) {
        groups_switch(w);
    } else if (waits) { // this warp arrived last, which completes the barrier
        w->pc = w->group[w->current].pc;
        w->active = w->group[w->current].mask;
    }
}

void groups_pass_barrier(struct warp *w, uint32_t id) {
    for (int i = 0; i < w->group_count; i++) {
        if (w->group[i].state == GROUP_BARRIER && w->group[i].what == id)
            w->group[i].pc++, w->group[i].state = GROUP_READY;
    }
    if (w->state == WARP_WAITS) groups_switch(w);
}

static void act_unknown(struct warp *w, const struct uop *u, uint32_t mask) {
    checks_report(w, REPORT_UNKNOWN, u->detail->index, -1, true, "%s", u->detail->unknown);
}

static const struct {
    enum sass_opcode opcode;
    sim_execute *act;
} acts[] = {{SASS_BRA, act_bra},
            {SASS_CALL, act_bra},
            {SASS_BRX, act_indirect},
            {SASS_RET, act_indirect},
            {SASS_BSSY, act_bssy},
            {SASS_BSYNC, act_bsync},
            {SASS_BREAK, act_break},
            {SASS_EXIT, act_exit},
            {SASS_WARPSYNC, act_warpsync},
            {SASS_YIELD, act_yield},
            {SASS_NANOSLEEP, act_yield},
            {SASS_BMOV, act_bmov},
            {SASS_BAR, act_bar},
            {SASS_BPT, act_bpt},
            {SASS_UCGABAR_ARV, act_cluster},
            {SASS_UCGABAR_WAIT, act_cluster}};

static bool is_zero(const struct sass_operand *o) {
    return o->kind == SASS_NONE || (o->kind == SASS_REGISTER && o->number == SASS_RZ) ||
           ((o->kind == SASS_INTEGER || o->kind == SASS_HALF2) && o->value == 0);
}
// Returns true if the count in a barrier's register is 0. nvcc compiles __syncthreads() to such a
// BAR if the warp may be diverged: MOV R3, 0x0; SHF.L.U32 R3, R3, 0x10, RZ; ...; BAR.SYNC R3, R3.
static bool has_no_count(const struct program *p, const struct detail *bar) {
    enum { BEFORE = 16, SRZ = 0xff };
    int count = -1; // the register that SHF shifts to make the count; -1 until it is found
    for (uint32_t back = 1; back <= BEFORE && back <= bar->index; back++) {
        const struct detail *d = &p->detail[bar->index - back];
        const struct sass_operand *o = d->instruction.operand;
        if (d->unknown || o[SASS_D].kind != SASS_REGISTER) continue;
        const enum sass_opcode opcode = d->instruction.form->opcode;
        if (opcode == SASS_SHF && count < 0) {
            count = o[SASS_A].number;
        } else if (count >= 0 && opcode == SASS_CS2R && (o[SASS_D].number | 1) == (count | 1)) {
            // CS2R sets both registers of the pair to SRZ, which is 0
            return o[SASS_X].kind == SASS_SPECIAL && o[SASS_X].number == SRZ;
        } else if (count >= 0 && o[SASS_D].number == count) {
            return (opcode == SASS_MOV || opcode == SASS_IMAD || opcode == SASS_HFMA2_MMA) &&
                   is_zero(&o[SASS_A]) && is_zero(&o[SASS_B]) && is_zero(&o[SASS_C]);
        }
    }
    return false;
}

// If lanes synchronise in subsets, each lane has a mask, and BRA.DIV (before sm_90, BRA.CONV) tests
// the union of all masks: MATCH.ANY R9, R8; REDUX.OR UR4, R8; ...; @!P0 BRA.DIV UR4. Returns the
// register with the masks, here R8; RZ if none is found.
static uint16_t masks_of(const struct program *p, const struct detail *bra) {
    enum { BEFORE = 64 };
    bool written[ROW_ZERO + 1] = {false};
    if (bra->instruction.operand[SASS_A].kind == SASS_NONE) return ROW_ZERO;
    for (uint32_t back = 1; back <= BEFORE && back <= bra->index; back++) {
        const struct detail *d = &p->detail[bra->index - back];
        const struct sass_operand *o = d->instruction.operand;
        if (d->unknown) continue;
        if (o[SASS_D].kind == SASS_UNIFORM_REGISTER &&
            o[SASS_D].number == bra->instruction.operand[SASS_A].number)
            return d->instruction.form->opcode == SASS_REDUX && !written[o[SASS_A].number]
                       ? o[SASS_A].number
                       : ROW_ZERO;
        if (o[SASS_D].kind == SASS_REGISTER) written[o[SASS_D].number] = true;
    }
    return ROW_ZERO;
}

sim_execute *SIM_NAME(bind_control)(struct detail *d) {
    struct program *p = d->program;
    const struct sass_operand *o = d->instruction.operand;
    const struct sass_form *form = d->instruction.form;
    sim_execute *act = NULL;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        if (acts[i].opcode == form->opcode) act = acts[i].act;
    }
    const bool absolute = form->opcode == SASS_CALL && !sass_has_target(&d->instruction);
    if (!act) return NULL;
    if (absolute && o[SASS_A].kind != SASS_REGISTER && o[SASS_T].value >> 32 == SYSTEM_WINDOW)
        act = act_call_system;
    if (form->opcode == SASS_CALL && o[SASS_A].kind == SASS_REGISTER)
        act = absolute ? act_call_out : act_indirect;
    const bool indirect = act == act_indirect || act == act_call_out;
    if (o[SASS_T].kind == SASS_TARGET && act != act_call_system) {
        if (o[SASS_T].value < 0 || o[SASS_T].value % SASS_BYTES ||
            o[SASS_T].value >= (int64_t)p->count * SASS_BYTES) {
            if (!indirect) return NULL;
        }
        d->target = indirect ? (uint32_t)o[SASS_T].value : (uint32_t)(o[SASS_T].value / SASS_BYTES);
    }
    if (form->opcode == SASS_CALL && act == act_bra && d->target < p->count &&
        place_is_library(p->kernel, d->target) && !place_is_library(p->kernel, d->index))
        act = act_call_library;
    if (indirect) {
        if (o[SASS_A].kind != SASS_REGISTER) return NULL;
        d->base = o[SASS_A].number;
        // The encoded target is relative to the end of the instruction.
        if (form->opcode == SASS_BRX) d->target += (d->index + 1) * (uint32_t)SASS_BYTES;
    }
    if (form->opcode == SASS_BRA && d->instruction.modifiers.mode >= FLOW_DIV)
        d->shift = d->instruction.modifiers.mode;
    if (act == act_warpsync) {
        // `width` is 1 for a mask of all lanes, plus 2 for EXCLUSIVE or COLLECTIVE. The lanes of a
        // COLLECTIVE converge, execute the code up to ENDCOLLECTIVE, and jump to its target.
        const bool all = o[SASS_A].kind == SASS_NONE && o[SASS_B].kind == SASS_NONE;
        d->width = all | (d->instruction.modifiers.mode || o[SASS_T].kind == SASS_TARGET ? 2 : 0);
    }
    p->calls_out |= act == act_call_out || act == act_call_system;
    if (act == act_cluster) d->width = form->opcode == SASS_UCGABAR_ARV;
    if (act == act_bmov)
        d->shift = o[SASS_B].kind != SASS_NONE ? 1 : o[SASS_A].kind != SASS_NONE ? 0 : 2;
    if (act == act_bar) {
        const bool reduces = o[SASS_PP].kind != SASS_NONE;
        d->shift = reduces ? 2 : d->instruction.modifiers.operation == 1 ? 1 : 0;
        d->wide = o[SASS_A].kind == SASS_NONE; // operand B has the id
        d->width = !d->wide && o[SASS_B].kind != SASS_NONE;
        d->packed = o[SASS_A].kind == SASS_REGISTER && o[SASS_B].kind == SASS_REGISTER;
        const bool whole =
            d->packed ? has_no_count(p, d) : o[SASS_B].kind == SASS_INTEGER && o[SASS_B].value == 0;
        const bool partial = d->width && !whole;
        if (partial || d->shift == 1) p->partial_barriers = true;
    }
    if (d->shift != FLOW_ANY && act == act_bra) d->base = masks_of(p, d);
    d->uop->flags |= UOP_CONTROL;
    return act;
}
sim_execute *const SIM_NAME(control_unknown) = act_unknown;
