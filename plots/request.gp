# One memory request of a warp. Shared memory: one column per bank, one row per wavefront; a cell
# names the lanes that are served from the bank. Global memory: one row per line of 128 bytes, in
# which sectors of 32 bytes are transferred.
load "facts.gp"
cell = rows > 16 ? 24 : 20 + (deepest > 1 ? 19 : 15) * deepest + (kind eq "shared" \
    && bytes >= 16 ? 14 : 0)
width = 960; height = 100 + cell * rows
load "style.gp"
set datafile separator "|"

set lmargin at screen 125.0 / width; set rmargin at screen 1.0 - 145.0 / width
set tmargin at screen 1.0 - 82.0 / height; set bmargin at screen 16.0 / height
set xrange [-0.5:31.5]
set yrange [rows - 0.5:-0.5]
set border 0
unset grid
unset key
set x2range [-0.5:31.5]
set tics scale 0
unset xtics
unset ytics
if (kind eq "shared") {
    set x2tics 0,1,31 offset 0,-0.5 font ",12"
    set label 1 "bank" at graph -0.012, screen 1.0 - 71.0 / height right font ",12" \
        textcolor rgb ink
    under = sprintf("%s per lane: %d wavefront%s", bytes == 4 ? "at most 4 bytes" : \
        sprintf("%d bytes", bytes), rows, rows > 1 ? "s" : "")
    under = under . (excess ? \
        sprintf(", %d of them because lanes need different words of one bank (orange)", excess) : \
        ", no bank conflict")
} else {
    set x2tics ("sector 0" 3.5, "sector 1" 11.5, "sector 2" 19.5, "sector 3" 27.5) offset 0,-0.5 \
        font ",12"
    under = sprintf("%d line%s of 128 bytes to look up, %d sector%s of 32 bytes; %d bytes used", \
        rows, rows > 1 ? "s" : "", sectors, sectors > 1 ? "s" : "", used)
}
set title headline(what, under) enhanced offset 0,(format eq "svg" ? -0.5 : 0.2)

beside_color = kind eq "shared" ? "#b45309" : ink
load "rows.gp"

# Empty cells first, so that a bank without work is seen too.
set for [i = 0:32] arrow from i - 0.5, -0.5 to i - 0.5, rows - 0.5 nohead \
    linecolor rgb (kind eq "global" && i % 8 == 0 ? "#9a9a9a" : faint) \
    linewidth (kind eq "global" && i % 8 == 0 ? 1.4 : 1) back
set for [i = 0:rows] arrow from -0.5, i - 0.5 to 31.5, i - 0.5 nohead \
    linecolor rgb faint linewidth 1 back

cells = "cells.txt"
is(name) = strcol(5) eq name
# Lanes above, the word's offset below.
low = bytes >= 16 && kind eq "shared" ? (deepest > 1 ? 0.12 : 0.14) : 0.0
set style fill solid 1.0 border rgb "#ffffff"
plot cells using (is("unused") ? 0.5 * ($1 + $2) : NaN):(0.5 * ($3 + $4)):1:2:3:4 \
    with boxxyerror fillcolor rgb "#f6d8d2", \
     cells using (is("used") || is("once") ? 0.5 * ($1 + $2) : NaN):(0.5 * ($3 + $4)):1:2:3:4 \
     with boxxyerror fillcolor rgb "#bcd4f0", \
     cells using (is("conflict") ? 0.5 * ($1 + $2) : NaN):(0.5 * ($3 + $4)):1:2:3:4 \
     with boxxyerror fillcolor rgb "#f5b36b", \
     cells using (0.5 * ($1 + $2)):(0.5 * ($3 + $4) - low):6 with labels \
     font (crowded ? ",11" : rows > 16 ? ",12" : ",13") textcolor rgb "#1a1a1a", \
     cells using (0.5 * ($1 + $2)):(0.5 * ($3 + $4) + (deepest > 1 ? 0.34 : 0.22)):7 with labels \
     font ",12" textcolor rgb "#6a6a6a"
