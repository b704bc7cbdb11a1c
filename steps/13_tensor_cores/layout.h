// Where everything lies in the scratch memory: the same arithmetic for the host, which takes the memory, and for the kernels.
//
//   planes of A    (PIECES, tiles_k, rows_a) rows of 64 16-bit numbers, 128 bytes
//   planes of B    (PIECES, tiles_k, rows_b) the same; a row is a column of B: the product wants both along k
//   exponents      (2, rows_a) and (2, rows_b) of the scales of A's rows and B's columns, for either format
//   lists          (2, rows_a) and (2, rows_b) numbers of the rows and columns left to the FP32 kernel
//   spans          (parts of K, columns) largest and least magnitudes of B's columns in each part
//
// All this lies behind the head. rows_a and rows_b are m and n rounded up to whole tiles of a cluster, tiles_k is k in tiles of 64.
// What is added is zero.
#ifndef TENSOR_CORES_LAYOUT_H
#define TENSOR_CORES_LAYOUT_H

#ifdef __CUDACC__
#define EITHER static __host__ __device__ __forceinline__
#else
#define EITHER static inline
#endif

enum {
    TILE_K = 64,       // k's of a tile: 128 bytes, a row of the swizzle
    ROW_BYTES = 128,   // of a tile's row
    WHOLE_ROWS = 256,  // rows of A are whole multiples of it,
    WHOLE_COLS = 128,  // columns of B of this
    PRE_THREADS = 256, // threads of a block of the pre-pass
    HELD = 8,          // fours of a row of A, or of columns of B, that one of them holds
    PART_K = 128,      // rows of B that one block surveys,
    PART_COLS = 256,   // and of how many columns
    TICKETS = 32,      // counters of the blocks that have done so
    SPLIT_COLS = 64,   // columns of B that a block splits,
    MOST_TILES = 8,    // in so many tiles along k, or in fewer
    BLOCKS = 1024      // where there are not so many blocks
};

enum { SHORT_SUM = 8 }; // sums up to here are taken in FP32: they leave no room for what the tensor cores cut off

// How the operands are split: FP32_WHOLE not at all.
enum format { FP16_TWO, BF16_THREE, FP32_WHOLE };

// The head of the scratch memory, zero between launches but for the last three.
struct head {
    unsigned left_rows[2], left_cols[2]; // rows and columns left out, by format
    unsigned surveyed[TICKETS];          // blocks of B's strips that are done
    unsigned rows_to_mend, cols_to_mend, format;
};
enum { HEAD_BYTES = 256 };

struct layout {
    long long rows_a, rows_b, tiles_k, parts, strips;             // parts of K and strips of columns that are surveyed
    long long split_tiles;                                        // tiles along k that a block of the split has
    int row_log2;                                                 // logarithm of the threads that a row of A has
    long long plane_a, plane_b;                                   // bytes of a plane
    long long b, exponents_a, exponents_b, list_a, list_b, spans; // offsets in bytes; A's planes are at 0
    long long bytes;                                              // of all
};

EITHER struct layout make_layout(long long m, long long n, long long k, int pieces) {
    struct layout l;
    l.rows_a = (m + WHOLE_ROWS - 1) / WHOLE_ROWS * WHOLE_ROWS;
    l.rows_b = (n + WHOLE_COLS - 1) / WHOLE_COLS * WHOLE_COLS;
    l.strips = (n + PART_COLS - 1) / PART_COLS;
    l.tiles_k = (k + TILE_K - 1) / TILE_K;
    l.parts = k > 0 ? (k + PART_K - 1) / PART_K : 1;
    l.plane_a = l.tiles_k * l.rows_a * ROW_BYTES;
    l.plane_b = l.tiles_k * l.rows_b * ROW_BYTES;
    l.b = pieces * l.plane_a;
    l.exponents_a = l.b + pieces * l.plane_b;
    l.exponents_b = l.exponents_a + 8 * l.rows_a;
    l.list_a = l.exponents_b + 8 * l.rows_b;
    l.list_b = l.list_a + 8 * l.rows_a;
    l.spans = l.list_b + 8 * l.rows_b;
    l.bytes = l.spans + 8 * l.parts * l.strips * PART_COLS;
    l.split_tiles = l.rows_b / SPLIT_COLS * l.tiles_k / BLOCKS;
    l.split_tiles = l.split_tiles < 1 ? 1 : l.split_tiles > MOST_TILES ? MOST_TILES : l.split_tiles;
    l.row_log2 = k <= TILE_K ? 4 : 5; // as few as hold a row, but whole tiles
    while (1 << l.row_log2 < PRE_THREADS && 4 * HELD << l.row_log2 < k) l.row_log2++;
    return l;
}

// Blocks of the two kernels of the pre-pass.
EITHER long long survey_blocks(struct layout l) {
    return (l.rows_a << l.row_log2) / PRE_THREADS + l.parts * l.strips;
}
EITHER long long split_slices(struct layout l) {
    return l.tiles_k > 0 ? (l.tiles_k + l.split_tiles - 1) / l.split_tiles : 1;
}
EITHER long long split_blocks(struct layout l) {
    return l.rows_b / SPLIT_COLS * split_slices(l);
}

#endif
