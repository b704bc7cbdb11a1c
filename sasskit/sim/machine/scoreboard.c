// Scoreboards: what is still on its way.
//
// A cell (register or predicate) has the issue cycle from which it can be read. Fixed-latency results set it to issue +
// latency; results that take variable time set it to IN_FLIGHT, until an instruction waits for their scoreboard. A result
// without a scoreboard is covered by each later one of its unit that has one (isa/latency.h). Sources of an instruction
// with a read barrier are held until it is waited for. What of this is a hazard: checks/hazards.c.
#include "machine.h"

// Entries: a cell, and for a held source 8 + the read scoreboard in the upper four bits. A result's entries come after a
// mark: where an instruction begins.
enum { ENTRY_CELL = 0x0fff, ENTRY_MARK = 0x0fff, HELD_BY_NONE = 7 };
static void append(struct pending_list *list, uint32_t cell, uint32_t held) {
    if (list->count < sizeof list->cell / sizeof *list->cell) list->cell[list->count++] = (uint16_t)(cell | held << 12);
}

static inline void put(uint64_t *words, uint32_t number, bool is) {
    const uint64_t bit = (uint64_t)1 << number % 64;
    if (number < CELL_UNIFORM) words[number / 64] = (words[number / 64] & ~bit) | (bit & -(uint64_t)is);
}
static inline void note_ready(struct warp *w, uint32_t number) {
    put(w->busy, number, w->cell[number].ready >= UNWRITTEN);
}
static inline void note_held(struct warp *w, uint32_t number) {
    put(w->busy + REGISTER_WORDS, number, w->cell[number].holds != 0);
}
void note_busy(struct warp *w, uint32_t number) {
    note_ready(w, number);
    note_held(w, number);
}

// One of two loads of a cell, of lanes whose guards differ, has come: the other's lanes are left.
static void keep_other(const struct warp *w, struct cell *cell, uint32_t number) {
    const uint8_t guard = w->block->launch->program->code[cell->writer].write_barrier;
    if (guard == number)
        cell->lanes &= ~cell->latest;
    else if (guard < SCOREBOARDS)
        cell->lanes = cell->latest;
}

// The first `count` entries of a list have come true: of a scoreboard, or of what has none (SASS_NO_BARRIER).
static void settle(struct warp *w, struct pending_list *list, uint32_t number, int count) {
    // What is left is of lanes that went another way.
    const uint32_t others = w->group_count > 1 ? ~w->active : ALL_LANES;
    const bool any_unwritten = w->hazards.any_unwritten;
    for (int i = 0; i < count; i++) {
        if (list->cell[i] == ENTRY_MARK) continue;
        const uint32_t index = list->cell[i] & ENTRY_CELL, held = list->cell[i] >> 12;
        struct cell *cell = &w->cell[index];
        if (held) {
            cell->holds &= (uint8_t) ~(1u << (held & 7));
            cell->read_lanes &= others;
            note_held(w, index);
        } else {
            if (cell->pending && --cell->pending == 1) keep_other(w, cell, number);
            if (cell->pending == 0 && cell->ready == IN_FLIGHT)
                cell->ready = any_unwritten && w->hazards.unwritten[list->cell[i]].lanes ? UNWRITTEN : w->clock;
            cell->lanes &= others;
            note_ready(w, index);
        }
    }
    list->count = (uint16_t)(list->count - count);
    if (list->count) memmove(list->cell, list->cell + count, list->count * sizeof *list->cell);
}

// Also where lanes that stay hold the register too: whose is which is not kept.
void scoreboard_forget(struct warp *w, uint32_t lanes) {
    for (uint32_t i = 0; i < CELLS; i++) {
        if (w->cell[i].read_lanes & lanes) w->cell[i].holds = 0;
        note_busy(w, i);
    }
}

// Results without a scoreboard that those of this one cover.
static void settle_covered(struct warp *w, uint32_t number) {
    for (int unit = 0; unit < SASS_UNIT_COUNT; unit++) {
        const uint16_t count = w->covered[number][unit];
        if (!count) continue;
        settle(w, &w->unguarded[unit], SASS_NO_BARRIER, count);
        for (int i = 0; i < SCOREBOARDS; i++) {
            uint16_t *left = &w->covered[i][unit];
            *left = (uint16_t)(*left > count ? *left - count : 0);
        }
    }
    w->covering &= ~(1u << number);
}

void scoreboard_wait(struct warp *w, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        const int number = __builtin_ctz(mask) % SCOREBOARDS;
        settle(w, &w->pending[number], (uint32_t)number, w->pending[number].count);
        if (w->covering >> number & 1) settle_covered(w, (uint32_t)number);
        if (w->order_of[number] > w->read_through) w->read_through = w->order_of[number];
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
    if (textures) settle(w, list, number, at);
    return textures > 0;
}

static void set(struct warp *w, const struct uop *u, uint32_t number) {
    if (number >= SCOREBOARDS) return;
    w->counts_from[number] = w->clock + SASS_SET_CYCLES;
    w->set_by[number] = u->detail->index;
}

// Of these instructions the sources are read in the order of issue.
static void note_order(struct warp *w, const struct uop *u) {
    w->order++;
    if (u->read_barrier < SCOREBOARDS) w->order_of[u->read_barrier] = w->order;
    if (u->write_barrier < SCOREBOARDS) w->order_of[u->write_barrier] = w->order;
}

// Results without a scoreboard return before this instruction's, which has one.
static void scoreboard_cover(struct warp *w, const struct uop *u) {
    const enum sass_unit unit = u->detail->unit;
    if (u->write_barrier >= SCOREBOARDS || unit == SASS_UNIT_NONE || !w->unguarded[unit].count) return;
    w->covered[u->write_barrier][unit] = w->unguarded[unit].count;
    w->covering |= 1u << u->write_barrier;
}

void scoreboard_skip(struct warp *w, const struct uop *u) {
    scoreboard_cover(w, u);
    if (u->detail->reads_late) note_order(w, u);
}

// An instruction with a barrier, or of variable time, has been issued.
void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    set(w, u, u->write_barrier);
    set(w, u, u->read_barrier);
    if (u->flags & UOP_VARIABLE) {
        const bool guarded = u->write_barrier < SCOREBOARDS;
        struct pending_list *list = guarded ? &w->pending[u->write_barrier] : &w->unguarded[m->unit];
        if (guarded) append(list, ENTRY_MARK, 0);
        for (int i = 0; i < m->cells.out_count; i++) {
            struct cell *cell = &w->cell[m->cells.out[i]];
            if (m->cells.written[i].predicate && sass_is_there_at_once(&m->instruction, &m->cells.written[i])) continue;
            cell->lanes = mask | (cell->pending ? cell->lanes : 0);
            cell->latest = mask;
            cell->ready = IN_FLIGHT;
            note_ready(w, m->cells.out[i]);
            now_written(w, m->cells.out[i], mask);
            cell->writer = m->index;
            cell->pending++;
            append(list, m->cells.out[i], 0);
        }
        scoreboard_cover(w, u);
    }
    const bool guarded = u->read_barrier < SCOREBOARDS, late = m->reads_late;
    if (!m->cells.held && !late) return;
    if (late) note_order(w, u);
    for (uint32_t rest = m->cells.held; rest; rest &= rest - 1) {
        const uint32_t number = m->cells.in[__builtin_ctz(rest)];
        struct cell *cell = &w->cell[number];
        const enum sass_unit before = w->block->launch->program->detail[cell->reader].unit;
        if (cell->read_order && cell->read_order <= w->read_through) cell->holds = 0; // the reader before is done
        if (before == SASS_UNIT_SLOW || before == SASS_UNIT_REDUCE) // it held the register for some cycles (latency.c)
            cell->holds &= (uint8_t) ~(1u << HELD_BY_NONE);
        cell->read_order = late ? (uint32_t)w->order : cell->holds ? cell->read_order : 0;
        cell->read_lanes = mask | (cell->holds ? cell->read_lanes : 0);
        const uint32_t by = guarded ? u->read_barrier : HELD_BY_NONE;
        cell->holds |= (uint8_t)(1u << by);
        note_held(w, number);
        cell->reader = m->index;
        if (guarded) append(&w->pending[u->read_barrier], number, 8u + by);
        if (u->write_barrier < SCOREBOARDS && (guarded || !late)) // a result that is there: the sources have been read
            append(&w->pending[u->write_barrier], number, 8u + by);
    }
}
