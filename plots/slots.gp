# Issue slots of one scheduler by the model: one row per warp, coloured by the pipe of its
# instruction or by its stall reason; below, the instructions that the scheduler issues. Dashed
# lines: a block starts or ends. The key has the shares of the warps' time. Reads the file that
# slots.py writes.
load "facts.gp"
width = 1100; height = 190 + 18 * (rows + 2)
load "style.gp"

colors = "#c8102e #f08a80 #1f5fb4 #0a9396 #222222 #e9c46a #d9c6ee #c3d9f2 #9fb8d8 #e6e6e6 " . \
    "#f4efe0 #cfcfcf"
set title headline(what, "predicted by a model of the H200; scheduler 0 of one SM") enhanced
set xlabel "SM cycles" offset 0, 0.6
set xrange [from:to]
set yrange [rows + 1:-0.5]
set ytics scale 0
unset grid
set key outside below horizontal Left reverse samplen 1.2 width 1 maxrows 3
set style fill solid 1.0 noborder
place(row) = row == 0 ? rows + 0.5 : row - 0.5 # the issue slots go below, apart
plot for [i = 1:12] "boxes.csv" using ($4 == i ? $2 : NaN):(place($1)):2:3:(place($1) - ($1 == 0 ? \
    0.45 : 0.4)):(place($1) + ($1 == 0 ? 0.45 : 0.4)) \
         with boxxyerror linecolor rgb word(colors, i) notitle, \
     for [i = 1:12] NaN with boxes linecolor rgb word(colors, i) \
         title word(shares, i) > 0 ? word(names, i) . " " . word(shares, i) . " %" : "", \
     "blocks.csv" using 1:(0):(0):(rows) with vectors nohead linecolor rgb ink dashtype 2 notitle, \
     "rows.csv" using (NaN):(place($1)):ytic(2) notitle
