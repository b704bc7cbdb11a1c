// A warp scheduler, which issues at most one instruction per cycle. The warp that issued last
// continues if it can (greedy; Huerta), unless bit 109 of its instruction is clear. Otherwise the
// block with the lowest index comes first. Within it, a memory instruction that has waited too long
// comes first; then the youngest warp if an instruction enters a queue, otherwise the warp that
// issued longest ago. The selected instruction blocks all others until the register file can
// deliver its operands and its FMA pipe is free.
#include "registers.h"

#include <string.h>

// Cycles after a taken branch that Nsight Compute counts as no_instruction (step 03, dot_rolled,
// and short loops).
enum { FETCH_AFTER_BRANCH = 2 };

// Returns the cycle in which the FMA pipe of a selected instruction is free; 0 if the instruction
// uses none, or the chip's only one (UNIT_FMA_ALONE), for which unit_free() waits.
// This wait follows the selection: Nsight Compute counts no math_pipe_throttle for IMADs behind
// FFMAs (step 09 compiled). Integer work also delays the selection of an IMAD (unit_free).
static int64_t fma_free(const struct sm_scheduler *s, const struct instruction *in) {
    if (in->unit == UNIT_FMA) return s->unit[UNIT_FMA + s->fma_heavy];
    return in->unit == UNIT_FMA_HEAVY ? s->unit[UNIT_FMA_HEAVY] : 0;
}

// Returns the cycle from which an instruction can be selected, as far as its unit permits; NEVER if
// it waits for room in a queue.
static int64_t unit_free(const struct sm *sm, const struct sm_scheduler *s,
                         const struct instruction *in) {
    if (in->unit == UNIT_FMA) return 0;
    if (in->unit == UNIT_FMA_HEAVY) return s->integers_until;
    if (in->unit == UNIT_XU)
        return s->unit[UNIT_XU] - (int64_t)(sm->machine->xu_queue * sm->machine->xu_cycles);
    if (in->unit != UNIT_MEMORY) return s->unit[in->unit];
    const bool texture = in->kind == KIND_TEXTURE;
    const bool full =
        s->queue[texture ? QUEUE_TEXTURE : QUEUE_LSU].count >= (int)sm->machine->queue ||
        (in->kind >= KIND_LOAD && !texture && s->queued_global >= (int)sm->machine->global_queue);
    return full ? NEVER : 0;
}

// Returns the earliest cycle in which w could be selected, as far as is known.
static int64_t eligible(const struct sm *sm, struct sm_scheduler *s, const struct sm_warp *w,
                        int64_t now) {
    if (w->ready > now) return w->ready;
    const int64_t unit = unit_free(sm, s, w->next);
    if (unit > now) return unit;
    return w->next->writes ? registers_port(sm, s, now) : now;
}

// Returns true if the warp's next instruction enters the queue of the memory or the XU pipe.
static bool enters_queue(const struct sm_warp *w) {
    return w->next->unit == UNIT_MEMORY || w->next->unit == UNIT_XU;
}

// Returns true if the warp's next instruction is a memory instruction and was ready before
// `long_ago`.
static bool has_waited(const struct sm_warp *w, int64_t long_ago) {
    return w->next->unit == UNIT_MEMORY && w->ready < long_ago;
}

// Returns true if warp a is selected before warp b. Requires: both can issue. If either enters a
// queue, the younger one comes first, except in the cycle after a warp gave up its turn
// (`in_turns`).
static bool comes_before(const struct sm_warp *a, const struct sm_warp *b, bool in_turns,
                         int64_t long_ago) {
    if (a->block != b->block) return a->block->linear < b->block->linear;
    const bool waited = has_waited(a, long_ago);
    if (waited != has_waited(b, long_ago)) return waited;
    if (waited) return a->ready < b->ready;
    const bool youngest = !in_turns && (enters_queue(a) || enters_queue(b));
    return youngest || a->issued == b->issued ? a->age > b->age : a->issued < b->issued;
}

static struct sm_warp *pick(const struct sm *sm, struct sm_scheduler *s, int64_t now,
                            int64_t *next) {
    struct sm_warp *best = NULL;
    const bool in_turns = !s->greedy && now == s->issued + 1;
    const int64_t long_ago = now - (int64_t)sm->machine->patience;
    *next = NEVER;
    if (s->greedy && eligible(sm, s, s->greedy, now) <= now) return s->greedy;
    for (uint64_t rest = s->known; rest; rest &= rest - 1) {
        struct sm_warp *w = s->warp[__builtin_ctzll(rest)];
        if (best && !comes_before(w, best, in_turns, long_ago)) continue;
        const int64_t from = eligible(sm, s, w, now);
        if (from > now) {
            *next = min(*next, from);
        } else {
            best = w;
        }
    }
    return best;
}

// Occupies the instruction's unit, from `now` or from when it is free, for the instruction's cycles
// plus `more`.
static void take_unit(struct sm_scheduler *s, const struct instruction *in, int64_t now, int more) {
    int unit = in->unit;
    if (unit == UNIT_FMA) {
        unit += s->fma_heavy;
        s->fma_heavy = !s->fma_heavy;
    }
    s->unit[unit] = max(s->unit[unit], now) + in->busy + more;
    if (in->unit == UNIT_FMA_HEAVY) s->integers_until = s->unit[unit];
    if (in->wide) s->unit[UNIT_ALU] = max(s->unit[UNIT_ALU], now) + in->busy / 2;
}

// --- warp states, under ncu's names --------------------------------------------------------------

// Returns the reason for which a ready warp does not issue: its unit or queue is busy, another warp
// issues in this cycle, or the selected instruction cannot be dispatched.
static enum sm_state held_by(const struct sm *sm, const struct sm_scheduler *s,
                             const struct sm_warp *w, bool issues, int64_t now) {
    const struct instruction *in = w->next;
    if (unit_free(sm, s, in) > now) {
        if (in->unit != UNIT_MEMORY) return SM_MATH_PIPE_THROTTLE;
        if (in->kind == KIND_TEXTURE) return SM_TEX_THROTTLE;
        return s->queue[QUEUE_LSU].count < (int)sm->machine->queue ? SM_LG_THROTTLE
                                                                   : SM_MIO_THROTTLE;
    }
    return issues ? SM_NOT_SELECTED : SM_DISPATCH_STALL;
}

// Charges the cycles since the last step to the state in which each ready warp was held then, and
// sets the one in which it is held now. Requires: nothing has been issued in cycle `now` yet.
static void charge_states(const struct sm *sm, struct sm_scheduler *s, bool issues, int64_t now) {
    for (int i = 0; i < s->warps; i++) {
        struct sm_warp *w = s->warp[i];
        if (w->held) w->held_cycles[w->held] += (uint32_t)(now - s->accounted);
        w->held = w->alive && w->ready <= now ? held_by(sm, s, w, issues, now) : SM_SELECTED;
    }
    s->accounted = now;
}

// Lists the warp's states from its previous issue to this one, beginning with the stall count. Each
// state of a ready warp has one span with all its cycles, even if the warp returns to it.
static void list_spans(const struct sm_warp *w, int64_t now, struct sm_span span[SPANS]) {
    static const uint8_t order[] = {SM_MATH_PIPE_THROTTLE, SM_TEX_THROTTLE,   SM_LG_THROTTLE,
                                    SM_MIO_THROTTLE,       SM_DISPATCH_STALL, SM_NOT_SELECTED};
    const int64_t stalled = min(max(w->stalled_until, w->issued + 1), now);
    const int64_t counted = min(max(w->issued + w->stall, w->issued + 1), stalled);
    const int64_t resolved = w->stall_state == SM_BRANCH_RESOLVING && w->jumped
                                 ? max(stalled - FETCH_AFTER_BRANCH, counted)
                                 : stalled;
    int64_t at = min(max(w->ready, stalled), now);
    span[0] = (struct sm_span){SM_WAIT, w->issued + 1, counted};
    span[1] = (struct sm_span){(enum sm_state)w->stall_state, counted, resolved};
    span[2] = (struct sm_span){SM_NO_INSTRUCTION, resolved, stalled};
    span[3] = (struct sm_span){(enum sm_state)w->wait_state, stalled, at};
    for (size_t i = 0; i < sizeof order; i++) {
        span[4 + i] = (struct sm_span){(enum sm_state)order[i], at, at + w->held_cycles[order[i]]};
        at = span[4 + i].to;
    }
    span[SPANS - 1] = (struct sm_span){SM_SELECTED, now, now + 1};
}

static void account(struct sm *sm, struct sm_warp *w, int64_t now) {
    struct sm_span span[SPANS];
    list_spans(w, now, span);
    for (int i = 0; i < SPANS; i++)
        sm->result->state[w->pc][span[i].state] += (uint64_t)(span[i].to - span[i].from);
    if (sm->timeline) timeline_issue(sm, w, span);
    memset(w->held_cycles, 0, sizeof w->held_cycles);
    w->held = SM_SELECTED;
}

// --- issue ---------------------------------------------------------------------------------------

// Sets the scoreboards of an instruction of variable latency outside the memory pipeline.
static void set_variable(const struct sm_scheduler *s, struct sm_warp *w, int64_t now) {
    const struct instruction *in = w->next;
    const int64_t started = in->unit == UNIT_XU ? max(now, s->unit[UNIT_XU] - in->busy) : now;
    const int barrier[] = {in->write_barrier, in->read_barrier};
    const int64_t when[] = {started + in->latency, started + in->read_latency};
    for (int i = 0; i < 2; i++) {
        if (barrier[i] >= SCOREBOARDS) continue;
        struct scoreboard *b = &w->scoreboard[barrier[i]];
        b->state = SM_SHORT_SCOREBOARD;
        b->clear = max(b->clear, when[i]);
    }
}

// Queues a wgmma at the scheduler's tensor core, which executes the wgmmas of all its warps in the
// order of issue.
static void start_wgmma(struct sm *sm, struct sm_scheduler *s, struct sm_warp *w, int64_t now) {
    const struct instruction *in = w->next;
    int64_t *tensor = &s->unit[UNIT_TENSOR];
    *tensor = max(max(*tensor, now) + in->wgmma_cycles, memory_read_wgmma(sm, in, now));
    if (in->ends_group)
        w->wgmma_done[w->wgmma_groups++ % WGMMA_GROUPS] =
            *tensor + (int64_t)sm->machine->hgmma_latency;
}

static void issue(struct sm *sm, struct sm_scheduler *s, struct sm_warp *w, uint32_t reads,
                  int64_t now) {
    const struct instruction *in = w->next;
    sm->result->instructions++;
    if (sm->accounts) account(sm, w, now);
    s->greedy = in->keeps_turn ? w : NULL;
    s->issued = now;
    const int more = registers_read(s, w, reads, now);
    const uint32_t *event = in->observed ? w->word++ : NULL;
    if (!event || *event & 1) take_unit(s, in, now, more);
    if (in->writes) registers_written(s, in, now);
    if (in->kind == KIND_WGMMA) start_wgmma(sm, s, w, now);
    if (in->unit == UNIT_MEMORY) {
        memory_issue(sm, s, w, event, now);
    } else if (in->kind == KIND_VARIABLE) {
        set_variable(s, w, now);
    }
    warp_advance(sm, w, !event || *event & 1, more, now);
    if (in->kind == KIND_BARRIER) arrive_at_barrier(sm, w, *event, now);
}

void scheduler_step(struct sm *sm, struct sm_scheduler *s, int64_t now) {
    int64_t next = NEVER;
    s->next = NEVER;
    if (s->writes) memory_write(sm, s, now);
    struct sm_warp *w = s->chosen ? s->chosen : pick(sm, s, now, &next);
    const uint32_t reads = w ? reads_of_next(s, w) : 0;
    const int64_t from =
        w ? max(registers_ready(sm, s, w, reads, now), fma_free(s, w->next)) : NEVER;
    s->chosen = from > now ? w : NULL;
    if (sm->accounts) charge_states(sm, s, from <= now, now);
    if (s->chosen) {
        next = from;
    } else if (w) {
        issue(sm, s, w, reads, now);
        next = now + 1;
    }
    s->next = min(s->next, next);
    if (s->next <= now) s->next = now + 1;
}
