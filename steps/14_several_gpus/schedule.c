// Writes schedules, walks through them, and counts the bytes that ranks receive.
#include "schedule.h"
#include "base/arith.h"

#include <stdlib.h>

enum { ELEMENT_BYTES = 4 };

const char *const operation_names[] = {"multiply", "copy",      "pull",          "exchange",
                                       "gather",   "broadcast", "reduce_scatter"};

int64_t chunk_of(int64_t size, int parts) {
    return round_up(divide_up(size, parts), CHUNK_MULTIPLE);
}

int64_t chunk_start(int64_t size, int parts, int part) {
    const int64_t start = part * chunk_of(size, parts);
    return start < size ? start : size;
}

// Marks the products that may run at the same time as a collective. A product is marked if a
// collective precedes it in the schedule, and neither the product nor an earlier operation of the
// stream COMPUTE waits for that collective.
static void mark_beside(struct schedule *s) {
    int entered = -1, waited_for = -1;
    for (int i = 0; i < s->count; i++) {
        struct operation *o = &s->operations[i];
        if (o->stream == TRAVEL && o->kind != COPY && o->kind != PULL) entered = i;
        for (int w = 0; o->stream == COMPUTE && w < MOST_WAITS; w++) {
            if (o->waits[w] > waited_for) waited_for = o->waits[w];
        }
        o->beside = o->kind == MULTIPLY && entered > waited_for;
    }
}

bool schedule_write(struct schedule *s, const struct scheme *scheme) {
    s->grid_rows = 1;
    s->grid_cols = s->ranks;
    s->buffers = FIRST_WORK;
    s->operations = NULL;
    s->count = s->room = 0;
    s->failed = false;
    for (int i = 0; i < MOST_BUFFERS; i++) s->work[i] = 0;
    scheme->write(s);
    if (!s->failed) mark_beside(s);
    return !s->failed;
}

void schedule_free(struct schedule *s) {
    free(s->operations);
    s->operations = NULL;
    s->count = s->room = 0;
}

int new_work(struct schedule *s, int64_t elements) {
    s->work[s->buffers] = elements;
    return s->buffers++;
}

struct buffer_tile piece_tile(const struct schedule *s, int buffer, int64_t row, int64_t col,
                              int64_t rows, int64_t cols) {
    const int64_t cols_there = s->pieces[buffer].cols,
                  ld = (cols_there > 0 ? cols_there : 1) + s->pads[buffer];
    return (struct buffer_tile){buffer, row * ld + col, rows, cols, ld};
}

struct buffer_tile work_tile(int buffer, int64_t at, int64_t rows, int64_t cols) {
    return (struct buffer_tile){buffer, at, rows, cols, cols};
}

bool has_no_gaps(struct buffer_tile t) {
    return t.ld == t.cols || t.rows <= 1;
}

int64_t tile_elements(struct buffer_tile t) {
    return t.rows * t.cols;
}

static int append(struct schedule *s, struct operation operation, int after) {
    if (s->count == s->room) {
        const int room = 2 * s->room + 16;
        struct operation *grown = realloc(s->operations, (size_t)room * sizeof *grown);
        s->failed |= !grown;
        if (!grown) return -1;
        s->operations = grown;
        s->room = room;
    }
    operation.waits[0] = after;
    operation.waits[1] = -1;
    s->operations[s->count] = operation;
    return s->count++;
}

int multiply(struct schedule *s, struct buffer_tile a, struct buffer_tile b, struct buffer_tile c,
             enum factor factor, int after) {
    return append(
        s, (struct operation){MULTIPLY, COMPUTE, -1, -1, .a = a, .b = b, .c = c, .factor = factor},
        after);
}

int copy(struct schedule *s, enum stream stream, struct buffer_tile from, struct buffer_tile to,
         int after) {
    return append(s, (struct operation){COPY, stream, -1, -1, .from = from, .to = to}, after);
}

int pull(struct schedule *s, struct buffer_tile from, int source, struct buffer_tile to,
         int after) {
    return append(s, (struct operation){PULL, TRAVEL, source, -1, .from = from, .to = to}, after);
}

int exchange(struct schedule *s, struct buffer_tile from, int target, struct buffer_tile to,
             int source, int after) {
    return append(s, (struct operation){EXCHANGE, TRAVEL, source, target, .from = from, .to = to},
                  after);
}

int gather(struct schedule *s, struct buffer_tile to, int after) {
    return append(s, (struct operation){GATHER, TRAVEL, -1, -1, .to = to}, after);
}

int broadcast(struct schedule *s, enum rank_group group, int source, struct buffer_tile from,
              struct buffer_tile to, int after) {
    return append(
        s,
        (struct operation){BROADCAST, TRAVEL, source, -1, .group = group, .from = from, .to = to},
        after);
}

int reduce_scatter(struct schedule *s, struct buffer_tile from, struct buffer_tile to, int after) {
    return append(s, (struct operation){REDUCE_SCATTER, TRAVEL, -1, -1, .from = from, .to = to},
                  after);
}

struct members members_of(const struct schedule *s, enum rank_group group) {
    const int row = s->rank / s->grid_cols, col = s->rank % s->grid_cols;
    switch (group) {
    case GROUP_ROW:
        return (struct members){s->grid_cols, row * s->grid_cols, 1};
    case GROUP_COLUMN:
        return (struct members){s->grid_rows, col, s->grid_cols};
    default:
        return (struct members){s->ranks, 0, 1};
    }
}

bool is_collective(const struct operation *o) {
    return o->kind >= EXCHANGE;
}

bool schedules_walk(struct schedule *const *schedules, int count, const struct walker *walker) {
    int at[MOST_GPUS] = {0};
    for (;;) {
        int waiting = 0;
        bool moved = false;
        for (int i = 0; i < count; i++) {
            const struct schedule *s = schedules[i];
            if (at[i] < s->count && !is_collective(&s->operations[at[i]])) {
                if (!walker->own(walker->context, i, at[i]++)) return false;
                moved = true;
            }
            waiting += at[i] < s->count;
        }
        if (moved) continue;
        if (waiting == 0) return true;
        if (waiting < count) return false; // some ranks have no collectives left, but others do
        if (!walker->together(walker->context, at)) return false;
        for (int i = 0; i < count; i++) at[i]++;
    }
}

double operation_flops(const struct operation *o) {
    return o->kind == MULTIPLY ? 2.0 * (double)o->c.rows * (double)o->c.cols * (double)o->a.cols
                               : 0;
}

// Returns the bytes that a rank receives in an operation. For a reduce-scatter this is a chunk from
// each other rank. NCCL's rings pass on partial sums instead, which have as many bytes.
double operation_received(const struct schedule *s, const struct operation *o) {
    const double to = ELEMENT_BYTES * (double)tile_elements(o->to);
    switch (o->kind) {
    case PULL:
    case EXCHANGE:
    case BROADCAST:
        return o->source >= 0 && o->source != s->rank ? to : 0;
    case GATHER:
        return to * (s->ranks - 1) / s->ranks;
    case REDUCE_SCATTER:
        return to * (s->ranks - 1);
    default:
        return 0;
    }
}

double schedule_received(const struct schedule *s) {
    double bytes = 0;
    for (int i = 0; i < s->count; i++) bytes += operation_received(s, &s->operations[i]);
    return bytes;
}

int64_t schedule_work_bytes(const struct schedule *s) {
    int64_t elements = 0;
    for (int i = FIRST_WORK; i < s->buffers; i++) elements += s->work[i];
    return elements * ELEMENT_BYTES;
}
