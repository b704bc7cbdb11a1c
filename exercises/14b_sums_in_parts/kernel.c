// Exercise 14b: splits K, as lesson 14's split_k.h does, but cuts C's rows into PARTS parts: while
// the sums of one part travel, the next part is multiplied.
//
//      COMPUTE   part 0    part 1            part 2            part 3
//      TRAVEL              sums of part 0    sums of part 1    sums of part 2    sums of part 3
//
// A part has some rows of every rank's share of C: its reduce-scatter leaves each rank with the
// sums of its own rows. As given, there is a single part. steps/14_several_gpus/schedule.h explains
// the functions, lesson 14's gather.h explains range_of() and whole_piece().
#include "gather.h"

enum { PARTS = 4 };

// Returns the rows of C that belong to a rank's share and to a part. A share has `chunk` rows, of
// which each part has `height`.
static struct range part_of(const struct schedule *s, int rank, int64_t chunk, int64_t height,
                            int part) {
    const int64_t begin = rank * chunk + part * height, share_end = (rank + 1) * chunk;
    const int64_t end = begin + height < share_end ? begin + height : share_end;
    const int64_t first = begin < s->m ? begin : s->m;
    const int64_t last = end < s->m ? end : s->m;
    return (struct range){first, last > first ? last - first : 0};
}

// Computes `sums`: rows `rows` of C, which rank `owner` owns, summed over this rank's part of K.
// The owner's sums include beta C.
static void add_rows(struct schedule *s, struct range rows, int owner, struct buffer_tile sums) {
    if (rows.count == 0) return;
    enum factor factor = FACTOR_ZERO;
    if (owner == s->rank && !s->beta_is_zero) {
        copy(s, COMPUTE,
             piece_tile(s, PIECE_C, rows.first - s->pieces[PIECE_C].row, 0, rows.count, s->n), sums,
             -1);
        factor = FACTOR_BETA;
    }
    const struct buffer_tile a =
        piece_tile(s, PIECE_A, rows.first, 0, rows.count, s->pieces[PIECE_A].cols);
    multiply(s, a, whole_piece(s, PIECE_B), sums, factor, -1);
}

static void write_sums(struct schedule *s) {
    const struct range m = range_of(s->m, s->ranks, s->rank), k = range_of(s->k, s->ranks, s->rank);
    s->pieces[PIECE_A] = (struct piece){0, k.first, s->m, k.count};
    s->pieces[PIECE_B] = (struct piece){k.first, 0, k.count, s->n};
    s->pieces[PIECE_C] = (struct piece){m.first, 0, m.count, s->n};
    if (s->ranks == 1) {
        multiply(s, whole_piece(s, PIECE_A), whole_piece(s, PIECE_B), whole_piece(s, PIECE_C),
                 FACTOR_BETA, -1);
        return;
    }
    // ---- your lines: PARTS parts instead of one, each with sums of its own ----
    // A part has chunk / PARTS rows, rounded up to a multiple of 4.
    const int64_t chunk = chunk_of(s->m, s->ranks), height = chunk, size = height * s->n;
    const int sums = new_work(s, s->ranks * size), mine = new_work(s, size);
    for (int rank = 0; rank < s->ranks; rank++) {
        const struct range rows = part_of(s, rank, chunk, height, 0);
        add_rows(s, rows, rank, work_tile(sums, rank * size, rows.count, s->n));
    }
    const int summed = s->count - 1;
    const int added = reduce_scatter(s, work_tile(sums, 0, s->ranks * height, s->n),
                                     work_tile(mine, 0, height, s->n), summed);
    const struct range rows = part_of(s, s->rank, chunk, height, 0);
    copy(s, COMPUTE, work_tile(mine, 0, rows.count, s->n),
         piece_tile(s, PIECE_C, rows.first - m.first, 0, rows.count, s->n), added);
    // ----------------------------------------------------------------------------
}
