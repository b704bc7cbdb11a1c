// Scoreboards and hazards: what is still on its way, and who did not wait for it.
//
// A cell (register or predicate) has the issue cycle from which it can be read. Fixed-latency results set it to issue +
// latency; results that take variable time set it to IN_FLIGHT, until an instruction waits for their scoreboard. A load
// without a scoreboard is covered by the next one of its kind that has one, since they return in order: those from shared
// memory among themselves, whatever global loads stand between. Sources of an instruction with
// a read barrier are held until it is waited for: overwriting them is a hazard, except by the same pipe, which reads in
// order.
#include "machine.h"

// Entries: a cell, and for a held source 8 + the read scoreboard in the upper four bits. A result's entries come after a
// mark: where an instruction begins.
enum { ENTRY_CELL = 0x0fff, ENTRY_MARK = 0x0fff };
static void append(struct pending_list *list, uint32_t cell, uint32_t held) {
    if (list->count < sizeof list->cell / sizeof *list->cell) list->cell[list->count++] = (uint16_t)(cell | held << 12);
}

// The first `count` entries have come true.
static void settle(struct warp *w, struct pending_list *list, int count) {
    for (int i = 0; i < count; i++) {
        if (list->cell[i] == ENTRY_MARK) continue;
        struct cell *cell = &w->cell[list->cell[i] & ENTRY_CELL];
        const uint32_t held = list->cell[i] >> 12;
        if (held) {
            cell->holds &= ~(1u << (held & 7));
        } else {
            if (cell->pending) cell->pending--;
            if (cell->pending == 0 && cell->ready == IN_FLIGHT) cell->ready = w->clock;
        }
    }
    list->count = (uint16_t)(list->count - count);
    memmove(list->cell, list->cell + count, list->count * sizeof *list->cell);
}

void scoreboard_wait(struct warp *w, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        struct pending_list *list = &w->pending[__builtin_ctz(mask) % SCOREBOARDS];
        settle(w, list, list->count);
    }
}

static bool is_texture(const struct warp *w, uint32_t entry) {
    const uint32_t writer = w->cell[entry & ENTRY_CELL].writer;
    return w->block->launch->program->detail[writer].instruction.form->pipe == SASS_PIPE_TEX;
}

bool scoreboard_leave(struct warp *w, uint32_t number, int left) {
    struct pending_list *list = &w->pending[number];
    int at = list->count, textures = 0;
    while (at > 0 && textures < left) {
        at--;
        textures += list->cell[at] == ENTRY_MARK && is_texture(w, list->cell[at + 1]);
    }
    if (textures) settle(w, list, at);
    return textures > 0;
}

// What returns its results in order: a pipe, but of the memory pipe shared and local loads each by themselves.
static int unit_of(const struct sass_form *form) {
    return form->opcode == SASS_LDS ? UNIT_SHARED : form->opcode == SASS_LDL ? UNIT_LOCAL : (int)form->pipe;
}

// A scoreboard that was set in the cycle before does not count yet: the wait passes (sass.h, SASS_SET_CYCLES).
void scoreboard_arrive(struct warp *w, const struct uop *u) {
    for (uint32_t rest = u->wait; rest; rest &= rest - 1) {
        const int number = __builtin_ctz(rest) % SCOREBOARDS;
        if (__builtin_expect(w->clock >= w->counts_from[number], 1)) continue;
        char setter[SASS_MAX_TEXT];
        program_text(w->block->launch->program, w->set_by[number], setter, sizeof setter);
        report(w, REPORT_HAZARD, u->detail->index, -1, false,
               "waits for scoreboard %d %d cycle after %s set it, which needs %d: the wait passes", number,
               (int)(w->clock + SASS_SET_CYCLES - w->counts_from[number]), setter, SASS_SET_CYCLES);
    }
    scoreboard_wait(w, u->wait);
}

static void set(struct warp *w, const struct uop *u, uint32_t number) {
    if (number >= SCOREBOARDS) return;
    w->counts_from[number] = w->clock + SASS_SET_CYCLES;
    w->set_by[number] = u->detail->index;
}

// Results without a scoreboard return before this instruction's, which has one.
void scoreboard_cover(struct warp *w, const struct uop *u) {
    struct pending_list *rest = &w->unguarded[unit_of(u->detail->instruction.form)];
    if (u->write_barrier >= SCOREBOARDS) return;
    for (int i = 0; i < rest->count; i++) append(&w->pending[u->write_barrier], rest->cell[i], 0);
    rest->count = 0;
}

// An instruction with a barrier, or of variable time, has been issued.
void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    set(w, u, u->write_barrier);
    set(w, u, u->read_barrier);
    if (u->flags & UOP_VARIABLE) {
        const bool guarded = u->write_barrier < SCOREBOARDS;
        struct pending_list *list =
            guarded ? &w->pending[u->write_barrier] : &w->unguarded[unit_of(m->instruction.form)];
        if (guarded) append(list, ENTRY_MARK, 0);
        for (int i = 0; i < m->cells.out_count; i++) {
            struct cell *cell = &w->cell[m->cells.out[i]];
            cell->lanes = mask | (cell->pending ? cell->lanes : 0);
            cell->ready = IN_FLIGHT;
            cell->writer = m->index;
            cell->pending++;
            append(list, m->cells.out[i], 0);
        }
        scoreboard_cover(w, u);
    }
    if (u->read_barrier < SCOREBOARDS) {
        for (int i = 0; i < m->cells.in_count; i++) {
            const uint32_t number = m->cells.in[i];
            if (number >= CELL_UNIFORM) continue; // uniform registers and predicates are read at issue (guess)
            struct cell *cell = &w->cell[number];
            cell->read_lanes = mask | (cell->holds ? cell->read_lanes : 0);
            cell->holds |= 1u << u->read_barrier;
            cell->reader = m->index;
            append(&w->pending[u->read_barrier], number, 8 + u->read_barrier);
            if (u->write_barrier < SCOREBOARDS) // a result that is there means that the sources have been read
                append(&w->pending[u->write_barrier], number, 8 + u->read_barrier);
        }
    }
}

// --- which distances are right ----------------------------------------------------------------------------------------------

// What ptxas leaves at least between a producer and its reader, in issue cycles, by their pipes: the smallest distances in
// 80 cubins of nvcc 13.0 (steps/ and tests/corpus/). The hardware may need less; code that is closer than these is not known
// to work. 0: no such pair was seen, the producer's own latency counts.
static const uint8_t distances[SASS_PIPE_COUNT][SASS_PIPE_COUNT] = {
    [SASS_PIPE_FMA] = {[SASS_PIPE_FMA] = 4,
                       [SASS_PIPE_ALU] = 5,
                       [SASS_PIPE_HALF] = 4,
                       [SASS_PIPE_FP64] = 6,
                       [SASS_PIPE_XU] = 4,
                       [SASS_PIPE_LSU] = 5,
                       [SASS_PIPE_TEX] = 4,
                       [SASS_PIPE_UNIFORM] = 5,
                       [SASS_PIPE_CBU] = 4},
    [SASS_PIPE_ALU] = {[SASS_PIPE_FMA] = 5,
                       [SASS_PIPE_ALU] = 4,
                       [SASS_PIPE_HALF] = 5,
                       [SASS_PIPE_FP64] = 6,
                       [SASS_PIPE_XU] = 4,
                       [SASS_PIPE_LSU] = 5,
                       [SASS_PIPE_TEX] = 4,
                       [SASS_PIPE_UNIFORM] = 5,
                       [SASS_PIPE_CBU] = 4},
    [SASS_PIPE_HALF] =
        {[SASS_PIPE_HALF] = 4, [SASS_PIPE_FMA] = 5, [SASS_PIPE_ALU] = 5, [SASS_PIPE_XU] = 4, [SASS_PIPE_LSU] = 5},
    [SASS_PIPE_FP64] =
        {[SASS_PIPE_FP64] = 8, [SASS_PIPE_XU] = 6, [SASS_PIPE_LSU] = 7, [SASS_PIPE_FMA] = 10, [SASS_PIPE_ALU] = 10},
    [SASS_PIPE_UNIFORM] = {[SASS_PIPE_UNIFORM] = 4, [SASS_PIPE_FMA] = 6, [SASS_PIPE_ALU] = 6},
};
enum { GUARD_DISTANCE = 13, PREDICATE_DISTANCE = 4, PREDICATE_DISTANCE_FP64 = 6 };

// Pairs that stand closer than their pipes say. SASS_OPCODE_COUNT: any.
static const struct {
    enum sass_opcode producer, consumer;
    uint8_t distance;
} closer[] = {
    {SASS_ULDC, SASS_OPCODE_COUNT, 2}, {SASS_UMOV, SASS_OPCODE_COUNT, 2},
    {SASS_OPCODE_COUNT, SASS_P2R, 2}, // it names all predicates, whichever it takes
    {SASS_IMAD, SASS_IMAD_WIDE, 2},    {SASS_OPCODE_COUNT, SASS_IMAD_WIDE, 3}, // its addend
    {SASS_IMAD_WIDE, SASS_IADD3, 3},   {SASS_IMAD_WIDE, SASS_LEA, 3},
    {SASS_IMAD_WIDE, SASS_LOP3, 3},    {SASS_IMAD_WIDE, SASS_MOV, 3},
    {SASS_OPCODE_COUNT, SASS_LDC, 4},  {SASS_OPCODE_COUNT, SASS_MATCH, 4},
    {SASS_HFMA2_MMA, SASS_RET, 6},
};

// VIADD stands as far from others as the FMA pipe's instructions do.
static enum sass_pipe timing_pipe(const struct sass_form *form) {
    return form->opcode == SASS_VIADD ? SASS_PIPE_FMA : form->pipe;
}

static uint32_t least_distance(const struct uop *producer, const struct uop *consumer, uint32_t cell) {
    const struct sass_form *from = producer->detail->instruction.form, *to = consumer->detail->instruction.form;
    const uint32_t guard = CELL_PREDICATE + consumer->guard;
    for (size_t i = 0; i < sizeof closer / sizeof *closer; i++) {
        if ((closer[i].producer == from->opcode || closer[i].producer == SASS_OPCODE_COUNT) &&
            (closer[i].consumer == to->opcode || closer[i].consumer == SASS_OPCODE_COUNT))
            return cell == guard ? GUARD_DISTANCE : closer[i].distance;
    }
    if (cell == guard && consumer->guard < PREDICATE_UNIFORM) return GUARD_DISTANCE;
    if (cell >= CELL_PREDICATE && cell < CELL_PREDICATE + PREDICATE_UNIFORM)
        return from->pipe == SASS_PIPE_FP64 ? PREDICATE_DISTANCE_FP64 : PREDICATE_DISTANCE;
    const uint32_t distance = distances[timing_pipe(from)][timing_pipe(to)];
    return distance ? distance : producer->latency;
}

// The distance after which any reader may have it: what cells are set to, so that the quick check sees every close pair.
static uint32_t slowest_use(const struct uop *producer, uint32_t cell) {
    return scoreboard_latency(producer->detail->instruction.form, cell >= CELL_PREDICATE);
}
uint8_t scoreboard_latency(const struct sass_form *form, bool predicate) {
    static const uint8_t registers[SASS_PIPE_COUNT] = {
        [SASS_PIPE_FMA] = 5, [SASS_PIPE_ALU] = 5, [SASS_PIPE_HALF] = 5, [SASS_PIPE_FP64] = 10, [SASS_PIPE_UNIFORM] = 6};
    if (form->latency == 0) return 0;
    if (predicate) return GUARD_DISTANCE;
    if (form->opcode == SASS_ULDC || form->opcode == SASS_UMOV) return 2;
    if (form->opcode == SASS_HFMA2_MMA) return 6;
    return registers[form->pipe] ? registers[form->pipe] : form->latency;
}

static const char *cell_name(uint32_t cell, char name[8]) {
    if (cell < CELL_UNIFORM) {
        snprintf(name, 8, "R%u", cell);
    } else if (cell < CELL_PREDICATE) {
        snprintf(name, 8, "UR%u", (cell - CELL_UNIFORM) % 64);
    } else if (cell < CELL_PREDICATE + 8) {
        snprintf(name, 8, "P%u", (cell - CELL_PREDICATE) % 8);
    } else {
        snprintf(name, 8, "UP%u", (cell - CELL_PREDICATE) % 8);
    }
    return name;
}

static void check_read(struct warp *w, const struct uop *u, uint32_t number, uint32_t mask) {
    const struct cell *cell = &w->cell[number];
    const struct program *p = w->block->launch->program;
    char name[8], writer[SASS_MAX_TEXT];
    if (cell->ready <= w->clock) return;
    const struct uop *producer = &p->code[cell->writer];
    if (cell->ready == IN_FLIGHT) {
        if (number < CELL_UNIFORM && (cell->lanes & mask) == 0) return; // other lanes', of a diverged warp
        program_text(p, cell->writer, writer, sizeof writer);
        if (producer->write_barrier < SCOREBOARDS) {
            report(w, REPORT_HAZARD, u->detail->index, -1, false,
                   "reads %s while it is in flight: scoreboard %d of %s was not waited for", cell_name(number, name),
                   producer->write_barrier, writer);
        } else {
            report(w, REPORT_HAZARD, u->detail->index, -1, false,
                   "reads %s while it is in flight: %s has no scoreboard, and none after it covers it was waited for",
                   cell_name(number, name), writer);
        }
        return;
    }
    const uint64_t issued = cell->ready - slowest_use(producer, number);
    const uint32_t distance = (uint32_t)(w->clock - issued), least = least_distance(producer, u, number);
    if (distance >= least) return;
    program_text(p, cell->writer, writer, sizeof writer);
    report(w, REPORT_HAZARD, u->detail->index, -1, false, "reads %s %u cycles after the issue of %s, which needs %u",
           cell_name(number, name), distance, writer, least);
}

static void check_write(struct warp *w, const struct uop *u, uint32_t number, uint32_t mask) {
    const struct cell *cell = &w->cell[number];
    const struct program *p = w->block->launch->program;
    char name[8], other[SASS_MAX_TEXT];
    const enum sass_pipe pipe = u->detail->instruction.form->pipe;
    const bool memory = pipe == SASS_PIPE_LSU || pipe == SASS_PIPE_TEX, in_order = memory || pipe == SASS_PIPE_XU;
    // Lanes of a diverged warp have registers of their own.
    const bool one = number >= CELL_UNIFORM, held = cell->holds && (one || (cell->read_lanes & mask) != 0);
    if (held) {
        if (in_order && p->detail[cell->reader].instruction.form->pipe == pipe) return;
        program_text(p, cell->reader, other, sizeof other);
        report(w, REPORT_HAZARD, u->detail->index, -1, false,
               "writes %s, which %s may not have read yet: its read scoreboard %d was not waited for",
               cell_name(number, name), other, p->code[cell->reader].read_barrier);
    } else if (cell->ready == IN_FLIGHT && (one || (cell->lanes & mask) != 0)) {
        if (memory && p->detail[cell->writer].instruction.form->pipe == pipe) return;
        program_text(p, cell->writer, other, sizeof other);
        report(w, REPORT_HAZARD, u->detail->index, -1, false, "writes %s while a result of %s is in flight to it",
               cell_name(number, name), other);
    }
}

void hazard_read(struct warp *w, const struct uop *u, uint32_t mask) {
    for (int i = 0; i < 4; i++) check_read(w, u, u->cell_in[i], mask);
}
void hazard_write(struct warp *w, const struct uop *u, uint32_t mask) {
    for (int i = 0; i < u->out_count; i++) check_write(w, u, u->cell_out + (uint32_t)i, mask);
}

// What did not fit into the uop.
void hazard_slow(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    for (int i = 4; i < m->cells.in_count; i++) check_read(w, u, m->cells.in[i], mask);
    for (int i = 0; i < m->cells.out_count; i++) {
        const uint32_t number = m->cells.out[i];
        if (number >= u->cell_out && number < (uint32_t)u->cell_out + u->out_count) continue;
        check_write(w, u, number, mask);
        w->cell[number].ready = w->clock + slowest_use(u, number);
        w->cell[number].writer = m->index;
    }
    if (m->stale) report(w, REPORT_REUSE, m->index, -1, false, "%s", m->stale);
}
