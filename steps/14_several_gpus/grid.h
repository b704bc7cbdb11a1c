// The scheme `grid` (SUMMA: van de Geijn and Watts, 1997). The ranks form R rows and Q columns;
// rank (i, j) owns tile (i, j) of A, of B and of C. K is cut into panels. For each panel, the ranks
// that own its columns of A broadcast them along their rows of the grid. The ranks that own its
// rows of B broadcast them along their columns of the grid.
//
//      A panel: column q of the grid          B panel: row r of the grid         C: is not sent
//      +---+---+---+                          +---+---+---+
//      |   | p>|>>>|  along the rows          |   |   |   |
//      +---+---+---+                          +-p-+-p-+-p-+  along the columns
//      |   | p>|>>>|                          | v | v | v |
//      +---+---+---+                          +---+---+---+
//
// A rank receives 1/R of A and 1/Q of B, minus its own part. For square matrices this is least if R
// and Q are nearly equal. But the owner of a panel receives nothing while it sends the panel, so
// some links carry data in one direction only.
#ifndef SEVERAL_GPUS_GRID_H
#define SEVERAL_GPUS_GRID_H

#include "panels.h"

struct rank_grid {
    int rows, cols;
};

// Returns the grid of all ranks, R times Q, with which a rank receives least.
static struct rank_grid best_grid(const struct schedule *s) {
    struct rank_grid best = {1, s->ranks};
    double least = -1;
    for (int rows = 1; rows <= s->ranks; rows++) {
        const int cols = s->ranks / rows;
        if (s->ranks % rows != 0) continue;
        const double a = (double)s->m / rows * (cols - 1) / cols,
                     b = (double)s->n / cols * (rows - 1) / rows;
        if (least >= 0 && a + b >= least) continue;
        least = a + b;
        best = (struct rank_grid){rows, cols};
    }
    return best;
}

static double grid_received(const struct schedule *s) {
    const struct rank_grid g = best_grid(s);
    double most = 0;
    for (int rank = 0; rank < s->ranks; rank++) {
        const int i = rank / g.cols, j = rank % g.cols;
        const double a = (double)range_of(s->m, g.rows, i).count *
                         (double)(s->k - range_of(s->k, g.cols, j).count);
        const double b = (double)range_of(s->n, g.cols, j).count *
                         (double)(s->k - range_of(s->k, g.rows, i).count);
        most = a + b > most ? a + b : most;
    }
    return 4 * most;
}

// Returns the end of the panel that starts at k = `first`: the next k at which another rank's part
// of A or B begins, but at most first + s->panel and at most K.
static int64_t panel_end(const struct schedule *s, int64_t first) {
    const int64_t lengths[] = {chunk_of(s->k, s->grid_cols), chunk_of(s->k, s->grid_rows)};
    int64_t end = first + s->panel < s->k ? first + s->panel : s->k;
    for (int i = 0; i < 2 && s->k > 0; i++) {
        const int64_t next = (first / lengths[i] + 1) * lengths[i];
        end = next < end ? next : end;
    }
    return end;
}

// Broadcasts a panel from rank `owner` to the ranks of a group. Returns the tile with which this
// rank multiplies: `mine`, in its own piece, if it owns the panel, otherwise `slot`. `packed` is a
// work buffer for a copy of `mine` without the gaps between its rows. After operation `free` the
// slot may be overwritten. Sets *arrived to the number of the broadcast, if there is one.
static struct buffer_tile spread(struct schedule *s, enum rank_group group, int owner,
                                 struct buffer_tile mine, struct buffer_tile slot, int packed,
                                 int free, int *arrived) {
    if (members_of(s, group).count == 1) return mine;
    struct buffer_tile from = slot;
    if (owner == s->rank) from = mine;
    if (owner == s->rank && !has_no_gaps(mine)) {
        from = work_tile(packed, 0, mine.rows, mine.cols);
        copy(s, TRAVEL, mine, from, -1);
    }
    *arrived = broadcast(s, group, owner, from, owner == s->rank ? from : slot, free);
    return owner == s->rank ? mine : slot;
}

// Sets the rank's pieces of the matrices.
static void share_tiles(struct schedule *s, struct rank_grid g) {
    const int i = s->rank / g.cols, j = s->rank % g.cols;
    const struct range m = range_of(s->m, g.rows, i), n = range_of(s->n, g.cols, j);
    const struct range a_k = range_of(s->k, g.cols, j), b_k = range_of(s->k, g.rows, i);
    s->grid_rows = g.rows;
    s->grid_cols = g.cols;
    s->pieces[PIECE_A] = (struct piece){m.first, a_k.first, m.count, a_k.count};
    s->pieces[PIECE_B] = (struct piece){b_k.first, n.first, b_k.count, n.count};
    s->pieces[PIECE_C] = (struct piece){m.first, n.first, m.count, n.count};
}

// The work buffers of a rank.
struct walk {
    // the work buffers that receive panels: one pair is filled while the other is multiplied
    int a_slots[2], b_slots[2];
    // the work buffers that hold a panel to be sent, copied without the gaps between its rows
    int a_packed, b_packed;
    int user[2]; // number of the product that used each pair of slots last; -1 if none did
};

static struct walk make_walk(struct schedule *s) {
    const int64_t most = s->panel < s->k ? s->panel : s->k;
    const int64_t a = s->pieces[PIECE_C].rows * most, b = most * s->pieces[PIECE_C].cols;
    struct walk w = {.user = {-1, -1}};
    for (int i = 0; i < 2 && s->grid_cols > 1; i++) w.a_slots[i] = new_work(s, a);
    for (int i = 0; i < 2 && s->grid_rows > 1; i++) w.b_slots[i] = new_work(s, b);
    if (s->grid_cols > 1) w.a_packed = new_work(s, a);
    if (s->grid_rows > 1 && s->pads[PIECE_B] > 0) w.b_packed = new_work(s, b);
    return w;
}

// The panels of A and of B that one operation multiplies.
struct pair {
    struct buffer_tile a, b;
    int64_t first, end; // the panels' range of k
    // number of the last broadcast of these panels; -1 if there is one rank, which broadcasts none
    int arrived;
};

// Appends the broadcasts of the panels at k = `first` to the pair `slot` of work buffers.
static struct pair spread_pair(struct schedule *s, const struct walk *w, int64_t first, int slot) {
    const struct piece *a = &s->pieces[PIECE_A], *b = &s->pieces[PIECE_B];
    const int64_t end = panel_end(s, first), depth = end - first;
    const int i = s->rank / s->grid_cols, j = s->rank % s->grid_cols;
    const int a_owner = depth ? (int)(first / chunk_of(s->k, s->grid_cols)) : 0;
    const int b_owner = depth ? (int)(first / chunk_of(s->k, s->grid_rows)) : 0;
    int a_arrived = -1, b_arrived = -1;
    const struct buffer_tile a_tile = spread(
        s, GROUP_ROW, i * s->grid_cols + a_owner,
        piece_tile(s, PIECE_A, 0, first - a->col, a->rows, depth),
        work_tile(w->a_slots[slot], 0, a->rows, depth), w->a_packed, w->user[slot], &a_arrived);
    const struct buffer_tile b_tile = spread(
        s, GROUP_COLUMN, b_owner * s->grid_cols + j,
        piece_tile(s, PIECE_B, first - b->row, 0, depth, b->cols),
        work_tile(w->b_slots[slot], 0, depth, b->cols), w->b_packed, w->user[slot], &b_arrived);
    return (struct pair){a_tile, b_tile, first, end, a_arrived > b_arrived ? a_arrived : b_arrived};
}

static void write_grid(struct schedule *s) {
    share_tiles(s, best_grid(s));
    struct walk w = make_walk(s);
    struct pair now = spread_pair(s, &w, 0, 0);
    for (int slot = 0;; slot = 1 - slot) {
        const bool last = now.end >= s->k;
        const struct pair next = last ? now : spread_pair(s, &w, now.end, 1 - slot);
        w.user[slot] = multiply(s, now.a, now.b, whole_piece(s, PIECE_C),
                                now.first == 0 ? FACTOR_BETA : FACTOR_ONE, now.arrived);
        if (last) return;
        now = next;
    }
}

#endif
