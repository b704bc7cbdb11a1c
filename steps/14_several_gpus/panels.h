// The schemes `panels` and `copies`. A rank owns rows of A, B and C, as in gather.h. It starts at
// once with its own rows of B, and meanwhile receives the next rank's rows. In step s it multiplies
// the rows of rank + s (modulo the number of ranks). There are two slots for received rows: one is
// filled while the other is multiplied. In `panels`, ranks exchange rows by NCCL. In `copies`, a
// copy engine reads them from the other rank's memory.
//
//      rank 0   COMPUTE   A[:, K0] B0        A[:, K1] B1        A[:, K2] B2
//               TRAVEL    B1 from rank 1     B2 from rank 2
//      rank 1   COMPUTE   A[:, K1] B1        A[:, K2] B2        A[:, K0] B0
//               TRAVEL    B2 from rank 2     B0 from rank 0
//
// In every step but the last, each rank sends to one rank and receives from one, so all links are
// busy both ways. A chunk longer than `panel` rows is sent in several panels, so slots are smaller.
#ifndef SEVERAL_GPUS_PANELS_H
#define SEVERAL_GPUS_PANELS_H

#include "gather.h"

// Returns the bytes that the rank with the shortest chunk receives: the chunks of all other ranks.
static double panels_received(const struct schedule *s) {
    double most = 0;
    for (int rank = 0; rank < s->ranks; rank++) {
        const double rows = (double)(s->k - range_of(s->k, s->ranks, rank).count);
        most = rows > most ? rows : most;
    }
    return 4 * most * (double)s->n;
}

// Returns the rows of B in panel `at` of a rank's chunk, counted in the whole matrix; an empty
// range past the last panel.
static struct range panel_of(const struct schedule *s, int rank, int64_t at) {
    const struct range chunk = range_of(s->k, s->ranks, rank);
    const int64_t first = at * s->panel < chunk.count ? at * s->panel : chunk.count;
    const int64_t rest = chunk.count - first;
    return (struct range){chunk.first + first, rest < s->panel ? rest : s->panel};
}

// Returns rows of B as a tile of the piece of `rank`, which owns them. This rank's leading
// dimension is used, because the pieces of all ranks have equal ones.
static struct buffer_tile rows_of(const struct schedule *s, int rank, struct range rows) {
    const int64_t first = rows.first - range_of(s->k, s->ranks, rank).first;
    return piece_tile(s, PIECE_B, first, 0, rows.count, s->n);
}

// Returns a tile without gaps, to be sent: `from`, or a copy of it in the work buffer `packed`.
static struct buffer_tile pack(struct schedule *s, struct buffer_tile from, int packed) {
    if (has_no_gaps(from)) return from;
    const struct buffer_tile to = work_tile(packed, 0, from.rows, from.cols);
    copy(s, TRAVEL, from, to, -1);
    return to;
}

// Appends C = beta C + A[:, rows] B[rows] if `first`, otherwise C += A[:, rows] B[rows]. Returns
// the operation's number. If there are no rows to add, appends nothing and returns `after`.
static int add_product(struct schedule *s, struct range rows, struct buffer_tile b, bool first,
                       int after) {
    if (rows.count == 0 && !first) return after;
    const struct buffer_tile a =
        piece_tile(s, PIECE_A, 0, rows.first, s->pieces[PIECE_A].rows, rows.count);
    return multiply(s, a, b, whole_piece(s, PIECE_C), first ? FACTOR_BETA : FACTOR_ONE, after);
}

// How a rank takes part in the ring in which panels travel.
struct panel_ring {
    bool by_copy_engine;     // true for the scheme `copies`
    int64_t panels, longest; // number of panels per chunk, and rows of the longest one

    // --- work buffers
    int slots[2]; // two buffers that receive panels
    int packed;   // holds a panel to be sent, copied without the gaps between its rows
    int user[2];  // number of the product that used each slot last; -1 if none did
};

static struct panel_ring make_ring(struct schedule *s, bool by_copy_engine) {
    const int64_t chunk = chunk_of(s->k, s->ranks), longest = chunk < s->panel ? chunk : s->panel;
    struct panel_ring r = {.by_copy_engine = by_copy_engine,
                           .panels = longest ? (chunk + longest - 1) / longest : 1,
                           .longest = longest,
                           .user = {-1, -1}};
    if (s->ranks == 1) return r;
    r.slots[0] = new_work(s, longest * s->n);
    r.slots[1] = s->ranks * r.panels > r.panels + 1 ? new_work(s, longest * s->n) : r.slots[0];
    if (!by_copy_engine && s->pads[PIECE_B] > 0) r.packed = new_work(s, longest * s->n);
    return r;
}

// The rows of B that one step of the ring multiplies.
struct ring_step {
    struct range rows;    // the rows of B, counted in the whole matrix
    struct buffer_tile b; // the tile on this rank that has these rows
    int arrived;          // number of the operation that brings them; -1 if this rank owns them
};

// Returns a step of the ring, and appends the operation that brings its rows. The first steps
// multiply the rank's own rows, which need no operation. The later steps multiply the panels of the
// next ranks.
static struct ring_step fetch(struct schedule *s, const struct panel_ring *r, int64_t step) {
    const int ahead = (int)(step / r->panels), slot = (int)(step % 2);
    const int owner = (s->rank + ahead) % s->ranks, taker = (s->rank + s->ranks - ahead) % s->ranks;
    const struct range rows = panel_of(s, owner, step % r->panels);
    const struct buffer_tile theirs = rows_of(s, owner, rows);
    if (ahead == 0) return (struct ring_step){rows, theirs, -1};
    const struct buffer_tile in = work_tile(r->slots[slot], 0, rows.count, s->n);
    if (r->by_copy_engine)
        return (struct ring_step){rows, in, pull(s, theirs, owner, in, r->user[slot])};
    const struct buffer_tile out =
        pack(s, rows_of(s, s->rank, panel_of(s, s->rank, step % r->panels)), r->packed);
    return (struct ring_step){rows, in, exchange(s, out, taker, in, owner, r->user[slot])};
}

static void write_ring(struct schedule *s, bool by_copy_engine) {
    share_rows(s);
    struct panel_ring r = make_ring(s, by_copy_engine);
    const int64_t steps = s->ranks * r.panels;
    struct ring_step now = fetch(s, &r, 0);
    for (int64_t i = 0; i < steps; i++) {
        const struct ring_step next = i + 1 < steps ? fetch(s, &r, i + 1) : now;
        const int done = add_product(s, now.rows, now.b, i == 0, now.arrived);
        if (i >= r.panels) r.user[i % 2] = done;
        now = next;
    }
}

static void write_panels(struct schedule *s) {
    write_ring(s, false);
}

static void write_copies(struct schedule *s) {
    write_ring(s, true);
}

#endif
