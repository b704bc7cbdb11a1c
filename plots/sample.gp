# Speeds on random shapes relative to cuBLAS: sorted on the left; on the right as colours over M N
# and K. sample.py sets count and mean.
width = 1100; height = 480
load "style.gp"

set multiplot title headline(sprintf( \
    "Chosen by rules, kernels are %.2f times as fast as cuBLAS on %d drawn shapes", mean, count), \
    sprintf("geometric mean %.3f", mean)) enhanced
set tmargin at screen 0.84
set bmargin at screen 0.14
set lmargin at screen 0.08
set rmargin at screen 0.47
set ylabel "times cuBLAS"
set xlabel "shapes, from the slowest on"
set xrange [0:count + 1]
set logscale y 2
set yrange [0.5:*]
set ytics (0.5, 0.7, 0.85, 1, 1.2, 1.4, 2, 3, 4, 6, 8, 12)
plot 1 with lines linecolor rgb "black" linewidth 1.6 dashtype 2 notitle, \
     "sample.csv" using ($0 + 1):1 with points pointtype 7 pointsize 0.5 linecolor rgb side notitle

set lmargin at screen 0.54
set rmargin at screen 0.90
set logscale xy 2
set ytics autofreq
set format x "2^{%L}"
set format y "2^{%L}"
set xrange [*:*]
set yrange [*:*]
set ylabel "K"
set xlabel "M N"
set cblabel "times cuBLAS"
set cbrange [0.7:1.3]
set palette maxcolors 12 defined (0.7 "#b2182b", 1 "#d9d9d9", 1.3 "#2166ac") # steps of 0.05
plot "sample.csv" using 2:3:1 with points pointtype 7 pointsize 0.8 palette notitle
unset multiplot
