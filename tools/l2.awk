# The L2 hit rate that an order of tiles should have, in percent:
#
#     awk -v raster=grouped -v m=4096 -v n=4096 -v k=4096 [-v bm=128 -v bn=256 -v blocks=132 -v l2=60e6] -f tools/l2.awk
#
# Prints raster,m,n,k,wave,kept. A sector is 32 bytes. Blocks run in rounds of `blocks`, in step along K, and ask L2 for each
# tile of A and B that they copy; C is stored, which counts as a hit.
#
#     wave   what a round's blocks share is fetched once for all of them; between rounds everything is forgotten
#     kept   and what was used within the last `l2` bytes of traffic is still there in the next round
#
# The order of tiles is that of steps/10_block_order/orders.h. Left out: how far blocks drift apart, that L2 is in two halves,
# and that a round ends block by block.
function up(value, by) { return int((value + by - 1) / by) }
function least(a, b) { return a < b ? a : b }
function inside(length_, from, size) { return length_ <= from ? 0 : least(length_ - from, size) }
function z_order(at, row, col, size, quarter, r, c, tiles) {
    size = 1
    while (size < tiles_m || size < tiles_n) size *= 2
    while (size > 1) {
        size /= 2
        for (quarter = 0; quarter < 4; quarter++) {
            r = row + quarter % 2 * size; c = col + int(quarter / 2) * size
            tiles = inside(tiles_m, r, size) * inside(tiles_n, c, size)
            if (at < tiles) { row = r; col = c; break }
            at -= tiles
        }
    }
    tile_row = row + 0; tile_col = col + 0
}
function place(at, first, rows) {
    if (raster == "x_major") { tile_row = int(at / tiles_n); tile_col = at % tiles_n }
    else if (raster == "y_major") { tile_row = at % tiles_m; tile_col = int(at / tiles_m) }
    else if (raster == "grouped") {
        first = int(at / (8 * tiles_n)) * 8; rows = least(8, tiles_m - first); at -= first * tiles_n
        tile_row = first + at % rows; tile_col = int(at / rows)
    } else z_order(at)
}
# A piece of a panel of A or B is asked for once by this round: was it used lately?
function touch(panel, sectors) {
    unique += sectors
    if (!((panel) in used) || traffic - used[panel] > l2 / 32) misses += sectors
    used[panel] = traffic
    traffic += sectors
}
BEGIN {
    if (bm == "") bm = 128
    if (bn == "") bn = 256
    if (blocks == "") blocks = 132
    if (l2 == "") l2 = 60e6
    if (raster !~ /^(x_major|y_major|grouped|z_order)$/ || m < 1 || n < 1 || k < 1 || blocks < 1) {
        print "tools/l2.awk: expected -v raster=x_major, y_major, grouped or z_order, and m, n, k of 1 or more" > "/dev/stderr"
        exit 2
    }
    tiles_m = up(m, bm); tiles_n = up(n, bn); tiles = tiles_m * tiles_n
    pieces = least(16, up(k, 8)) # of K, in which a round's blocks are taken to be together
    depth = k / pieces
    for (start = 0; start < tiles; start += blocks) {
        split("", rows); split("", cols)
        for (at = start; at < start + blocks && at < tiles; at++) {
            place(at)
            rows[tile_row] = least(bm, m - tile_row * bm); cols[tile_col] = least(bn, n - tile_col * bn)
            requests += (rows[tile_row] + cols[tile_col]) * k / 8
        }
        for (piece = 0; piece < pieces; piece++) {
            for (row in rows) touch("a" row "," piece, rows[row] * depth / 8)
            for (col in cols) touch("b" col "," piece, cols[col] * depth / 8)
        }
        traffic += (blocks < tiles - start ? blocks : tiles - start) * bm * bn / 8 # C passes through too
    }
    stores = m * n / 8
    printf "%s,%d,%d,%d,%.1f,%.1f\n", raster, m, n, k, 100 * (1 - unique / (requests + stores)), 100 * (1 - misses / (requests + stores))
}
