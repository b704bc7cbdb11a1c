# Predicted over measured time, one point per variant and size; the band is five per cent. Reads
# validation.csv: step,variant,m,n,k,pad,predicted_ms,measured_ms and more.
width = 840; height = 480
load "style.gp"

table = "validation.csv"
steps = "01_naive 02_shared_tiling 03_outer_product 04_warp_tiling 05_float4 " . \
    "06_conflict_free_transpose 07_z_order 08_double_buffer 09_reuse_sass"
stats table using (strstrt(steps, stringcolumn(1)) > 0 ? abs(column(7) / column(8) - 1) <= 0.05 : \
    NaN) nooutput
set title headline(sprintf("Of %d predicted times %d are within 5 %% of the measured ones", \
    STATS_records, STATS_sum), caption) enhanced
set xlabel "measured, ms"
set ylabel "predicted / measured"
set logscale x
set yrange [*<0.85:1.15<*]
set offsets graph 0.03, graph 0.03, 0, 0
set autoscale xfix
set key outside right top Left reverse samplen 1
set grid xtics ytics linecolor rgb faint linewidth 1 linetype 1
set object 1 rectangle from graph 0, first 0.95 to graph 1, \
    first 1.05 behind fillcolor rgb "#eef4fb" fillstyle solid noborder
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb ink linewidth 1
plot for [i = 1:words(steps)] table using (stringcolumn(1) eq word(steps, i) ? column(8) : \
    NaN):(column(7) / column(8)) \
         with points pointtype point(word(steps, i)) pointsize 0.8 \
         linecolor rgb color(word(steps, i)) title spaced(word(steps, i)) noenhanced
