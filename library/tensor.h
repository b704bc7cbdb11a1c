// Where the scratch memory of one product on the tensor cores has what: step 13's layout, but either operand may lie in memory either
// way, so both have counters, and A spans, too. The same arithmetic for the host and for the kernels.
#ifndef LIBRARY_TENSOR_H
#define LIBRARY_TENSOR_H

#include "../steps/13_tensor_cores/layout.h"

// What is zero between launches, of one product: A's head, B's, counters of tiles that several
// blocks mend, and in the end the head of step 13's own kernels.
enum { SHORT_TILES = 2 }; // tiles along k
enum { ZERO_BYTES = 4096, MOST_MEND_ITEMS = (ZERO_BYTES - 3 * HEAD_BYTES) / 4, MEND_TILE_BYTES = 64 * 64 * 4 };

// Row-major C (m, n) = alpha op(A) (m, k) op(B) (k, n) + beta C. A lies `a_down` in memory when its k's lie below each other: it is
// transposed. B does so when it is not.
struct tensor_product {
    int m, n, k, lda, ldb, ldc;
    int products,
        k_all; // of the batch; not 0: they are parts of one sum of so many k's, the last one with what is left
    int a_down, b_down, bias_of_row;
    float alpha, beta;
    const float *a, *b;
    float *c;
    const float *bias;                      // NULL: none
    long long stride_a, stride_b, stride_c; // floats from one product of the batch to the next
    char *zeros, *scratch;                  // ZERO_BYTES, and `scratch_bytes`, of each product
    long long scratch_bytes;
    int mend_items; // so many parts of sums there is memory for, of one product
};

// An operand as step 13's functions for A (rows_a, plane_a, with the planes from `b` on) and for B know theirs.
EITHER struct layout side_of(struct layout l, int is_b, long long lines) {
    struct layout side = l;
    side.strips = (lines + PART_COLS - 1) / PART_COLS;
    if (!is_b) {
        side.rows_b = l.rows_a, side.plane_b = l.plane_a, side.b = 0;
        side.exponents_b = l.exponents_a, side.list_b = l.list_a;
        side.spans = l.bytes;
        side.split_tiles = side.rows_b / SPLIT_COLS * l.tiles_k / BLOCKS;
        side.split_tiles = side.split_tiles < 1 ? 1 : side.split_tiles > MOST_TILES ? MOST_TILES : side.split_tiles;
    }
    side.rows_a = side.rows_b, side.plane_a = side.plane_b;
    return side;
}

// How lines are surveyed. Down in memory, they are then split by another kernel only if there are too many k's to be held until the
// survey is done: by a block, or by the shared memory of a cluster, of two blocks where these hold enough, since each takes time to
// start.
enum survey { SURVEY_PARTS, SURVEY_SHORT, SURVEY_HELD_BY_TWO, SURVEY_HELD };
enum {
    HOLDERS = 8, // blocks of a cluster at most
    HELD_COLS = 32,
    HELD_HEAD = HELD_COLS * (HOLDERS + 1) * 8, // bytes of a block's shared memory
    HELD_TILE = TILE_K * (HELD_COLS + 1) * 4,  // and for each of its tiles along k,
    MOST_HELD_TILES = 16,                      // of which it has at most so many,
    FEW_HELD_TILES = 8                         // or these, if blocks for the other operand's rows are to fit beside it
};

EITHER int holders_of(enum survey by) {
    return by == SURVEY_HELD_BY_TWO ? 2 : HOLDERS;
}
EITHER long long held_tiles(struct layout l, enum survey by) {
    return (l.tiles_k + holders_of(by) - 1) / holders_of(by);
}
EITHER long long held_bytes(struct layout l, enum survey by) {
    return HELD_HEAD + held_tiles(l, by) * HELD_TILE;
}

EITHER enum survey survey_by(struct layout l, int a_down, int b_down) {
    if (l.tiles_k <= SHORT_TILES) return SURVEY_SHORT;
    if (!a_down && !b_down) return SURVEY_PARTS;
    if (held_tiles(l, SURVEY_HELD_BY_TWO) <= FEW_HELD_TILES) return SURVEY_HELD_BY_TWO;
    return held_tiles(l, SURVEY_HELD) <= (a_down && b_down ? MOST_HELD_TILES : FEW_HELD_TILES) ? SURVEY_HELD
                                                                                               : SURVEY_PARTS;
}
EITHER enum survey survey_of(const struct tensor_product *p) {
    return survey_by(make_layout(p->m, p->n, p->k, 3), p->a_down, p->b_down);
}

EITHER long long side_survey_blocks(struct layout side, int down, enum survey by) {
    const long long row_blocks = (side.rows_b << side.row_log2) / PRE_THREADS;
    if (by == SURVEY_SHORT) return down ? side.rows_b / SPLIT_COLS : (row_blocks + HELD - 1) / HELD;
    if (by != SURVEY_PARTS) {
        const int holders = holders_of(by);
        return down ? side.rows_b / HELD_COLS * holders : (row_blocks + holders - 1) / holders * holders;
    }
    return down ? side.parts * side.strips : row_blocks;
}

// Bytes of one product; `mend_items` parts of sums lie at the end.
EITHER long long sums_offset(struct layout l, long long m) {
    return l.bytes + 8 * l.parts * ((m + PART_COLS - 1) / PART_COLS) * PART_COLS;
}
EITHER long long tensor_bytes(long long m, long long n, long long k, int mend_items) {
    return (sums_offset(make_layout(m, n, k, 3), m) + (long long)mend_items * MEND_TILE_BYTES + 255) / 256 * 256;
}

#endif
