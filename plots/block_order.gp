# The choice among steps 10 and shapes, relative to cuBLAS: over N on the left, other shapes on the
# right.
width = 1100; height = 480
load "style.gp"

squares = "squares.csv"
skinny = "skinny.csv"
of(plain) = int(column(3)) == plain ? column(2) : NaN
tone = side

set multiplot title headline(block_order_message, block_order_origin) enhanced
set yrange [0:dispatch_highest * 1.08]
set ylabel "times cuBLAS"
set tmargin at screen 0.82
set bmargin at screen 0.24
set lmargin at screen 0.07
set rmargin at screen (skinny_count > 0 ? 0.64 : 0.985)
set logscale x 2
set xrange [dispatch_low / 1.25:dispatch_high * 1.25]
set xtics (128, 256, 512, 1024, 2048, 4096, 8192, 16384)
set xlabel "M = N = K (hollow points: not a multiple of 128)"
plot 1 with lines linecolor rgb "black" linewidth 1.6 dashtype 2 notitle, \
     squares using 1:(of(1)) with lines linecolor rgb side_pale linewidth 1.2 notitle, \
     squares using 1:(of(1)) with points pointtype 7 linecolor rgb tone notitle, \
     squares using 1:(of(0)) with points pointtype 6 pointsize 1.2 linecolor rgb tone notitle
if (skinny_count > 0) {
    unset logscale x
    unset ylabel
    set lmargin at screen 0.70
    set rmargin at screen 0.985
    set boxwidth 0.7
    set xrange [-0.6:skinny_count - 0.4]
    set xtics auto
    set xlabel ""
    set xtics scale 0 rotate by 30 right
    plot 1 with lines linecolor rgb "black" linewidth 1.6 dashtype 2 notitle, \
         skinny using 1:3:xtic(2) with boxes linecolor rgb tone notitle, \
         skinny using 1:($3 + 0.06):(sprintf("%.2f", $3)) with labels boxed font ",12" \
         textcolor rgb ink notitle
}
unset multiplot
