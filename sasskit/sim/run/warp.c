// Runs a warp: fetches an instruction, evaluates its guard, waits for scoreboards, checks hazards,
// counts, executes.
#include "branch.h"
#include "sim/machine/observed.h"
#include "sim/ops/bulk.h"
#include "sim/ops/lanes.h"

INLINE uint64_t ready(const struct warp *w, const struct uop *u, int i) {
    return ((const struct cell *)(const void *)((const char *)w->cell + u->cell_in[i]))->ready;
}

// Compares register accesses with pending results. hazards.c examines suspicious accesses and
// reports. `straight` is the number of straight-line instructions that ran before this one.
INLINE void check_hazards(struct warp *w, const struct uop *u, uint32_t pc, uint32_t mask,
                          uint32_t straight) {
    const uint64_t clock = w->clock;
    const uint64_t sound = (u->flags & UOP_SOUND) && straight >= u->behind ? UNWRITTEN - 1 : clock;
    const uint64_t a = ready(w, u, 0), b = ready(w, u, 1), c = ready(w, u, 2), d = ready(w, u, 3);
    const uint64_t ab = a > b ? a : b, cd = c > d ? c : d;
    if (__builtin_expect((ab > cd ? ab : cd) > sound || (u->flags & UOP_SLOW), 0)) {
        hazard_look(w, u, mask, sound);
    } else {
        const uint64_t done = clock + u->latency;
        struct cell *out = &w->cell[u->cell_out];
        for (int i = 0; i < u->out_count; i++) {
            const bool odd = (out[i].ready >= done) | (out[i].holds != 0);
            if (__builtin_expect(odd, 0)) hazard_write(w, u, mask);
            out[i].ready = done;
            out[i].writer = pc;
            if (__builtin_expect(odd, 0) && w->hazards.any_unwritten)
                hazard_keep_unwritten(w, u->cell_out + (uint32_t)i);
            if (__builtin_expect(odd, 0)) note_busy(w, u->cell_out + (uint32_t)i);
        }
        if (__builtin_expect(u->flags & UOP_BARRIER, 0)) scoreboard_issue(w, u, mask);
    }
}

// Returns true if a pending read still holds one of the registers. Until it finds one, it releases
// registers whose reads are complete. (hazards.c and scoreboard.c do so at the next access.)
static bool is_held(struct warp *w, const uint64_t *registers) {
    for (int k = 0; k < REGISTER_WORDS; k++) {
        for (uint64_t rest = registers[k] & w->busy[REGISTER_WORDS + k]; rest; rest &= rest - 1) {
            const uint32_t number = 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(rest);
            struct cell *cell = &w->cell[number];
            if (!scoreboard_was_read(w, cell)) return true;
            cell->holds = 0;
            note_busy(w, number);
        }
    }
    return false;
}

// Returns true if all registers of a streak (a run of FFMAs) are ready, and no pending read holds a
// register that the streak writes.
INLINE bool is_free(struct warp *w, const struct uop *u, const uint64_t *registers,
                    uint32_t straight) {
    uint64_t busy = 0, held = 0;
    for (int k = 0; k < REGISTER_WORDS; k++) {
        busy |= registers[k] & w->busy[k];
        held |= registers[REGISTER_WORDS + k] & w->busy[REGISTER_WORDS + k];
    }
    for (int k = 0; straight < u->behind && k < REGISTER_WORDS; k++)
        for (uint64_t rest = registers[k]; rest; rest &= rest - 1)
            busy |= w->cell[64 * k + __builtin_ctzll(rest)].ready > w->clock;
    return !busy && (!held || !is_held(w, registers + REGISTER_WORDS));
}

// Issues and executes a streak without hazard checks. Only results that are not ready when the
// streak ends get a ready cycle.
INLINE void issue_streak(struct warp *w, const struct uop *u, const struct ffma *f, uint32_t pc) {
    const uint32_t count = u->streak;
    uint64_t clock = w->clock += u->cycles;
    for (uint32_t i = count; i > count - u->late;) {
        struct cell *out = &w->cell[f[--i].d];
        clock -= f[i].stall;
        out->ready = clock + f[i].latency;
        out->writer = pc + i;
    }
    run_streak(w, f, count);
}

// Counts an execution of straight-line instructions, as differences (add_tally() of resident.c).
INLINE void count_straight(struct warp *w, struct tally *tally, uint32_t from, uint32_t pc,
                           uint32_t active) {
    w->executed += pc - from + 1;
    tally[from].executed++;
    tally[from].lanes += lanes_count(active);
    tally[pc + 1].executed--;
    tally[pc + 1].lanes -= lanes_count(active);
}

// Stops the warp if the launch ends, and ends the launch if the caller asks for it.
INLINE void obey_stop(struct warp *w) {
    struct launch_state *l = w->block->launch;
    if (*l->asked_to_stop) l->stop = true;
    if (*(const volatile bool *)&l->stop) w->state = WARP_STOPPED;
}

// Implements run() of struct engine. If `single`, executes one instruction only.
INLINE void run_code(struct warp *w, uint64_t most, bool single) {
    const bool observed = !single && w->watch.stream != NULL;
    const struct program *p = w->block->launch->program;
    const struct uop *code = p->code;
    const struct ffma *ffma = p->ffma;
    const uint64_t(*registers)[2 * REGISTER_WORDS] =
        (const uint64_t(*)[2 * REGISTER_WORDS]) p->streak_registers;
    struct tally *tally = w->block->tally;
    const volatile bool *stop = &w->block->launch->stop;
    const volatile sig_atomic_t *asked = w->block->launch->asked_to_stop;
    const uint64_t limit = w->block->launch->limit;
    uint32_t pc = w->pc, active = w->active;
    uint64_t left = most;
    bool arrived = !w->resumes;
    w->resumes = false;
    uint32_t from = pc; // start of the current straight-line code
    for (const struct uop *u = &code[pc];;) {
        if (observed && arrived) observe_arrival(w, pc);
        if (u->wait) {
            if (__builtin_expect(u->wait & WAIT_FOR_FOUR, 0) && !warpgroup_has_issued(w, u)) {
                if (pc > from) count_straight(w, tally, from, pc - 1, active);
                w->pc = pc;
                w->active = active;
                w->resumes = true;
                obey_stop(w);
                return;
            }
            hazard_wait(w, u);
            scoreboard_wait(w, u->wait & WAIT_SCOREBOARDS);
            if (__builtin_expect(w->bulk.group_count, 0) && u->wait >> w->bulk.guard & 1)
                bulk_wait(w, 0);
        }
        if (!single && u->streak && active == ALL_LANES &&
            is_free(w, u, registers[pc], pc - from)) {
            const uint32_t count = u->streak;
            issue_streak(w, u, &ffma[pc], pc);
            pc += count;
            u += count;
            arrived = false;
            continue;
        }
        const uint32_t mask = active & (w->predicate[u->guard] ^ -(uint32_t)u->guard_negate);
        if (mask) {
            check_hazards(w, u, pc, mask, pc - from);
        } else {
            if (__builtin_expect(w->cell[CELL_PREDICATE + u->guard].ready > w->clock, 0))
                hazard_guard(w, u);
            if (u->flags & UOP_BARRIER) scoreboard_skip(w, u);
        }
        if (u->flags & UOP_GUARDED) {
            tally[pc].threads += lanes_count(mask);
            tally[pc].active += mask != 0;
        }
        w->clock += u->stall;
        if (observed && (u->flags & UOP_OBSERVED)) observe_before(w, u, mask);
        if (observed) arrived = u->flags & UOP_CONTROL;
        if (u->flags & UOP_CONTROL) {
            count_straight(w, tally, from, pc, active);
            w->pc = pc;
            w->active = active;
            u->execute(w, u, mask);
            if (w->state != WARP_READY) return;
            const bool turn = left-- == 0 || w->yield || *stop || *asked || w->executed > limit;
            if (single || turn) {
                w->yield = false;
                if (turn) groups_turn(w);
                obey_stop(w);
                return;
            }
            from = pc = w->pc;
            u = &code[pc];
            active = w->active;
        } else {
            if (mask) u->execute(w, u, (u->flags & UOP_UNIFORM) ? ALL_LANES : mask);
            if (observed && mask && (u->flags & UOP_OBSERVED)) observe_after(w, u);
            if (single) {
                count_straight(w, tally, pc, pc, active);
                w->pc = pc + 1;
                return;
            }
            pc++;
            u++;
        }
    }
}

static void run(struct warp *w, uint64_t most) {
    run_code(w, most, false);
}

// Executes one instruction. A branch also switches to another group of diverged lanes if `executed`
// is a multiple of a prime, so that the switches do not coincide with a loop's iterations.
static void step(struct warp *w) {
    enum { PRIME = 257 };
    run_code(w, w->executed % PRIME, true);
}

extern const struct binding SIM_NAME(fp32_bindings)[], SIM_NAME(integer_bindings)[],
    SIM_NAME(fp64_bindings)[], SIM_NAME(convert_bindings)[], SIM_NAME(move_bindings)[],
    SIM_NAME(shared_bindings)[], SIM_NAME(global_bindings)[], SIM_NAME(texture_bindings)[],
    SIM_NAME(half_bindings)[], SIM_NAME(matrix_bindings)[], SIM_NAME(warpgroup_bindings)[];
extern const struct binding syncs_bindings[], bulk_bindings[], tensor_bindings[];
sim_execute *SIM_NAME(bind_control)(struct detail *d);
extern sim_execute *const SIM_NAME(control_unknown);

static sim_execute *bind(struct detail *d) {
    const struct binding *const tables[] = {SIM_NAME(fp32_bindings),
                                            SIM_NAME(integer_bindings),
                                            SIM_NAME(fp64_bindings),
                                            SIM_NAME(convert_bindings),
                                            SIM_NAME(move_bindings),
                                            SIM_NAME(shared_bindings),
                                            SIM_NAME(global_bindings),
                                            SIM_NAME(texture_bindings),
                                            SIM_NAME(matrix_bindings),
                                            SIM_NAME(warpgroup_bindings),
                                            syncs_bindings,
                                            bulk_bindings,
                                            tensor_bindings,
                                            SIM_NAME(half_bindings)};
    sim_execute *execute = NULL;
    if (!d->unknown) {
        execute = SIM_NAME(bind_control)(d);
        for (size_t i = 0; !execute && i < sizeof tables / sizeof *tables; i++) {
            for (const struct binding *b = tables[i]; !execute && b->opcode != SASS_OPCODE_COUNT;
                 b++) {
                if (b->opcode == d->instruction.form->opcode)
                    execute = b->run ? b->run : b->bind(d);
            }
        }
    }
    if (execute) return execute;
    if (!d->unknown)
        d->unknown = strdup("the simulator does not know this instruction or this form of it");
    d->uop->flags = UOP_CONTROL;
    return SIM_NAME(control_unknown);
}

const struct engine SIM_NAME(engine) = {
    .name = SIM_ENGINE_TEXT,
    .bind = bind,
    .run = run,
    .step = step,
    .start = groups_start,
    .pass_barrier = groups_pass_barrier,
    .reduces = global_reduces,
    .reduce = global_reduce,
};
