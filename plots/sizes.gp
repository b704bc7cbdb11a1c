# TFLOP/s over N: the fastest variant of every rung, cuBLAS at the same sizes, and the FP32 peak.
# Hollow points of all rungs would hide each other: the last rung and cuBLAS have some.
width = 1100; height = 620
load "style.gp"

set title headline(sizes_message, times_origin) enhanced
set ylabel "TFLOP/s"
set logscale x 2
set xrange [size_low / 1.25:size_high * 1.25]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
set yrange [0:peak * 1.06]
set key outside right center vertical Left reverse samplen 3 spacing 1.3

table = "best.csv"
order = rungs . (have_cublas ? " cublas" : "")
of(step, plain) = (strcol(1) eq step && column(4) == plain) ? column(3) : NaN
array heights[words(order)]
do for [i = 1:words(order)] {
    stats table using (of(word(order, i), 1)) nooutput
    heights[i] = STATS_records > 0 ? STATS_max : 0
}
load "ranked.gp"
some = word(rungs, words(rungs)) . (have_cublas ? " cublas" : "")
set xlabel sprintf("N = M = K (lines: multiples of 128; hollow points: other sizes, %s%s only)", \
    spaced(word(some, 1)), have_cublas ? " and cuBLAS" : "")

plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 \
         title sprintf("FP32 peak %.1f", peak), \
     for [i = 1:words(order)] table using 2:(of(word(order, i), 1)) with linespoints \
         linewidth thick(word(order, i)) dashtype dash(word(order, i)) \
         linecolor rgb color(word(order, i)) pointtype point(word(order, i)) pointsize 1.1 \
         title named(word(order, i)) noenhanced, \
     for [name in some] table using 2:(of(name, 0)) with points linecolor rgb color(name) \
         pointtype hollow(name) pointsize 1.3 linewidth 1.4 notitle
