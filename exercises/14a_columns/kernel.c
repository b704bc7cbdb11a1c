// Exercise 14a: every rank owns rows of A, columns of B and columns of C; A is gathered instead of
// B.
//
//        A (M, K)                B (K, N)                 C (M, N)
//      +----------+          +-------+-------+        +-------+-------+
//      |  rank 0  | --.      |       |       |        |       |       |
//      +----------+   |-- x  | rank0 | rank1 |    =   | rank0 | rank1 |
//      |  rank 1  | --' all  |       |       |        |       |       |
//      +----------+          +-------+-------+        +-------+-------+
//
// As given, this is lesson 14's scheme `gather` (gather.h), which shares out rows and gathers B.
// steps/14_several_gpus/schedule.h explains the functions.
#include "gather.h"

static void write_columns(struct schedule *s) {
    // ---- your lines: a piece is {first row, first column, rows, columns}; gather A, not B ----
    const struct range m = range_of(s->m, s->ranks, s->rank), k = range_of(s->k, s->ranks, s->rank);
    s->pieces[PIECE_A] = (struct piece){m.first, 0, m.count, s->k};
    s->pieces[PIECE_B] = (struct piece){k.first, 0, k.count, s->n};
    s->pieces[PIECE_C] = (struct piece){m.first, 0, m.count, s->n};

    struct buffer_tile b = whole_piece(s, PIECE_B);
    int gathered = -1;
    if (s->ranks > 1) {
        const int64_t chunk = chunk_of(s->k, s->ranks);
        const int all = new_work(s, s->ranks * chunk * s->n);
        copy(s, TRAVEL, b, work_tile(all, s->rank * chunk * s->n, b.rows, s->n), -1);
        gathered = gather(s, work_tile(all, 0, s->ranks * chunk, s->n), -1);
        b = work_tile(all, 0, s->k, s->n);
    }
    multiply(s, whole_piece(s, PIECE_A), b, whole_piece(s, PIECE_C), FACTOR_BETA, gathered);
    // ------------------------------------------------------------------------------------------
}
