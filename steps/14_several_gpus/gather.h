// The scheme `gather`. A rank owns rows of A, B and C. It needs all of B, so all of B is gathered
// first; then every rank computes its rows of C.
//
//        A (M, K)              B (K, N)             C (M, N)
//      +----------+          +----------+         +----------+
//      |  rank 0  |          |  rank 0  | --.     |  rank 0  |
//      +----------+    x     +----------+   |--   +----------+
//      |  rank 1  |          |  rank 1  | --' all |  rank 1  |
//      +----------+          +----------+         +----------+
#ifndef SEVERAL_GPUS_GATHER_H
#define SEVERAL_GPUS_GATHER_H

#include "schedule.h"

// The numbers [first, first + count).
struct range {
    int64_t first, count;
};

// Returns chunk `part` of the range [0, size), which is cut into `parts` chunks.
static inline struct range range_of(int64_t size, int parts, int part) {
    const int64_t first = chunk_start(size, parts, part);
    return (struct range){first, chunk_start(size, parts, part + 1) - first};
}

// Sets the rank's pieces: a chunk of the rows of each matrix.
static inline void share_rows(struct schedule *s) {
    const struct range m = range_of(s->m, s->ranks, s->rank), k = range_of(s->k, s->ranks, s->rank);
    s->pieces[PIECE_A] = (struct piece){m.first, 0, m.count, s->k};
    s->pieces[PIECE_B] = (struct piece){k.first, 0, k.count, s->n};
    s->pieces[PIECE_C] = (struct piece){m.first, 0, m.count, s->n};
}

static inline struct buffer_tile whole_piece(const struct schedule *s, int buffer) {
    return piece_tile(s, buffer, 0, 0, s->pieces[buffer].rows, s->pieces[buffer].cols);
}

// Returns the bytes of the other ranks' chunks, each padded to the length of the first one, because
// NCCL gathers equal shares.
static double gather_received(const struct schedule *s) {
    return 4.0 * (s->ranks - 1) * (double)chunk_of(s->k, s->ranks) * (double)s->n;
}

static void write_gather(struct schedule *s) {
    share_rows(s);
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
}

#endif
