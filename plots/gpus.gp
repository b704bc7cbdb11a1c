# Step 14: efficiency per GPU relative to one GPU, over N: one panel per number of GPUs, one line
# per variant.
#
# Set by draw.py: counts, the numbers of GPUs that were measured.
width = 1100; height = 460
load "style.gp"

table = "gpus.csv"
marks = "7 5 9 11 13 3 8 4"
of(name, count) = strcol(1) eq name && column(2) == int(count) ? column(4) : NaN
panels = words(counts)
from = 0.075; wide = (1.02 - from) / panels

set multiplot title headline(gpus_message, gpus_origin) enhanced
set logscale x 2
set xrange [gpus_low / 1.25:gpus_high * 1.25]
set xtics (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
set xlabel "N = M = K"
set yrange [75:102]
set tmargin at screen 0.80
set bmargin at screen 0.28
set key at screen 0.5, screen 0.06 center center horizontal Left reverse \
    samplen 3 width 2 noenhanced
do for [p = 1:panels] {
    set lmargin at screen from + (p - 1) * wide
    set rmargin at screen from + p * wide - 0.05
    set label 1 word(counts, p) . " GPUs" at graph 0.5, screen 0.835 center
    if (p == 1) { set ylabel "% of one GPU alone" } else { unset ylabel; unset key }
    plot 100 with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
         for [i = 1:words(gpus_variants)] table \
         using 3:(of(word(gpus_variants, i), word(counts, p))) with linespoints linewidth 2 \
             pointtype int(word(marks, (i - 1) % 8 + 1)) pointsize 1.1 \
             linecolor rgb word(things, (i - 1) % 9 + 1) title word(gpus_variants, i)
}
unset multiplot
