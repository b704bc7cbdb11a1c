# The inner loop of a variant of step 09 as a strip of eight rows: one cell per instruction. The
# cell of an instruction with a bank conflict is twice as wide.
#
# Set by draw.py: variant, and kinds, the kinds of instructions in its loop.
width = 1280; height = 480
load "style.gp"

table = "strip.csv"
mine(value) = strcol(1) eq variant ? value : NaN
stats table using (strcol(5) eq "never" ? NaN : mine($3 + $4)) nooutput
longest = STATS_max
set title headline(value("strip_" . variant . "_message"), \
    "left to right, top to bottom; a row has an eighth of the FFMAs") enhanced
all_kinds = "fused conflict shared copy integer barrier branch never"
shades = "#e4e4e4 " . word(things, 7) . " " . word(things, 6) . " " . word(things, \
    4) . " " . word(things, 5) . " #000000 " . word(things, 3) . " " . word(things, 2)
words = "'FFMA, one cycle' 'FFMA or other, bank conflict' LDS LDGSTS 'integer, predicates' " . \
    "barrier branch '@!PT, never executed'"
at(kind) = sum [i = 1:8] (word(all_kinds, i) eq kind ? i : 0)
fill(kind) = int("0x" . word(shades, at(kind))[2:7])
set xrange [0:longest]
set yrange [8:0]
set xlabel "issue cycles" offset 0,0.6
set bmargin 5.5
# A line of a hand-written loop is one k of the tile.
if (variant[1:4] eq "hand") { set ytics scale 0 ("k = 0" 0.5); \
    do for [k = 1:7] { set ytics add (sprintf("k = %d", k) k + 0.5) } } else { unset ytics }
unset grid
set border 1
set key outside bottom center horizontal Left reverse samplen 1 font ",11" noenhanced
present(i) = strstrt(" " . kinds . " ", " " . word(all_kinds, i) . " ") > 0
set style fill solid 1.0 noborder
plot table using (mine($3)):($2 + 0.5):3:($3 + $4):($2 + 0.1):($2 + 0.9):(fill(strcol(5))) \
    with boxxyerror linecolor rgb variable notitle, \
     for [i = 1:8] NaN with boxes linecolor rgb word(shades, i) \
     title (present(i) ? word(words, i) : "")
