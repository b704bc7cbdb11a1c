// Rows of A, B and C a rank, as in gather.h. But a rank begins at once, with the rows of B that it has, and meanwhile the next
// rank's rows come in: step s multiplies those of rank + s. There are two slots for what comes in, so that one fills while the
// other is multiplied.
//
//      rank 0   COMPUTE   A[:, K0] B0        A[:, K1] B1        A[:, K2] B2
//               TRAVEL    B1 from rank 1     B2 from rank 2
//      rank 1   COMPUTE   A[:, K1] B1        A[:, K2] B2        A[:, K0] B0
//               TRAVEL    B2 from rank 2     B0 from rank 0
//
// In every step each rank sends to one other and receives from one: all links are busy both ways. A chunk longer than
// `panel` rows goes in several, which need smaller slots.
#ifndef SEVERAL_GPUS_PANELS_H
#define SEVERAL_GPUS_PANELS_H

#include "gather.h"

// The chunks of the others; which of them a rank lacks most of decides.
static double panels_received(const struct schedule *s) {
    double most = 0;
    for (int rank = 0; rank < s->ranks; rank++) {
        const double rows = (double)(s->k - range_of(s->k, s->ranks, rank).count);
        most = rows > most ? rows : most;
    }
    return 4 * most * (double)s->n;
}

// Panel `at` of the rows of B that a rank has, by their numbers in B: none past the last.
static struct range panel_of(const struct schedule *s, int rank, int64_t at) {
    const struct range chunk = range_of(s->k, s->ranks, rank);
    const int64_t first = at * s->panel < chunk.count ? at * s->panel : chunk.count;
    const int64_t rest = chunk.count - first;
    return (struct range){chunk.first + first, rest < s->panel ? rest : s->panel};
}

// The rows of B as they lie in a rank's piece. Its rows have the gaps that this rank's have.
static struct tile rows_of(const struct schedule *s, int rank, struct range rows) {
    const int64_t first = rows.first - range_of(s->k, s->ranks, rank).first;
    return piece_tile(s, PIECE_B, first, 0, rows.count, s->n);
}

// What is to be sent must lie without gaps: where it does not, it is copied to `packed` first.
static struct tile pack(struct schedule *s, struct tile from, int packed) {
    if (has_no_gaps(from)) return from;
    const struct tile to = work_tile(packed, 0, from.rows, from.cols);
    copy(s, TRAVEL, from, to, -1);
    return to;
}

// C += A[:, rows] times these rows of B.
static int add_product(struct schedule *s, struct range rows, struct tile b, bool first, int after) {
    if (rows.count == 0 && !first) return after;
    const struct tile a = piece_tile(s, PIECE_A, 0, rows.first, s->pieces[PIECE_A].rows, rows.count);
    return multiply(s, a, b, whole_piece(s, PIECE_C), first ? FACTOR_BETA : FACTOR_ONE, after);
}

// The ring's state: how many panels a chunk has, the slots, and after which product each slot may be filled again.
struct ring {
    bool by_copy_engine;
    int64_t panels, longest;
    int slots[2], packed, user[2];
};

static struct ring make_ring(struct schedule *s, bool by_copy_engine) {
    const int64_t chunk = chunk_of(s->k, s->ranks), longest = chunk < s->panel ? chunk : s->panel;
    struct ring r = {.by_copy_engine = by_copy_engine,
                     .panels = longest ? (chunk + longest - 1) / longest : 1,
                     .longest = longest,
                     .user = {-1, -1}};
    if (s->ranks == 1) return r;
    r.slots[0] = new_work(s, longest * s->n);
    r.slots[1] = s->ranks * r.panels > r.panels + 1 ? new_work(s, longest * s->n) : r.slots[0];
    if (!by_copy_engine && s->pads[PIECE_B] > 0) r.packed = new_work(s, longest * s->n);
    return r;
}

// What is multiplied in a turn: its rows of B, where they lie, and the operation that brings them (-1: they were there).
struct turn {
    struct range rows;
    struct tile b;
    int arrived;
};

// Enters what brings the rows of a turn: the own ones first, then panel by panel those of the next ranks.
static struct turn fetch(struct schedule *s, const struct ring *r, int64_t turn) {
    const int ahead = (int)(turn / r->panels), slot = (int)(turn % 2);
    const int owner = (s->rank + ahead) % s->ranks, taker = (s->rank + s->ranks - ahead) % s->ranks;
    const struct range rows = panel_of(s, owner, turn % r->panels);
    const struct tile theirs = rows_of(s, owner, rows);
    if (ahead == 0) return (struct turn){rows, theirs, -1};
    const struct tile in = work_tile(r->slots[slot], 0, rows.count, s->n);
    if (r->by_copy_engine) return (struct turn){rows, in, pull(s, theirs, owner, in, r->user[slot])};
    const struct tile out = pack(s, rows_of(s, s->rank, panel_of(s, s->rank, turn % r->panels)), r->packed);
    return (struct turn){rows, in, exchange(s, out, taker, in, owner, r->user[slot])};
}

static void write_ring(struct schedule *s, bool by_copy_engine) {
    share_rows(s);
    struct ring r = make_ring(s, by_copy_engine);
    const int64_t turns = s->ranks * r.panels;
    struct turn now = fetch(s, &r, 0);
    for (int64_t t = 0; t < turns; t++) {
        const struct turn next = t + 1 < turns ? fetch(s, &r, t + 1) : now;
        const int done = add_product(s, now.rows, now.b, t == 0, now.arrived);
        if (t >= r.panels) r.user[t % 2] = done;
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
