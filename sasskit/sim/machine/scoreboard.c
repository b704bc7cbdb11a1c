// Keeps track of the results and register reads in flight, and of the scoreboards that guard them.
// checks/hazards.c decides what is a hazard.
//
// cell.ready is the issue cycle from which a cell (register or predicate) can be read. A
// fixed-latency result sets it to issue + latency. A variable-latency result sets it to IN_FLIGHT
// until an instruction waits for the result's scoreboard. A result without a scoreboard is complete
// after a wait for a later result of its unit (isa/latency.h): the scoreboard of the later result
// covers it. An instruction with a read scoreboard holds its source registers until a wait for this
// scoreboard.
#include "machine.h"

// An entry of a pending_list has a cell's number in its lower 12 bits. Its upper 4 bits are 0 for a
// result. For a source that is held, they are 8 + the read scoreboard, or 8 + HELD_BY_NONE. In a
// scoreboard's list, ENTRY_MARK precedes the results of each instruction.
enum { ENTRY_CELL = 0x0fff, ENTRY_MARK = 0x0fff, HELD_BY_NONE = 7 };
static void append(struct pending_list *list, uint32_t cell, uint32_t held) {
    if (list->count < sizeof list->cell / sizeof *list->cell)
        list->cell[list->count++] = (uint16_t)(cell | held << 12);
}

static inline void put(uint64_t *words, uint32_t number, bool is) {
    const uint64_t bit = (uint64_t)1 << number % 64;
    if (number < CELL_UNIFORM)
        words[number / 64] = (words[number / 64] & ~bit) | (bit & -(uint64_t)is);
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

// Called when one of two variable-latency results for a cell has arrived. Keeps the lanes of the
// other result in cell->lanes.
static void keep_other(const struct warp *w, struct cell *cell, uint32_t number) {
    const uint8_t guard = w->block->launch->program->code[cell->writer].write_barrier;
    if (guard == number)
        cell->lanes &= ~cell->latest;
    else if (guard < SCOREBOARDS)
        cell->lanes = cell->latest;
}

// Completes and removes the first `count` entries of a list. `number` is the list's scoreboard, or
// SASS_NO_BARRIER for a list of results without a scoreboard.
static void settle(struct warp *w, struct pending_list *list, uint32_t number, int count) {
    // lanes to keep in cells' masks: other groups do not wait; one group alone needs no update
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
                cell->ready = any_unwritten && w->hazards.unwritten[list->cell[i]].lanes ? UNWRITTEN
                                                                                         : w->clock;
            cell->lanes &= others;
            note_ready(w, index);
        }
    }
    list->count = (uint16_t)(list->count - count);
    if (list->count) memmove(list->cell, list->cell + count, list->count * sizeof *list->cell);
}

// A register that these lanes hold is released even if other lanes hold it, too: `holds` is not per
// lane.
void scoreboard_forget(struct warp *w, uint32_t lanes) {
    for (uint32_t i = 0; i < CELLS; i++) {
        if (w->cell[i].read_lanes & lanes) w->cell[i].holds = 0;
        note_busy(w, i);
    }
}

// Completes the unguarded results that scoreboard `number` covers.
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

uint32_t scoreboard_covering(const struct warp *w, uint32_t number) {
    const struct uop *u = &w->block->launch->program->code[w->cell[number].writer];
    const enum sass_unit unit = u->detail->unit;
    if (u->write_barrier < SCOREBOARDS) return u->write_barrier;
    const struct pending_list *list = &w->unguarded[unit];
    int at = list->count; // the newest entry of the cell, from 1
    while (at > 0 && list->cell[at - 1] != number) at--;
    for (uint32_t i = 0; at && i < SCOREBOARDS; i++)
        if (w->covered[i][unit] >= at) return i;
    return SCOREBOARDS;
}

void scoreboard_wait(struct warp *w, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        const int number = __builtin_ctz(mask) % SCOREBOARDS;
        settle(w, &w->pending[number], (uint32_t)number, w->pending[number].count);
        if (w->covering >> number & 1) settle_covered(w, (uint32_t)number);
        for (uint32_t queues = w->queues_of[number]; queues; queues &= queues - 1) {
            const int queue = __builtin_ctz(queues);
            const uint64_t order = w->order_of[number][queue];
            if (order > w->read_through[queue]) w->read_through[queue] = order;
        }
        w->queues_of[number] = 0;
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

// Numbers an instruction in issue order. The instructions of a queue read their sources in this
// order.
static void note_order(struct warp *w, const struct uop *u) {
    const uint32_t queue = u->detail->queue, numbers[] = {u->read_barrier, u->write_barrier};
    w->order++;
    for (int i = 0; i < 2; i++) {
        if (numbers[i] >= SCOREBOARDS) continue;
        w->order_of[numbers[i]][queue] = w->order;
        w->queues_of[numbers[i]] |= (uint8_t)(1u << queue);
    }
}

// Records that a wait for this instruction's result completes the unit's earlier unguarded results.
static void scoreboard_cover(struct warp *w, const struct uop *u) {
    const enum sass_unit unit = u->detail->unit;
    if (u->write_barrier >= SCOREBOARDS || unit == SASS_UNIT_NONE || !w->unguarded[unit].count)
        return;
    w->covered[u->write_barrier][unit] = w->unguarded[unit].count;
    w->covering |= 1u << u->write_barrier;
}

void scoreboard_skip(struct warp *w, const struct uop *u) {
    scoreboard_cover(w, u);
    if (u->detail->queue) note_order(w, u);
}

void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    set(w, u, u->write_barrier);
    set(w, u, u->read_barrier);
    if (u->flags & UOP_VARIABLE) {
        const bool guarded = u->write_barrier < SCOREBOARDS;
        struct pending_list *list =
            guarded ? &w->pending[u->write_barrier] : &w->unguarded[m->unit];
        if (guarded) append(list, ENTRY_MARK, 0);
        for (int i = 0; i < m->cells.out_count; i++) {
            struct cell *cell = &w->cell[m->cells.out[i]];
            if (m->cells.written[i].predicate &&
                sass_is_there_at_once(&m->instruction, &m->cells.written[i]))
                continue;
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
    const bool guarded = u->read_barrier < SCOREBOARDS, queued = m->queue != SASS_QUEUE_NONE;
    if (!m->cells.held && !queued) return;
    if (queued) note_order(w, u);
    for (uint32_t rest = m->cells.held; rest; rest &= rest - 1) {
        const uint32_t number = m->cells.in[__builtin_ctz(rest)];
        struct cell *cell = &w->cell[number];
        const enum sass_unit before = w->block->launch->program->detail[cell->reader].unit;
        if (scoreboard_was_read(w, cell)) cell->holds = 0;
        // These two units hold a register for a few cycles only (sass_reads_late() in
        // isa/latency.h).
        if (before == SASS_UNIT_SLOW || before == SASS_UNIT_REDUCE)
            cell->holds &= (uint8_t) ~(1u << HELD_BY_NONE);
        cell->read_order = queued ? (uint32_t)w->order : cell->holds ? cell->read_order : 0;
        if (queued) cell->queue = m->queue;
        cell->read_lanes = mask | (cell->holds ? cell->read_lanes : 0);
        const uint32_t by = guarded ? u->read_barrier : HELD_BY_NONE;
        cell->holds |= (uint8_t)(1u << by);
        note_held(w, number);
        cell->reader = m->index;
        if (guarded) append(&w->pending[u->read_barrier], number, 8u + by);
        // A wait for the result implies that the sources were read.
        if (u->write_barrier < SCOREBOARDS && (guarded || !queued))
            append(&w->pending[u->write_barrier], number, 8u + by);
    }
}
