# Pictures that show a tile moving, frame by frame. pictures.py sets `frame` to one of these names:
#
#     tiles    step 02: which tiles of A and B are in shared memory in each round
#     ring     step 08: the ring of stages of cp.async
width = 1280; height = frame eq "tiles" ? 470 : 360
load "style.gp"
unset border; unset tics; unset grid; unset key
set margins 0, 0, 0, 0
set xrange [0:width]; set yrange [height:0]

in_use = "#bcd4f0"; coming = "#f5d9a8"; here = "#dfeadf"; empty = "#ffffff"; line = "#9a9a9a"
n = 0
box(x, y, w, h, \
    fill) = sprintf("n = n + 1; set object n rectangle from %g,%g to %g,%g fillcolor rgb '%s' " . \
    "fillstyle solid 1.0 border rgb '%s'", x, y, x + w, y + h, fill, line)
say(x, y, size, \
    text) = sprintf("n = n + 1; set label n \"%s\" at %g,%g center font ',%d' textcolor rgb '%s'", \
    text, x, y, size + 4, ink)
beside(x, y, size, \
    text) = sprintf("n = n + 1; set label n \"%s\" at %g,%g left font ',%d' textcolor rgb '%s'", \
    text, x, y, size + 4, ink)

if (frame eq "tiles") { # A left of C, B above it; 4 x 4 tiles, one round per frame
    cell = 42
    eval say(640, 22, 14, "A block's tile of C, step by step along K")
    do for [round = 0:3] {
        left = 24 + 322 * round; top = 60; c_left = left + 4 * cell + 18 - cell; \
            c_top = top + 4 * cell + 30
        do for [i = 0:3] {
            # B has one column of tiles here, A one row: the others belong to other blocks.
            eval box(c_left + cell, top + i * cell, cell, cell, i == round ? in_use : \
                i == round + 1 ? coming : empty)
            eval box(left + i * cell, c_top, cell, cell, i == round ? in_use : i == round + 1 ? \
                coming : empty)
        }
        eval box(c_left + cell, c_top, cell, cell, here)
        eval say(c_left + 1.5 * cell, top + (round + 0.5) * cell, 12, "Bs")
        eval say(left + (round + 0.5) * cell, c_top + 0.5 * cell, 12, "As")
        eval say(c_left + 1.5 * cell, c_top + 0.5 * cell, 11, sprintf("%d/4", round + 1))
        eval say(c_left + 0.65 * cell, top + 2 * cell, 11, "B")
        eval say(left + 2 * cell, c_top - 14, 11, "A")
        eval say(c_left + 1.5 * cell, c_top + cell + 18, 11, "C")
        eval say(left + 118, c_top + cell + 56, 12, \
            sprintf("from k = %s", round == 0 ? "0" : round == 1 ? "TILE" : \
            sprintf("%d TILE", round)))
    }
    eval box(220, 424, 22, 22, in_use)
    eval beside(252, 435, 11, "in shared memory, in use")
    eval box(540, 424, 22, 22, coming)
    eval beside(572, 435, 11, "fetched next")
    eval box(760, 424, 22, 22, here)
    eval beside(792, 435, 11, "sums in registers, tiles so far")
}

if (frame eq "ring") { # one row per round, one column per stage
    eval say(640, 22, 14, "A ring of four stages")
    eval say(120, 62, 11, "computing")
    do for [stage = 0:3] { eval say(371 + 253 * stage, 62, 11, sprintf("stage %d", stage)) }
    do for [tile = 0:4] {
        y = 80 + 46 * tile
        eval say(120, y + 19, 12, sprintf("tile %d", tile))
        do for [ahead = 0:3] {
            stage = (tile + ahead) % 4
            eval box(250 + 253 * stage, y, 243, 38, ahead == 0 ? in_use : ahead == 3 ? \
                coming : here)
            eval say(371 + 253 * stage, y + 19, 11, sprintf("tile %d%s", tile + ahead, \
                ahead == 0 ? ", read" : ahead == 3 ? ", copies start" : ", arrived or on its way"))
        }
    }
    eval say(640, 332, 11, \
        "A stage that was read for one tile takes the tile three ahead during the next. " . \
        "A copy has more than two tiles' time to arrive.")
}
plot NaN notitle
