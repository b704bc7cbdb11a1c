// Control fields of automatic lines: scoreboards for results and reads of variable latency, waits at the first use, stall
// counts for results of fixed latency. Lines with a control column are taken as they are, but what they set is known.
//
// 1. Each automatic line of variable latency gets a scoreboard for its result.
// 2. What may be in flight is followed along every path of the code (a union where paths meet): an automatic line waits
//    for the scoreboards of the registers that it reads or overwrites. A source that is overwritten while its reader may
//    not have read it yet gives that reader a read scoreboard; then step 2 starts again.
// 3. Stall counts, block by block: a reader is kept away from its producer by raising the stall of the automatic line
//    nearest before it. At the end of a block (a label or a branch) every result of an automatic line is let finish.
//
// Limits: registers only; memory is ordered by what the source says, except that BAR waits for loads from shared memory.
// An explicit line that reads what is in flight is not touched: lint finds it. RET and BRX may lead to every label and behind every CALL.
#include "assemble.h"

#include "encoding.h"

#include <stdlib.h>
#include <string.h>
#include <string.h>

enum {
    FILES = 4,
    REGISTERS = 256,
    SCOREBOARDS = 6,
    GUARD_CYCLES = 13,    // from a predicate's producer to what it guards (distance.c)
    PREDICATE_CYCLES = 6, // to another source: carry, select
    R2UR_CYCLES = 13,
    OTHER_PIPE = 1,     // more cycles than within a pipe
    FP64_OUT = 2,       // and from FP64
    FP64_IN = 6,        // from another pipe to FP64
    LONGEST_STALL = 15, // a field of four bits
    LONGEST_YIELDED = 11, // longer stalls want bit 109 clear: nvcc writes no other
    CONTROL_STALL = 5,    // branches, exits and barriers: what nvcc leaves behind them
    BARRIER_STALL = 6,
    DEPBAR_STALL = 8
};

// What may be in flight at a point of the code, as sets of scoreboards.
struct flight {
    uint8_t result[FILES][REGISTERS]; // a result is on its way to this register
    uint8_t read[FILES][REGISTERS];   // somebody has not read it yet; released when it has
    uint8_t weak[FILES][REGISTERS];   // as read, but released only when the reader's own result is there
    bool bare[FILES][REGISTERS];      // an automatic line may not have read it, and no scoreboard says
    uint8_t shared;                   // loads from shared memory
};

struct scheduler {
    struct assembled *kernel;
    struct flight *entry; // at each instruction that starts a block, by block
    int *block;           // of each instruction that starts one; -1 otherwise
    int block_count;
    bool *visited, *queued; // by block
    size_t *start;          // first instruction of a block
    bool *needs_read;       // by instruction: wants a read scoreboard
    uint8_t pool;           // scoreboards for automatic lines
    uint8_t async;          // the scoreboard of LDGDEPBAR
    int next;               // round robin
};

static int file_of(const struct sass_touch *touch) {
    return touch->uniform + 2 * touch->predicate;
}

static bool is_variable(const struct sass_instruction *in) {
    return in->form->latency == 0 && in->form->pipe != SASS_PIPE_CBU;
}

// A barrier's or call's register operands are read at issue; what waits is the memory and the slow units.
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

static bool always(const struct sass_instruction *in) {
    const struct sass_operand *condition = &in->operand[SASS_PP];
    return in->guard == SASS_PT && !in->guard_negate &&
           (condition->kind == SASS_NONE || (condition->number == SASS_PT && !condition->negate));
}

// --- scoreboards -------------------------------------------------------------------------------------------------------------

static int take_scoreboard(struct scheduler *s) {
    for (int i = 0; i < SCOREBOARDS; i++) {
        const int candidate = (s->next + i) % SCOREBOARDS;
        if (!(s->pool >> candidate & 1)) continue;
        s->next = candidate + 1;
        return candidate;
    }
    return SASS_NO_BARRIER;
}

// The scoreboard that DEPBAR names counts groups of asynchronous copies: automatic lines keep off it.
static void reserve_async(struct scheduler *s) {
    const struct assembled *kernel = s->kernel;
    bool copies = false;
    s->async = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const struct sass_instruction *in = &kernel->code[i];
        copies |= in->form->opcode == SASS_LDGDEPBAR || in->form->opcode == SASS_DEPBAR;
        if (in->form->opcode == SASS_DEPBAR) s->async = in->operand[SASS_X].number;
        const bool names = in->form->opcode == SASS_LDGDEPBAR && !kernel->automatic[i];
        if (names && in->control.write_barrier < SCOREBOARDS) s->async = in->control.write_barrier;
    }
    if (copies) s->pool &= (uint8_t)~(1U << s->async);
}

static bool set_results(struct scheduler *s, struct sass_error *error) {
    struct assembled *kernel = s->kernel;
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_instruction *in = &kernel->code[i];
        if (!kernel->automatic[i]) continue;
        in->control = (struct sass_control){.stall = 1, .yield = true, .write_barrier = SASS_NO_BARRIER,
                                            .read_barrier = SASS_NO_BARRIER, .reuse = in->control.reuse};
        if (in->form->opcode == SASS_LDGDEPBAR) in->control.write_barrier = s->async;
        if (!is_variable(in) || !has_result(in)) continue;
        in->control.write_barrier = (uint8_t)take_scoreboard(s);
        if (in->control.write_barrier != SASS_NO_BARRIER) continue;
        sass_fail(error, "no scoreboard is left for this line: expected more of them in .scoreboards, or its own column");
        program_place(kernel->lines[i], 0, error);
        return false;
    }
    return true;
}

// --- what is in flight -------------------------------------------------------------------------------------------------------

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
}

// The automatic lines that read this register late and have no scoreboard for it get one. False: there were none.
static bool ask_for_reads(struct scheduler *s, int file, int number) {
    bool found = false;
    for (size_t i = 0; i < s->kernel->count; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        const struct sass_instruction *in = &s->kernel->code[i];
        if (!s->kernel->automatic[i] || !reads_late(in) || s->needs_read[i]) continue;
        const int count = sass_touches(in, touches);
        for (int t = 0; t < count; t++) {
            const bool here = !touches[t].write && file_of(&touches[t]) == file && touches[t].first <= number &&
                              number < touches[t].first + touches[t].count;
            if (here) found = s->needs_read[i] = true;
        }
    }
    return found;
}

struct needs {
    unsigned wait;
    bool changed; // a reader got a scoreboard: start again
};

// Calls and jumps to who knows where: everything is waited for.
static struct needs needs_of_all(struct scheduler *s, const struct flight *flight) {
    struct needs needs = {flight->shared, false};
    for (int file = 0; file < FILES; file++) {
        for (int r = 0; r < REGISTERS; r++) {
            needs.wait |= flight->result[file][r] | flight->read[file][r] | flight->weak[file][r];
            if (flight->bare[file][r]) needs.changed |= ask_for_reads(s, file, r);
        }
    }
    return needs;
}

static bool leads_anywhere(const struct sass_instruction *in) {
    return in->form->opcode == SASS_CALL || in->form->opcode == SASS_RET || in->form->opcode == SASS_BRX;
}

// What an instruction must wait for, given what is in flight.
static struct needs needs_of(struct scheduler *s, const struct sass_instruction *in, const struct flight *flight) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    struct needs needs = {in->form->opcode == SASS_BAR ? flight->shared : 0, false};
    unsigned weak = 0;
    for (int t = 0; t < count; t++) {
        const int file = file_of(&touches[t]);
        for (int r = touches[t].first; r < touches[t].first + touches[t].count; r++) {
            needs.wait |= flight->result[file][r];
            if (!touches[t].write) continue;
            needs.wait |= flight->read[file][r];
            weak |= flight->weak[file][r];
        }
    }
    const bool held = weak & ~needs.wait;
    for (int t = 0; t < count; t++) {
        const int file = file_of(&touches[t]);
        for (int r = touches[t].first; touches[t].write && r < touches[t].first + touches[t].count; r++) {
            if (flight->bare[file][r] || (held && flight->weak[file][r])) needs.changed |= ask_for_reads(s, file, r);
        }
    }
    needs.wait |= weak;
    return needs;
}

static void enter_touch(const struct sass_instruction *in, bool automatic, const struct sass_touch *touch,
                        struct flight *flight) {
    const int file = file_of(touch);
    const uint8_t write = in->control.write_barrier < SCOREBOARDS ? (uint8_t)(1U << in->control.write_barrier) : 0;
    const uint8_t read = in->control.read_barrier < SCOREBOARDS ? (uint8_t)(1U << in->control.read_barrier) : 0;
    for (int r = touch->first; r < touch->first + touch->count; r++) {
        if (touch->write) {
            // A write that may not happen leaves what was there before.
            flight->result[file][r] = (uint8_t)(write | (always(in) ? 0 : flight->result[file][r]));
            flight->bare[file][r] = false;
        } else if (reads_late(in) && !touch->predicate) {
            flight->read[file][r] |= read;
            if (!read) flight->weak[file][r] |= write;
            if (!read && !write && automatic) flight->bare[file][r] = true;
        }
    }
}

// The state behind an instruction. Automatic lines get their wait mask on the way. False: start again.
static bool pass(struct scheduler *s, size_t index, struct flight *flight) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    struct sass_instruction *in = &s->kernel->code[index];
    const bool automatic = s->kernel->automatic[index];
    if (in->guard == SASS_PT && in->guard_negate) return true; // never executes
    if (automatic) {
        const struct needs needs = leads_anywhere(in) ? needs_of_all(s, flight) : needs_of(s, in, flight);
        if (needs.changed) return false;
        in->control.wait = (uint8_t)needs.wait;
    }
    release(flight, in->control.wait);
    if (in->form->opcode == SASS_DEPBAR && in->operand[SASS_I].value == 0)
        release(flight, 1U << in->operand[SASS_X].number | (unsigned)in->operand[SASS_J].value);
    const int count = sass_touches(in, touches);
    for (int write = 0; write < 2; write++) {
        for (int t = 0; t < count; t++) {
            if (touches[t].write == write) enter_touch(in, automatic, &touches[t], flight);
        }
    }
    const bool loads = in->form->opcode == SASS_LDS || (in->form->opcode >= SASS_ATOMS && in->form->opcode <= SASS_ATOMS_POPC);
    if (loads && in->control.write_barrier < SCOREBOARDS) flight->shared |= (uint8_t)(1U << in->control.write_barrier);
    return true;
}

// --- blocks ----------------------------------------------------------------------------------------------------------------

static bool find_blocks(struct scheduler *s) {
    const struct assembled *kernel = s->kernel;
    s->block = calloc(kernel->count + 1, sizeof *s->block);
    s->start = calloc(kernel->count + 1, sizeof *s->start);
    if (!s->block || !s->start) return false;
    for (size_t i = 0; i < kernel->count; i++) {
        const bool starts = i == 0 || kernel->label[i] || ends_block(&kernel->code[i - 1]);
        s->block[i] = starts ? s->block_count : -1;
        if (starts) s->start[s->block_count++] = i;
    }
    s->start[s->block_count] = kernel->count;
    s->entry = calloc((size_t)s->block_count, sizeof *s->entry);
    s->visited = calloc((size_t)s->block_count, sizeof *s->visited);
    s->queued = calloc((size_t)s->block_count, sizeof *s->queued);
    s->needs_read = calloc(kernel->count, sizeof *s->needs_read);
    return s->entry && s->visited && s->queued && s->needs_read;
}

// Joins a state into a block's entry; a block whose entry grew is to be done again.
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
    const bool leaves = opcode == SASS_BRA || opcode == SASS_EXIT || opcode == SASS_RET || opcode == SASS_BRX;
    if (!leaves || !always(in) || opcode == SASS_BRX) flow(s, last + 1, flight);
    if (opcode == SASS_BRA || opcode == SASS_CALL)
        flow(s, (size_t)in->operand[SASS_T].value / SASS_BYTES, flight);
    for (size_t i = 0; (opcode == SASS_RET || opcode == SASS_BRX) && i < s->kernel->count; i++) {
        const bool returns = i && s->kernel->code[i - 1].form->opcode == SASS_CALL;
        if (s->kernel->label[i] || returns) flow(s, i, flight);
    }
}

// True: nothing grows any more. False: a reader got a scoreboard.
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

static bool set_waits(struct scheduler *s, struct sass_error *error) {
    while (!settle(s)) {
        memset(s->queued, 0, (size_t)s->block_count * sizeof *s->queued);
        for (size_t i = 0; i < s->kernel->count; i++) {
            struct sass_control *control = &s->kernel->code[i].control;
            if (!s->needs_read[i] || control->read_barrier < SCOREBOARDS) continue;
            control->read_barrier = (uint8_t)take_scoreboard(s);
            if (control->read_barrier != SASS_NO_BARRIER) continue;
            sass_fail(error, "no scoreboard is left for what this line reads: expected more of them in .scoreboards");
            program_place(s->kernel->lines[i], 0, error);
            return false;
        }
    }
    return true;
}

// --- stall counts ------------------------------------------------------------------------------------------------------------

static int least_stall(const struct sass_instruction *in) {
    switch (in->form->opcode) {
    case SASS_BAR:
        return BARRIER_STALL;
    case SASS_DEPBAR:
        return DEPBAR_STALL;
    case SASS_NOP:
    case SASS_BSSY:
        return 1;
    case SASS_CS2R:
    case SASS_LDGDEPBAR:
        return 2;
    default:
        return in->form->pipe == SASS_PIPE_CBU ? CONTROL_STALL : 1;
    }
}

// Cycles from a producer to any reader: what a block leaves behind must be that old.
static int longest(const struct sass_instruction *producer, const struct sass_touch *touch) {
    const enum sass_opcode opcode = producer->form->opcode;
    if (!producer->form->latency) return 0;
    if (touch->predicate) return GUARD_CYCLES;
    if (opcode == SASS_R2UR) return R2UR_CYCLES;
    const int latency = opcode == SASS_HFMA2_MMA ? 6 : opcode == SASS_IMAD_WIDE ? 5 : producer->form->latency;
    return latency + (producer->form->pipe == SASS_PIPE_FP64 ? FP64_OUT : OTHER_PIPE);
}

// VIADD stands as far from others as the FMA pipe's instructions do (nvcc 13.0).
static enum sass_pipe timing_pipe(const struct sass_form *form) {
    return form->opcode == SASS_VIADD ? SASS_PIPE_FMA : form->pipe;
}

// As distance.c has it, and where that is short (a pair that met by chance) what the producer's latency says.
static int distance(const struct sass_instruction *producer, const struct sass_instruction *reader,
                    const struct sass_touch *touch) {
    const int most = longest(producer, touch), least = sass_distance(producer, reader, touch);
    const bool late = reader->form->pipe == SASS_PIPE_CBU || reader->form->pipe == SASS_PIPE_LSU;
    if (!most) return 0;
    if (touch->predicate) return touch->role == 0 || late ? GUARD_CYCLES : PREDICATE_CYCLES;
    const enum sass_pipe from = timing_pipe(producer->form), to = timing_pipe(reader->form);
    int within = from != to ? most : from == SASS_PIPE_FP64 ? most - FP64_OUT : most - OTHER_PIPE;
    if (to == SASS_PIPE_FP64 && within < FP64_IN) within = FP64_IN;
    return least > within ? least : within;
}

// A shorter latency must not overtake a longer one on the way to the same register.
static int overwrite_distance(const struct sass_instruction *first, const struct sass_instruction *second,
                              const struct sass_touch *touch) {
    const int a = longest(first, touch), b = longest(second, touch);
    return a && b && a > b ? a - b + 1 : 0;
}

struct issue {
    int64_t clock;
    int64_t *at;                   // cycle of issue, by instruction
    int64_t writer[FILES][REGISTERS]; // instruction of fixed latency, -1 none
};

// Puts missing cycles before `at`: on the automatic line nearest before it, but not before the producer.
static void delay(struct scheduler *s, struct issue *issue, size_t at, int64_t producer, int64_t missing) {
    for (int64_t i = (int64_t)at - 1; missing > 0 && i >= producer; i--) {
        struct sass_control *control = &s->kernel->code[i].control;
        if (!s->kernel->automatic[i]) continue;
        const int64_t more = missing < LONGEST_STALL - control->stall ? missing : LONGEST_STALL - control->stall;
        control->stall = (uint8_t)(control->stall + more);
        for (size_t k = (size_t)i + 1; k <= at; k++) issue->at[k] += more;
        issue->clock += more;
        missing -= more;
    }
}

static void keep_apart(struct scheduler *s, struct issue *issue, size_t at) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const struct sass_instruction *in = &s->kernel->code[at];
    const int count = sass_touches(in, touches);
    for (int t = 0; t < count; t++) {
        for (int r = touches[t].first; r < touches[t].first + touches[t].count; r++) {
            const int64_t writer = issue->writer[file_of(&touches[t])][r];
            if (writer < 0) continue;
            const struct sass_instruction *producer = &s->kernel->code[writer];
            const int needed = touches[t].write ? overwrite_distance(producer, in, &touches[t])
                                                : distance(producer, in, &touches[t]);
            delay(s, issue, at, writer, issue->at[writer] + needed - issue->at[at]);
        }
    }
    for (int t = 0; t < count; t++) {
        for (int r = touches[t].first; touches[t].write && r < touches[t].first + touches[t].count; r++) {
            issue->writer[file_of(&touches[t])][r] = in->form->latency ? (int64_t)at : -1;
        }
    }
}

// The state of a predicate's or register's file letter does not matter here: the touch only says which table to use.
static void drain(struct scheduler *s, struct issue *issue, size_t end) {
    for (int file = 0; file < FILES; file++) {
        const struct sass_touch touch = {.uniform = file & 1, .predicate = file >> 1};
        for (int r = 0; r < REGISTERS; r++) {
            const int64_t writer = issue->writer[file][r];
            if (writer < 0 || !s->kernel->automatic[writer]) continue;
            const int needed = longest(&s->kernel->code[writer], &touch);
            delay(s, issue, end, writer, issue->at[writer] + needed - issue->at[end]);
        }
    }
}

// A scoreboard counts from the second cycle on: a wait one cycle after the instruction that sets it lets pass (seen on an
// H200; nvcc leaves two).
static void let_scoreboard_be_set(struct scheduler *s, struct issue *issue, size_t at) {
    const struct sass_control *before = &s->kernel->code[at - 1].control;
    const unsigned sets = (before->write_barrier < 6 ? 1U << before->write_barrier : 0) |
                          (before->read_barrier < 6 ? 1U << before->read_barrier : 0);
    if (s->kernel->code[at].control.wait & sets && before->stall < SASS_SET_CYCLES)
        delay(s, issue, at, (int64_t)at - 1, SASS_SET_CYCLES - before->stall);
}

static void set_stalls_of_block(struct scheduler *s, struct issue *issue, int block) {
    const size_t end = s->start[block + 1];
    memset(issue->writer, 0xff, sizeof issue->writer);
    issue->clock = 0;
    for (size_t i = s->start[block]; i < end; i++) {
        struct sass_instruction *in = &s->kernel->code[i];
        issue->at[i] = issue->clock;
        if (s->kernel->automatic[i]) in->control.stall = (uint8_t)least_stall(in);
        keep_apart(s, issue, i);
        if (i > s->start[block]) let_scoreboard_be_set(s, issue, i);
        issue->clock += in->control.stall ? in->control.stall : 1;
    }
    issue->at[end] = issue->clock;
    const struct sass_instruction *last = &s->kernel->code[end - 1];
    if (last->form->opcode != SASS_EXIT || !always(last)) drain(s, issue, end);
}

static bool set_stalls(struct scheduler *s) {
    struct issue *issue = calloc(1, sizeof *issue);
    if (issue) issue->at = calloc(s->kernel->count + 1, sizeof *issue->at);
    const bool good = issue && issue->at;
    for (int b = 0; good && b < s->block_count; b++) set_stalls_of_block(s, issue, b);
    for (size_t i = 0; good && i < s->kernel->count; i++) {
        struct sass_control *control = &s->kernel->code[i].control;
        if (s->kernel->automatic[i]) control->yield = control->stall <= LONGEST_YIELDED;
    }
    if (issue) free(issue->at);
    free(issue);
    return good;
}

// --- the whole ---------------------------------------------------------------------------------------------------------------

bool schedule(struct assembled *kernel, struct sass_error *error) {
    struct scheduler s = {.kernel = kernel, .pool = kernel->source->scoreboards};
    reserve_async(&s);
    bool good = set_results(&s, error);
    if (good && !find_blocks(&s)) good = sass_fail(error, "out of memory");
    good = good && set_waits(&s, error);
    if (good && !set_stalls(&s)) good = sass_fail(error, "out of memory");
    free(s.entry);
    free(s.block);
    free(s.visited);
    free(s.queued);
    free(s.start);
    free(s.needs_read);
    return good;
}
