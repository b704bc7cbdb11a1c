# Step 14: one variant's speed over N by number of GPUs on the left, on the right what each GPU gives of what one alone gives.
#
# Given by draw.sh: variant, and counts of GPUs that it was measured with.
width = 1100; height = 480
load "style.gp"

table = "gpus.csv"
colors = "#8a8a8a #1f5fb4 #2ca02c #e67700 #8e5fd0 #d62728 #17a2b8 #8c564b"
of(count, column_) = strcol(1) eq variant && column(2) == int(count) ? column(column_) : NaN
color(count) = word(colors, (int(count) - 1) % 8 + 1)
many(count) = count . (int(count) == 1 ? " GPU" : " GPUs")

set multiplot title headline("Several GPUs: " . variant . ", M = N = K", gpus_origin) enhanced
set logscale x 2
set xrange [gpus_low / 1.25:gpus_high * 1.25]
set xtics (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
set xlabel "N"
set tmargin at screen 0.80
set bmargin at screen 0.14
set lmargin at screen 0.07
set rmargin at screen 0.49
set yrange [0:gpus_highest * 1.35]
set ylabel "TFLOP/s"
set key at graph 0.02, graph 0.97 left top vertical Left reverse samplen 3
plot for [i = 1:words(counts)] table using 3:(of(word(counts, i), 4)) with linespoints linewidth 2 pointtype 7 \
         linecolor rgb color(word(counts, i)) title many(word(counts, i))
set lmargin at screen 0.57
set rmargin at screen 0.985
set yrange [0:110]
set ylabel "% of as many single GPUs"
unset key
plot 100 with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
     for [i = 1:words(counts)] table using 3:(of(word(counts, i), 5)) with linespoints linewidth 2 pointtype 7 \
         linecolor rgb color(word(counts, i)) notitle
unset multiplot
