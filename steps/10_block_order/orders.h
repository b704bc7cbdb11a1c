// Which block computes which tile of C: the tile of number `at`, counted along one of four orders. (The launch is one row of blocks.)
//
//   -DRASTER=X_MAJOR, Y_MAJOR, GROUPED, Z_ORDER    in which order blocks take the tiles
#define X_MAJOR 0
#define Y_MAJOR 1
#define GROUPED 2
#define Z_ORDER 3

struct tile {
    int row, col; // in tiles
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
// The first `length` of a side's tiles that lie in [from, from + size).
static __device__ unsigned inside(unsigned length, unsigned from, unsigned size) {
    return length <= from ? 0 : min(length - from, size);
}

// The square of 2^k tiles around C has four quarters, and each again: `at` is counted down through those before its own.
static __device__ struct tile tile_at(unsigned at, unsigned tiles_m, unsigned tiles_n) {
    unsigned row = 0, col = 0, size = 1;
    while (size < max(tiles_m, tiles_n)) size *= 2;
    while (size > 1) {
        size /= 2;
        for (unsigned quarter = 0;; quarter++) { // down, then right and up, then down: the z of step 07
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
