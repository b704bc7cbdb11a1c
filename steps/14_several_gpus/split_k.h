// The scheme `split_k`. A rank owns columns of A and the rows of B that they are multiplied by. So
// nothing is sent before the product, but every rank computes partial sums for all of C. A
// reduce-scatter adds up the ranks' partial sums: rank r keeps the r-th chunk of the rows of C.
//
//        A (M, K)               B (K, N)
//      +-----+-----+          +----------+
//      |     |     |          |  rank 0  |      sum of rank 0 (M, N)  --.
//      |rank0|rank1|    x     +----------+   =                          +-- reduce-scatter --> C
//      |     |     |          |  rank 1  |      sum of rank 1 (M, N)  --'                by rows
//      +-----+-----+          +----------+
//
// Each rank adds beta C to its own partial sums of the rows that it owns. When the other ranks'
// sums are added, each addition rounds beta C again. If alpha is small, beta C dominates the sums,
// and errors grow with the square root of the number of ranks. (Steps 09 to 11 avoid this within a
// GPU. Here that would take a pass over C after the reduce-scatter.)
#ifndef SEVERAL_GPUS_SPLIT_K_H
#define SEVERAL_GPUS_SPLIT_K_H

#include "gather.h"

// Returns the bytes of one chunk of rows of C per other rank. Each is as long as the longest chunk.
static double split_k_received(const struct schedule *s) {
    return 4.0 * (s->ranks - 1) * (double)chunk_of(s->m, s->ranks) * (double)s->n;
}

// Appends the product for rows [first, first + rows) of C. The buffer `sums` has room for all of C.
static void add_rows(struct schedule *s, int sums, int64_t first, int64_t rows,
                     enum factor factor) {
    if (rows == 0) return;
    const struct buffer_tile a = piece_tile(s, PIECE_A, first, 0, rows, s->pieces[PIECE_A].cols);
    multiply(s, a, whole_piece(s, PIECE_B), work_tile(sums, first * s->n, rows, s->n), factor, -1);
}

static void write_split_k(struct schedule *s) {
    const struct range m = range_of(s->m, s->ranks, s->rank), k = range_of(s->k, s->ranks, s->rank);
    s->pieces[PIECE_A] = (struct piece){0, k.first, s->m, k.count};
    s->pieces[PIECE_B] = (struct piece){k.first, 0, k.count, s->n};
    s->pieces[PIECE_C] = (struct piece){m.first, 0, m.count, s->n};
    const struct buffer_tile a = whole_piece(s, PIECE_A), b = whole_piece(s, PIECE_B),
                             c = whole_piece(s, PIECE_C);
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
    const int added = reduce_scatter(s, work_tile(sums, 0, s->ranks * chunk, s->n),
                                     work_tile(mine, 0, chunk, s->n), summed);
    copy(s, COMPUTE, work_tile(mine, 0, m.count, s->n), c, added);
}

#endif
