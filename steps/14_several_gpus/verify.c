// Verifies schedules: finds the faults that verify.h lists.
#include "verify.h"

#include <stdarg.h>
#include <stdio.h>

struct report {
    enum schedule_fault fault;
    char *text;
    size_t size;
};

// Sets the fault and its text. Always returns false.
static bool report_fault(struct report *report, enum schedule_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool report_fault(struct report *report, enum schedule_fault fault, const char *format,
                         ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->text, report->size, format, arguments);
    va_end(arguments);
    report->fault = fault;
    return false;
}

static const char *name_of(const struct operation *o) {
    return operation_names[o->kind];
}

// --- each element has one owner ------------------------------------------------------------------

static int64_t common_length(int64_t a, int64_t a_length, int64_t b, int64_t b_length) {
    const int64_t first = a > b ? a : b,
                  end = a + a_length < b + b_length ? a + a_length : b + b_length;
    return end > first ? end - first : 0;
}

static int64_t common_elements(struct piece a, struct piece b) {
    return common_length(a.row, a.rows, b.row, b.rows) *
           common_length(a.col, a.cols, b.col, b.cols);
}

static bool pieces_are_the_matrix(struct schedule *const *schedules, int ranks, int matrix,
                                  struct report *report) {
    const struct schedule *s = schedules[0];
    const struct piece whole = {0, 0, matrix == PIECE_B ? s->k : s->m,
                                matrix == PIECE_A ? s->k : s->n};
    int64_t owned = 0;
    for (int r = 0; r < ranks; r++) {
        const struct piece mine = schedules[r]->pieces[matrix];
        if (common_elements(mine, whole) != mine.rows * mine.cols)
            return report_fault(report, FAULT_RANGE,
                                "rank %d's piece of %c reaches beyond the matrix", r,
                                "ABC"[matrix]);
        for (int other = 0; other < r; other++) {
            if (common_elements(mine, schedules[other]->pieces[matrix]) > 0)
                return report_fault(report, FAULT_OWNER,
                                    "ranks %d and %d both own some elements of %c", other, r,
                                    "ABC"[matrix]);
        }
        owned += mine.rows * mine.cols;
    }
    return owned == whole.rows * whole.cols ||
           report_fault(report, FAULT_OWNER, "no rank owns some elements of %c", "ABC"[matrix]);
}

// --- tiles match, and lie within their buffers ---------------------------------------------------

static int64_t room_of(const struct schedule *s, int buffer) {
    if (buffer >= FIRST_WORK) return s->work[buffer];
    const struct piece p = s->pieces[buffer];
    return p.rows > 0 && p.cols > 0 ? (p.rows - 1) * (p.cols + s->pads[buffer]) + p.cols : 0;
}

static int64_t tile_end(struct buffer_tile t) {
    return t.at + (t.rows - 1) * t.ld + t.cols;
}

static bool is_inside(const struct schedule *s, struct buffer_tile t) {
    return tile_elements(t) == 0 ||
           (t.at >= 0 && t.cols <= t.ld && tile_end(t) <= room_of(s, t.buffer));
}

static bool tiles_match(const struct operation *o) {
    switch (o->kind) {
    case MULTIPLY:
        return o->a.rows == o->c.rows && o->b.cols == o->c.cols && o->a.cols == o->b.rows;
    case COPY:
    case PULL:
        return o->from.rows == o->to.rows && o->from.cols == o->to.cols;
    default:
        return true;
    }
}

static bool tiles_are_right(struct schedule *const *schedules, int rank, struct report *report) {
    const struct schedule *s = schedules[rank];
    for (int i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        const struct schedule *owner = o->kind == PULL ? schedules[o->source] : s;
        if (!tiles_match(o))
            return report_fault(report, FAULT_SIZES,
                                "operation %d (%s) of rank %d: the sizes of its tiles do not match",
                                i, name_of(o), rank);
        if (is_collective(o) && !(has_no_gaps(o->to) && has_no_gaps(o->from)))
            return report_fault(
                report, FAULT_GAPS,
                "operation %d (%s) of rank %d: a tile has gaps between its rows; copy it first", i,
                name_of(o), rank);
        if (!is_inside(s, o->a) || !is_inside(s, o->b) || !is_inside(s, o->c) ||
            !is_inside(s, o->to) || !is_inside(owner, o->from))
            return report_fault(report, FAULT_BUFFER,
                                "operation %d (%s) of rank %d reaches beyond a buffer", i,
                                name_of(o), rank);
    }
    return true;
}

// --- operations that access the same memory are ordered ------------------------------------------

struct buffer_access {
    struct buffer_tile tile;
    bool writes;
};

// Sets `accesses` to the memory accesses of an operation. Returns their number.
static int accesses_of(const struct operation *o, struct buffer_access accesses[3]) {
    int count = 0;
    if (o->kind == MULTIPLY) {
        accesses[count++] = (struct buffer_access){o->a, false};
        accesses[count++] = (struct buffer_access){o->b, false};
        accesses[count++] = (struct buffer_access){o->c, true};
        return count;
    }
    accesses[count++] = (struct buffer_access){o->to, true};
    if (o->kind != PULL && o->kind != GATHER)
        accesses[count++] = (struct buffer_access){o->from, false};
    return count;
}

static bool overlap(struct buffer_tile a, struct buffer_tile b) {
    return tile_elements(a) > 0 && tile_elements(b) > 0 && a.buffer == b.buffer &&
           a.at < tile_end(b) && b.at < tile_end(a);
}

static bool conflict(const struct operation *a, const struct operation *b) {
    struct buffer_access x[3], y[3];
    const int xs = accesses_of(a, x), ys = accesses_of(b, y);
    for (int i = 0; i < xs; i++) {
        for (int j = 0; j < ys; j++) {
            if ((x[i].writes || y[j].writes) && overlap(x[i].tile, y[j].tile)) return true;
        }
    }
    return false;
}

// Sets earlier[i] to true if operation i has ended before operation `late` begins. This holds for
// the operations that precede `late` in its stream, and for those that it waits for. It also holds,
// in turn, for the operations that these follow or wait for. earlier[late] is true, too.
static void mark_earlier(const struct schedule *s, int late, bool *earlier) {
    for (int i = 0; i <= late; i++) earlier[i] = i == late;
    for (int i = late; i >= 0; i--) {
        const struct operation *o = &s->operations[i];
        if (!earlier[i]) continue;
        for (int w = 0; w < MOST_WAITS; w++) {
            if (o->waits[w] >= 0) earlier[o->waits[w]] = true;
        }
        int before = i - 1; // after the loop: the previous operation of the stream; -1 if none
        while (before >= 0 && s->operations[before].stream != o->stream) before--;
        if (before >= 0) earlier[before] = true;
    }
}

static bool order_is_safe(const struct schedule *s, bool *earlier, struct report *report) {
    for (int i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        for (int w = 0; w < MOST_WAITS; w++) {
            if (o->waits[w] >= i)
                return report_fault(report, FAULT_WAIT,
                                    "operation %d (%s) of rank %d waits for a later one", i,
                                    name_of(o), s->rank);
        }
        mark_earlier(s, i, earlier);
        for (int j = 0; j < i; j++) {
            if (!earlier[j] && conflict(o, &s->operations[j]))
                return report_fault(report, FAULT_ORDER,
                                    "operation %d (%s) of rank %d may begin before operation %d "
                                    "(%s) has ended, but both access the same memory: let it "
                                    "wait for that one",
                                    i, name_of(o), s->rank, j, name_of(&s->operations[j]));
        }
    }
    return true;
}

enum schedule_fault schedules_verify(struct schedule *const *schedules, int ranks, char *text,
                                     size_t size) {
    struct report report = {SCHEDULE_IS_SAFE, text, size};
    bool earlier[MOST_OPERATIONS], safe = true;
    for (int matrix = PIECE_A; safe && matrix <= PIECE_C; matrix++) {
        safe = pieces_are_the_matrix(schedules, ranks, matrix, &report);
    }
    for (int r = 0; safe && r < ranks; r++) {
        safe =
            tiles_are_right(schedules, r, &report) && order_is_safe(schedules[r], earlier, &report);
    }
    return report.fault;
}
