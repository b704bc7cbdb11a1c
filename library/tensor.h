// Layout of the scratch memory of tensor.cu, for host and kernels. It extends step 13's layout:
// both operands may be transposed, so both have counters, and A has spans like B.
//
// Lines are the rows of A and the columns of B. An operand is "down" if a line is not contiguous:
// its k's lie below each other in memory.
#ifndef LIBRARY_TENSOR_H
#define LIBRARY_TENSOR_H

#include "../steps/13_tensor_cores/layout.h"

enum { SHORT_TILES = 2 }; // lines of at most this many tiles along k use SURVEY_SHORT
// Invariant: between launches these bytes of each product are 0. They hold, in this order, the
// heads of A and B, a counter for each tile whose parts several blocks compute, and the head of
// step 13's kernels.
enum {
    ZERO_BYTES = 4096,
    MOST_MEND_ITEMS = (ZERO_BYTES - 3 * HEAD_BYTES) / 4,
    MEND_TILE_BYTES = 64 * 64 * 4
};

// Argument of all kernels: row-major C (m, n) = alpha op(A) (m, k) op(B) (k, n) + beta C + bias.
struct tensor_product {
    int m, n, k, lda, ldb, ldc;
    int products;       // number of products in the batch
    int k_all;          // if not 0, the products are parts of one sum over this many k's
    int a_down, b_down; // 1 if the operand's lines are not contiguous: A is transposed, B is not
    int bias_of_row;    // 1 if the bias has one element per row of C, 0 if one per column
    float alpha, beta;
    const float *a, *b;
    float *c;
    const float *bias;                      // NULL if there is none
    long long stride_a, stride_b, stride_c; // floats from one product of the batch to the next
    char *zeros;                            // ZERO_BYTES per product
    char *scratch;                          // scratch_bytes per product
    long long scratch_bytes;
    int mend_items; // number of partial sums of mend() that fit in `scratch`, per product
};

// Returns a layout that has A (is_b 0) or B (is_b 1) as operand B, so that step 13's functions for
// B serve both. `lines` is the number of lines.
EITHER struct layout side_of(struct layout l, int is_b, long long lines) {
    struct layout side = l;
    side.strips = (lines + PART_COLS - 1) / PART_COLS;
    if (!is_b) {
        side.rows_b = l.rows_a, side.plane_b = l.plane_a, side.b = 0;
        side.exponents_b = l.exponents_a, side.list_b = l.list_a;
        side.spans = l.bytes;
        side.split_tiles = side.rows_b / SPLIT_COLS * l.tiles_k / BLOCKS;
        side.split_tiles = side.split_tiles < 1            ? 1
                           : side.split_tiles > MOST_TILES ? MOST_TILES
                                                           : side.split_tiles;
    }
    side.rows_a = side.rows_b, side.plane_a = side.plane_b;
    return side;
}

// How the survey finds the exponents of the lines, before the lines are split into pieces. Lines
// that are down are read again by a second kernel that splits them, unless SMs hold them meanwhile.
enum survey {
    SURVEY_PARTS,       // a block surveys part of K; another kernel splits the lines
    SURVEY_SHORT,       // registers of a block hold the whole lines
    SURVEY_HELD_BY_TWO, // shared memory of a cluster of two blocks holds the lines
    SURVEY_HELD         // shared memory of HOLDERS blocks holds the lines; takes longer to start
};
enum {
    HOLDERS = 8,
    HELD_COLS = 32,                            // lines per cluster
    HELD_HEAD = HELD_COLS * (HOLDERS + 1) * 8, // shared memory per block, in bytes
    HELD_TILE = TILE_K * (HELD_COLS + 1) * 4,  // shared memory per tile along k, in bytes
    MOST_HELD_TILES = 16,                      // limit of the tiles per block
    FEW_HELD_TILES = 8 // a lower limit, so that other blocks fit on the SM as well
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
    return held_tiles(l, SURVEY_HELD) <= (a_down && b_down ? MOST_HELD_TILES : FEW_HELD_TILES)
               ? SURVEY_HELD
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
        return down ? side.rows_b / HELD_COLS * holders
                    : (row_blocks + holders - 1) / holders * holders;
    }
    return down ? side.parts * side.strips : row_blocks;
}

// Scratch memory of one product holds step 13's layout, the spans of A and the partial sums of
// mend(), in this order.
EITHER long long sums_offset(struct layout l, long long m) {
    return l.bytes + 8 * l.parts * ((m + PART_COLS - 1) / PART_COLS) * PART_COLS;
}
EITHER long long tensor_bytes(long long m, long long n, long long k, int mend_items) {
    return (sums_offset(make_layout(m, n, k, 3), m) + (long long)mend_items * MEND_TILE_BYTES +
            255) /
           256 * 256;
}

#endif
