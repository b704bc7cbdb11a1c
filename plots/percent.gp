# Percent of the FP32 peak and of cuBLAS over N, one panel each, with one legend.
width = 1100; height = 860
load "style.gp"

table = "curves.csv"
order = rungs . (have_cublas ? " cublas" : "")
of(step, plain, value) = (strcol(1) eq step && column(6) == plain) ? column(value) : NaN

set logscale x 2
set xrange [size_low / 1.25:size_high * 1.25]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
set key outside right center vertical Left reverse samplen 3 spacing 1.3 invert
set ytics 20

set multiplot layout 2,1 title headline("Percent of what there is to reach", times_origin) enhanced
set lmargin 10; set rmargin 32; set tmargin 1.5

set ylabel "% of the FP32 peak"
set yrange [0:106]
set xlabel ""
plot for [i = 1:words(order)] table using 2:(of(word(order, i), 1, 4)) with linespoints \
         linewidth thick(word(order, i)) dashtype dash(word(order, i)) \
         linecolor rgb color(word(order, i)) pointtype point(word(order, i)) pointsize 1.1 \
         title named(word(order, i)) noenhanced, \
     for [i = 1:words(order)] table using 2:(of(word(order, i), 0, 4)) with points \
         linecolor rgb color(word(order, i)) pointtype hollow(word(order, i)) pointsize 1.3 linewidth 1.4 notitle, \
     100 with lines linecolor rgb peak_color linewidth 2 dashtype 3 title "100 %"

set ylabel "% of cuBLAS"
set xlabel "N (lines: multiples of 128; hollow points: other sizes)"
set yrange [0:*<200]
unset key
plot for [i = 1:words(rungs)] table using 2:(of(word(rungs, i), 1, 5)) with linespoints linewidth 1.8 \
         linecolor rgb color(word(rungs, i)) pointtype point(word(rungs, i)) pointsize 1.1, \
     for [i = 1:words(rungs)] table using 2:(of(word(rungs, i), 0, 5)) with points \
         linecolor rgb color(word(rungs, i)) pointtype hollow(word(rungs, i)) pointsize 1.3 linewidth 1.4, \
     100 with lines linecolor rgb "black" linewidth 1.6 dashtype 2
unset multiplot
