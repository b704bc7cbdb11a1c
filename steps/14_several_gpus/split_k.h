// Columns of A and the same rows of B a rank: nothing has to travel before the product, but every rank gets a sum for all of C. The
// sums are added up where they belong: rank r keeps the rows r of C.
//
//        A (M, K)                 B (K, N)
//      +-----+-----+            +-----------+
//      |     |     |            |  rank 0   |          sum of rank 0 (M, N)  --.
//      |rank0|rank1|     x      +-----------+    =                             + -- reduce-scatter -->  C, rows a rank
//      |     |     |            |  rank 1   |          sum of rank 1 (M, N)  --'
//      +-----+-----+            +-----------+
//
// beta C is added once, by the rank that has those rows, into its own sum. The sums of the other ranks come to that later, and each
// addition rounds beta C again: where alpha is small, errors grow with the root of the number of ranks. (Within a GPU this is mended,
// steps 09 to 11; here it would take a pass over C after the reduce-scatter.)
#ifndef SEVERAL_GPUS_SPLIT_K_H
#define SEVERAL_GPUS_SPLIT_K_H

#include "gather.h"

// A share of the rows of C from every other rank, padded to the longest.
static double split_k_received(const struct schedule *s) {
    return 4.0 * (s->ranks - 1) * (double)chunk_of(s->m, s->ranks) * (double)s->n;
}

// The sum for rows [first, first + rows) of C, which lie in a buffer from there on.
static void add_rows(struct schedule *s, int sums, int64_t first, int64_t rows, enum factor factor) {
    if (rows == 0) return;
    const struct tile a = piece_tile(s, PIECE_A, first, 0, rows, s->pieces[PIECE_A].cols);
    multiply(s, a, whole_piece(s, PIECE_B), work_tile(sums, first * s->n, rows, s->n), factor, -1);
}

static void write_split_k(struct schedule *s) {
    const struct range m = range_of(s->m, s->ranks, s->rank), k = range_of(s->k, s->ranks, s->rank);
    s->pieces[PIECE_A] = (struct piece){0, k.first, s->m, k.count};
    s->pieces[PIECE_B] = (struct piece){k.first, 0, k.count, s->n};
    s->pieces[PIECE_C] = (struct piece){m.first, 0, m.count, s->n};
    const struct tile a = whole_piece(s, PIECE_A), b = whole_piece(s, PIECE_B), c = whole_piece(s, PIECE_C);
    if (s->ranks == 1) {
        multiply(s, a, b, c, FACTOR_BETA, -1);
        return;
    }
    const int64_t chunk = chunk_of(s->m, s->ranks);
    const int sums = new_work(s, s->ranks * chunk * s->n), mine = new_work(s, chunk * s->n);
    if (s->beta_is_zero) {
        add_rows(s, sums, 0, s->m, FACTOR_ZERO);
    } else {
        copy(s, COMPUTE, c, work_tile(sums, m.first * s->n, m.count, s->n), -1);
        add_rows(s, sums, 0, m.first, FACTOR_ZERO);
        add_rows(s, sums, m.first, m.count, FACTOR_BETA);
        add_rows(s, sums, m.first + m.count, s->m - m.first - m.count, FACTOR_ZERO);
    }
    const int summed = s->count - 1;
    const int added =
        reduce_scatter(s, work_tile(sums, 0, s->ranks * chunk, s->n), work_tile(mine, 0, chunk, s->n), summed);
    copy(s, COMPUTE, work_tile(mine, 0, m.count, s->n), c, added);
}

#endif
