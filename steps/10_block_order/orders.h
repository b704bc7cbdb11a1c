// Four orders in which blocks take the tiles of C. The launch is one row of blocks. tile_at()
// returns the position of tile number `at`.
//
//   -DRASTER=X_MAJOR, Y_MAJOR, GROUPED, Z_ORDER    the order in which blocks take the tiles
#define X_MAJOR 0
#define Y_MAJOR 1
#define GROUPED 2
#define Z_ORDER 3

struct tile {
    int row, col; // position in C, in tiles
};

#if RASTER == X_MAJOR
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    return {(int)(at / tiles_n), (int)(at % tiles_n)};
}
#elif RASTER == Y_MAJOR
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    return {(int)(at % tiles_m), (int)(at / tiles_m)};
}
#elif RASTER == GROUPED
#define GROUP 8u // rows of tiles; the last group may have fewer

static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    unsigned first = at / (GROUP * tiles_n) * GROUP, rows = min(GROUP, tiles_m - first);
    at -= first * tiles_n;
    return {(int)(first + at % rows), (int)(at / rows)};
}
#else
// Returns how many of the tiles 0 .. length - 1 of a side lie in [from, from + size).
static __device__ unsigned inside(unsigned length, unsigned from, unsigned size) {
    return length <= from ? 0 : min(length - from, size);
}

// Returns tile number `at`. Starts with a square of 2^k x 2^k tiles that contains C, descends to
// one of its quarters, then to a quarter of this quarter, and so on. In each square, subtracts from
// `at` the number of tiles in the quarters that come before the chosen one.
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    unsigned row = 0, col = 0, size = 1;
    while (size < max(tiles_m, tiles_n)) size *= 2;
    while (size > 1) {
        size /= 2;
        for (unsigned quarter = 0;; quarter++) { // down, right and up, down, as in step 07
            unsigned r = row + quarter % 2 * size, c = col + quarter / 2 * size;
            unsigned tiles = inside(tiles_m, r, size) * inside(tiles_n, c, size);
            if (at < tiles) {
                row = r, col = c;
                break;
            }
            at -= tiles;
        }
    }
    return {(int)row, (int)col};
}
#endif
