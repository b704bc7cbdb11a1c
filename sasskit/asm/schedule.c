// Fills in the control fields of automatic lines (without a control column): scoreboards for
// operations of variable latency, waits before their registers are used, stall counts for results
// of fixed latency. Explicit lines (with a column) stay unchanged; their scoreboards are tracked.
//
// 1. Each automatic line of variable latency gets a scoreboard for its result.
// 2. Operations in flight are tracked along every path of the code; where paths join, the union of
//    their operations is in flight. An automatic line waits for the scoreboards of the registers
//    that it reads or overwrites. If a line overwrites a register that an earlier line may not have
//    read yet, the earlier line gets a read scoreboard, and step 2 restarts.
// 3. Stall counts follow (stalls.c).
//
// Limits: only dependences through registers are found. Accesses to memory are not ordered, except
// that BAR waits for loads and atomics in shared memory. An explicit line that needs an automatic
// line's result or overwrites its source must itself wait, or it is an error. In kernels with both
// kinds of lines, an automatic line at the end of a block waits for everything that automatic lines
// have in flight. RET and BRX may lead to every label and behind every CALL.
#include "schedule.h"

#include "isa/encoding.h"
#include "isa/latency.h"
#include "scheduler.h"

#include <string.h>

static bool is_variable(const struct sass_instruction *in) {
    return sass_by_scoreboard(in) && !sass_runs_on(in->form);
}

// Returns true if the instruction may read its registers some time after its issue, as memory
// instructions and slow units do. Barriers and calls read their registers at issue.
static bool reads_late(const struct sass_instruction *in) {
    return is_variable(in) && in->form->opcode != SASS_LDGDEPBAR;
}

static bool has_result(const struct sass_instruction *in) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    for (int i = 0; i < count; i++) {
        if (touches[i].write) return true;
    }
    return false;
}

static bool ends_block(const struct sass_instruction *in) {
    switch (in->form->opcode) {
    case SASS_BRA:
    case SASS_BRX:
    case SASS_CALL:
    case SASS_RET:
    case SASS_EXIT:
    case SASS_BSYNC:
    case SASS_BREAK:
        return true;
    default:
        return false;
    }
}

// --- scoreboards ---------------------------------------------------------------------------------

static int take_scoreboard(struct scheduler *s) {
    for (int i = 0; i < SCOREBOARDS; i++) {
        const int candidate = (s->next + i) % SCOREBOARDS;
        if (!(s->pool >> candidate & 1)) continue;
        s->next = candidate + 1;
        return candidate;
    }
    return SASS_NO_BARRIER;
}

// Reserves the scoreboard that counts groups of asynchronous copies: the one that a DEPBAR or an
// explicit LDGDEPBAR names, otherwise 0. Automatic lines use it for LDGDEPBAR only.
static void reserve_async(struct scheduler *s) {
    const struct assembled *kernel = s->kernel;
    bool copies = false;
    s->async = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const struct sass_instruction *in = &kernel->code[i];
        copies |= in->form->opcode == SASS_LDGDEPBAR || in->form->opcode == SASS_DEPBAR;
        if (in->form->opcode == SASS_DEPBAR && in->operand[SASS_X].kind == SASS_SCOREBOARD)
            s->async = in->operand[SASS_X].number;
        const bool names = in->form->opcode == SASS_LDGDEPBAR && !kernel->automatic[i];
        if (names && in->control.write_barrier < SCOREBOARDS) s->async = in->control.write_barrier;
    }
    if (copies) s->pool &= (uint8_t) ~(1U << s->async);
}

static bool set_results(struct scheduler *s, struct error *error) {
    struct assembled *kernel = s->kernel;
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_instruction *in = &kernel->code[i];
        if (!kernel->automatic[i]) continue;
        in->control = (struct sass_control){.stall = 1,
                                            .yield = true,
                                            .write_barrier = SASS_NO_BARRIER,
                                            .read_barrier = SASS_NO_BARRIER,
                                            .reuse = in->control.reuse};
        if (in->form->opcode == SASS_LDGDEPBAR) in->control.write_barrier = s->async;
        if (!is_variable(in) || !has_result(in)) continue;
        in->control.write_barrier = (uint8_t)take_scoreboard(s);
        if (in->control.write_barrier != SASS_NO_BARRIER) continue;
        error_fail(error, "no scoreboard is left for this line: expected more of them in "
                          ".scoreboards, or its own column");
        program_place(kernel->lines[i], 0, error);
        return false;
    }
    return true;
}

// --- operations in flight ------------------------------------------------------------------------

static void release(struct flight *flight, unsigned mask) {
    if (!mask) return;
    for (int file = 0; file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) {
            flight->result[file][i] &= (uint8_t)~mask;
            flight->read[file][i] &= (uint8_t)~mask;
            flight->weak[file][i] &= (uint8_t)~mask;
        }
    }
    flight->shared &= (uint8_t)~mask;
    flight->automatic &= (uint8_t)~mask;
}

// Marks each automatic line that reads this register late as requiring a read scoreboard. Returns
// false if none was marked newly.
static bool require_reads(struct scheduler *s, int file, int number) {
    bool found = false;
    for (size_t i = 0; i < s->kernel->count; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        const struct sass_instruction *in = &s->kernel->code[i];
        if (!s->kernel->automatic[i] || !reads_late(in) || s->needs_read[i]) continue;
        const int count = sass_touches(in, touches);
        for (int t = 0; t < count; t++) {
            const bool here = !touches[t].write && schedule_file(&touches[t]) == file &&
                              touches[t].first <= number &&
                              number < touches[t].first + touches[t].count;
            if (here) found = s->needs_read[i] = true;
        }
    }
    return found;
}

struct needs {
    unsigned wait;   // mask of the scoreboards that an automatic line must wait for
    unsigned strict; // the part of `wait` that an explicit line's mask must have, too
    bool changed;    // true if a line newly requires a read scoreboard; step 2 restarts
};

// Returns the needs of CALL, RET or BRX, which may lead anywhere: all operations in flight.
static struct needs needs_of_all(struct scheduler *s, const struct flight *flight) {
    struct needs needs = {flight->shared, 0, false};
    for (int file = 0; file < FILES; file++) {
        for (int r = 0; r < REGISTERS; r++) {
            needs.wait |= flight->result[file][r] | flight->read[file][r] | flight->weak[file][r];
            if (flight->bare[file][r]) needs.changed |= require_reads(s, file, r);
        }
    }
    return needs;
}

static bool leads_anywhere(const struct sass_instruction *in) {
    return in->form->opcode == SASS_CALL || in->form->opcode == SASS_RET ||
           in->form->opcode == SASS_BRX;
}

// Returns the needs of an instruction other than CALL, RET and BRX.
static struct needs needs_of(struct scheduler *s, const struct sass_instruction *in,
                             const struct flight *flight) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    struct needs needs = {in->form->opcode == SASS_BAR ? flight->shared : 0, 0, false};
    unsigned weak = 0;
    for (int t = 0; t < count; t++) {
        const int file = schedule_file(&touches[t]);
        for (int r = touches[t].first; r < touches[t].first + touches[t].count; r++) {
            needs.strict |= flight->result[file][r];
            if (!touches[t].write) continue;
            needs.strict |= flight->read[file][r];
            weak |= flight->weak[file][r];
        }
    }
    needs.wait |= needs.strict;
    const bool held = weak & ~needs.wait;
    for (int t = 0; t < count; t++) {
        const int file = schedule_file(&touches[t]);
        for (int r = touches[t].first; touches[t].write && r < touches[t].first + touches[t].count;
             r++) {
            if (flight->bare[file][r] || (held && flight->weak[file][r]))
                needs.changed |= require_reads(s, file, r);
        }
    }
    needs.wait |= weak;
    return needs;
}

static void enter_touch(const struct sass_instruction *in, bool automatic,
                        const struct sass_touch *touch, struct flight *flight) {
    const int file = schedule_file(touch);
    const uint8_t write =
        in->control.write_barrier < SCOREBOARDS ? (uint8_t)(1U << in->control.write_barrier) : 0;
    const uint8_t read =
        in->control.read_barrier < SCOREBOARDS ? (uint8_t)(1U << in->control.read_barrier) : 0;
    for (int r = touch->first; r < touch->first + touch->count; r++) {
        if (touch->write) {
            // Under a guard, a result already in flight may remain the register's value.
            flight->result[file][r] =
                (uint8_t)(write | (sass_always(in) ? 0 : flight->result[file][r]));
            flight->bare[file][r] = false;
        } else if (reads_late(in) && !touch->predicate) {
            flight->read[file][r] |= read;
            if (!read) flight->weak[file][r] |= write;
            if (!read && !write && automatic) flight->bare[file][r] = true;
        }
    }
}

// In a kernel with explicit lines, returns true for the last line of a block, unless it is an
// unconditional EXIT. Nothing that automatic lines have started may stay in flight behind it.
static bool closes_block(const struct scheduler *s, size_t index) {
    const struct sass_instruction *in = &s->kernel->code[index];
    const bool last = index + 1 == s->kernel->count || s->block[index + 1] >= 0;
    return s->mixed && last && !(in->form->opcode == SASS_EXIT && sass_always(in));
}

// Updates *flight by one instruction and, if its line is automatic, sets its wait mask. Returns
// false if step 2 must restart.
static bool pass(struct scheduler *s, size_t index, struct flight *flight) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    struct sass_instruction *in = &s->kernel->code[index];
    const bool automatic = s->kernel->automatic[index];
    if (in->guard == SASS_PT && in->guard_negate) return true; // @!PT: never executed
    const struct needs needs =
        leads_anywhere(in) ? needs_of_all(s, flight) : needs_of(s, in, flight);
    if (needs.changed) return false;
    if (automatic) {
        in->control.wait = (uint8_t)(needs.wait | (closes_block(s, index) ? flight->automatic : 0));
    } else if (needs.strict & flight->automatic & ~in->control.wait && s->unmet < 0) {
        s->unmet = (int64_t)index;
        s->unmet_mask = needs.strict & flight->automatic & ~in->control.wait;
    }
    release(flight, in->control.wait);
    if (in->operand[SASS_I].value == 0) release(flight, sass_depbar_waits(in));
    const int count = sass_touches(in, touches);
    for (int write = 0; write < 2; write++) {
        for (int t = 0; t < count; t++) {
            if (touches[t].write == write) enter_touch(in, automatic, &touches[t], flight);
        }
    }
    if (automatic && in->form->opcode != SASS_LDGDEPBAR) {
        if (in->control.write_barrier < SCOREBOARDS)
            flight->automatic |= (uint8_t)(1U << in->control.write_barrier);
        if (in->control.read_barrier < SCOREBOARDS)
            flight->automatic |= (uint8_t)(1U << in->control.read_barrier);
    }
    const bool loads = in->form->opcode == SASS_LDS ||
                       (in->form->opcode >= SASS_ATOMS && in->form->opcode <= SASS_ATOMS_POPC);
    if (loads && in->control.write_barrier < SCOREBOARDS)
        flight->shared |= (uint8_t)(1U << in->control.write_barrier);
    return true;
}

// --- blocks --------------------------------------------------------------------------------------

static void find_blocks(struct scheduler *s) {
    const struct assembled *kernel = s->kernel;
    ARENA_NEW(&s->memory, s->block, kernel->count + 1);
    ARENA_NEW(&s->memory, s->start, kernel->count + 1);
    for (size_t i = 0; i < kernel->count; i++) {
        const bool starts = i == 0 || kernel->label[i] || ends_block(&kernel->code[i - 1]);
        s->block[i] = starts ? s->block_count : -1;
        if (starts) s->start[s->block_count++] = i;
    }
    s->start[s->block_count] = kernel->count;
    ARENA_NEW(&s->memory, s->entry, (size_t)s->block_count);
    ARENA_NEW(&s->memory, s->visited, (size_t)s->block_count);
    ARENA_NEW(&s->memory, s->queued, (size_t)s->block_count);
    ARENA_NEW(&s->memory, s->needs_read, kernel->count);
}

// Adds *flight to the operations that may be in flight at the start of the block at instruction
// `target`. Queues the block if it is new or if this adds any.
static void flow(struct scheduler *s, size_t target, const struct flight *flight) {
    if (target >= s->kernel->count || s->block[target] < 0) return;
    const int block = s->block[target];
    uint8_t *entry = (uint8_t *)&s->entry[block];
    const uint8_t *from = (const uint8_t *)flight;
    bool grew = !s->visited[block];
    for (size_t i = 0; i < sizeof *flight; i++) {
        grew |= from[i] & ~entry[i];
        entry[i] |= from[i];
    }
    s->visited[block] = true;
    s->queued[block] |= grew;
}

static void flow_out(struct scheduler *s, size_t last, const struct flight *flight) {
    const struct sass_instruction *in = &s->kernel->code[last];
    const enum sass_opcode opcode = in->form->opcode;
    const bool leaves =
        opcode == SASS_BRA || opcode == SASS_EXIT || opcode == SASS_RET || opcode == SASS_BRX;
    if (!leaves || !sass_always(in) || opcode == SASS_BRX) flow(s, last + 1, flight);
    if (opcode == SASS_BRA || opcode == SASS_CALL)
        flow(s, (size_t)in->operand[SASS_T].value / SASS_BYTES, flight);
    for (size_t i = 0; (opcode == SASS_RET || opcode == SASS_BRX) && i < s->kernel->count; i++) {
        const bool returns = i && s->kernel->code[i - 1].form->opcode == SASS_CALL;
        if (s->kernel->label[i] || returns) flow(s, i, flight);
    }
}

// Tracks the operations in flight through all blocks until nothing changes. Returns false if a line
// newly requires a read scoreboard.
static bool settle(struct scheduler *s) {
    struct flight flight = {0};
    memset(s->entry, 0, (size_t)s->block_count * sizeof *s->entry);
    memset(s->visited, 0, (size_t)s->block_count * sizeof *s->visited);
    flow(s, 0, &flight);
    for (bool more = true; more;) {
        more = false;
        for (int b = 0; b < s->block_count; b++) {
            if (!s->queued[b]) continue;
            s->queued[b] = false;
            more = true;
            flight = s->entry[b];
            for (size_t i = s->start[b]; i < s->start[b + 1]; i++) {
                if (!pass(s, i, &flight)) return false;
            }
            flow_out(s, s->start[b + 1] - 1, &flight);
        }
    }
    return true;
}

static bool set_waits(struct scheduler *s, struct error *error) {
    s->unmet = -1;
    while (!settle(s)) {
        s->unmet = -1;
        memset(s->queued, 0, (size_t)s->block_count * sizeof *s->queued);
        for (size_t i = 0; i < s->kernel->count; i++) {
            struct sass_control *control = &s->kernel->code[i].control;
            if (!s->needs_read[i] || control->read_barrier < SCOREBOARDS) continue;
            control->read_barrier = (uint8_t)take_scoreboard(s);
            if (control->read_barrier != SASS_NO_BARRIER) continue;
            error_fail(error, "no scoreboard is left for what this line reads: expected more of "
                              "them in .scoreboards");
            program_place(s->kernel->lines[i], 0, error);
            return false;
        }
    }
    if (s->unmet < 0) return true;
    error_fail(error,
               "an automatic line has in flight what this line reads or overwrites: expected "
               "%02x in its wait mask, or an automatic line (NOP will do) before the label",
               s->unmet_mask);
    program_place(s->kernel->lines[s->unmet], strspn(s->kernel->lines[s->unmet]->text, " \t"),
                  error);
    return false;
}

// --- the whole kernel ----------------------------------------------------------------------------

bool schedule(struct assembled *kernel, struct error *error) {
    struct scheduler s = {.kernel = kernel, .pool = kernel->source->scoreboards};
    reserve_async(&s);
    for (size_t i = 0; i < kernel->count; i++) s.mixed |= kernel->lines[i] && !kernel->automatic[i];
    find_blocks(&s);
    const bool good = set_results(&s, error) && set_waits(&s, error);
    if (good) set_stalls(&s);
    arena_clear(&s.memory);
    return good;
}
