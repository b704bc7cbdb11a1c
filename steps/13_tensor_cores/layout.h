// The layout of step 13's scratch memory, which the host allocates and the kernels fill.
// split.h splits each number of A and B into pieces; a plane has one piece of every number.
//
//   planes of A    (PIECES, tiles_k, rows_a) tile rows of 64 16-bit numbers, 128 bytes each
//   planes of B    (PIECES, tiles_k, rows_b) tile rows; a row holds a column of B, because the
//                  multiply kernel reads both operands along k
//   exponents      (2, rows_a) and (2, rows_b): per format, exponents of the scales of A's rows
//                  and B's columns
//   lists          (2, rows_a) and (2, rows_b): per format, rows and columns to compute in FP32
//   spans          (parts of K, columns): largest and smallest magnitude in a part of a column of B
//
// The head comes first; the arrays follow it. rows_a and rows_b are m and n rounded up to whole
// tiles of a cluster; tiles_k is k in tiles of 64. The padding is zero.
#ifndef TENSOR_CORES_LAYOUT_H
#define TENSOR_CORES_LAYOUT_H

#ifdef __CUDACC__
#define EITHER static __host__ __device__ __forceinline__
#else
#define EITHER static inline
#endif

enum {
    // The planes.
    TILE_K = 64,      // k's per tile: a tile row is 128 bytes, the span of the swizzle
    ROW_BYTES = 128,  // bytes per tile row
    WHOLE_ROWS = 256, // rows_a is a multiple of this
    WHOLE_COLS = 128, // rows_b is a multiple of this

    // The pre-pass.
    PRE_THREADS = 256, // threads per block
    HELD = 8,          // float4s of a row of A or of columns of B that a thread holds in registers
    PART_K = 128,      // rows of B that one block of the survey reads
    PART_COLS = 256,   // columns of B that one block of the survey reads
    TICKETS = 32,      // number of counters of finished survey blocks; column strips share them
    SPLIT_COLS = 64,   // columns of B that one block splits
    MOST_TILES = 8,    // largest number of tiles along k that one block splits
    BLOCKS = 1024      // a block splits several tiles only if the grid still has this many blocks
};

// Largest K for which variants with SAFE compute the whole product in FP32: the FP32 error bound of
// so short a sum is smaller than the error of the tensor cores, which cut off bits.
enum { SHORT_SUM = 8 };

// How the operands are split; with FP32_WHOLE they are not split.
enum format { FP16_TWO, BF16_THREE, FP32_WHOLE };

// The head of the scratch memory.
// Invariant: between products all members but the last three are zero.
struct head {
    // per format: numbers of rows and columns that it cannot hold; they are computed in FP32
    unsigned left_rows[2], left_cols[2];
    unsigned surveyed[TICKETS]; // numbers of finished survey blocks of B
    unsigned rows_to_mend, cols_to_mend, format;
};
enum { HEAD_BYTES = 256 };

struct layout {
    // Counts.
    long long rows_a, rows_b, tiles_k;
    // number of parts of K, and of strips of PART_COLS columns, in the survey of B
    long long parts, strips;
    long long split_tiles; // number of tiles along k that a block of the kernel `split` splits
    int row_log2;          // log2 of the number of threads that share a row of A

    // Sizes in bytes, and offsets in bytes from the end of the head. The planes of A are at 0.
    long long plane_a, plane_b; // size of one plane
    long long b;                // offset of the planes of B
    long long exponents_a, exponents_b, list_a, list_b, spans;
    long long bytes; // size of all arrays
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
    // A row of A gets as few threads as can hold it in registers, but at least 16 for K up to 64,
    // otherwise 32, and at most PRE_THREADS. So one float4 per thread covers whole tiles along K.
    l.row_log2 = k <= TILE_K ? 4 : 5;
    while (1 << l.row_log2 < PRE_THREADS && 4 * HELD << l.row_log2 < k) l.row_log2++;
    return l;
}

// Returns the number of blocks of the kernel `survey`, for A and B together.
EITHER long long survey_blocks(struct layout l) {
    return (l.rows_a << l.row_log2) / PRE_THREADS + l.parts * l.strips;
}
// Returns the number of slices of K that the kernel `split` cuts B into.
EITHER long long split_slices(struct layout l) {
    return l.tiles_k > 0 ? (l.tiles_k + l.split_tiles - 1) / l.split_tiles : 1;
}
// Returns the number of blocks of the kernel `split`.
EITHER long long split_blocks(struct layout l) {
    return l.rows_b / SPLIT_COLS * split_slices(l);
}

#endif
