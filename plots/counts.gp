# Memory events per FFMA of a warp, one row per kernel: wavefronts of shared memory on the left,
# sectors of global memory on the right.
#
# Set by draw.py: form, "rungs" (each step's last variant) or "counts" (every variant).
load "facts.gp"
places = form eq "rungs" ? rungs_count : counts_count
width = 1100; height = 164 + (form eq "rungs" ? 34 : 21) * places
load "style.gp"

table = form . ".csv"
set multiplot title headline(form eq "rungs" ? counts_message : counts_variants_message, \
    sprintf("N = %d, ", counts_size) . counts_origin) enhanced
set logscale x 10
set format x "%g"
set ytics 1 scale 0 format ""
set grid xtics ytics
unset key
set border 1
set tmargin at screen 1 - 92.0 / height
set bmargin at screen 62.0 / height

dot = format eq "svg" ? 0.9 : 1.5 # equal sizes on the page

# A panel shows column 6 or 7 as points, not bars, because lengths have no meaning on a logarithmic
# axis. A value of 0 has no position on the axis; it is written as "none".
figure(x) = sprintf(x >= 9.995 ? " %.1f" : x >= 0.0995 ? " %.2f" : x >= 0.00995 ? \
    " %.3f" : " %.2g", x)
rgb(step, last) = int("0x" . (last > 0 ? bar_color(step) : bar_pale(step))[2:7])
do for [panel = 0:1] {
    value = 6 + panel
    set xrange [*:*]; set yrange [*:*] # stats ignores points outside the axes
    given(k) = strcol(k) eq "" ? 0 : column(k)
    stats table using (given(value) > 0 ? given(value) : NaN) nooutput
    least = STATS_records > 0 ? STATS_min : 0.1; most = STATS_records > 0 ? STATS_max : 1
    limit = panel == 0 ? 0.25 : 1
    low = (least < limit ? least : limit) / 1.6; high = (most > limit ? most : limit) * 2.2
    set xrange [low:high]; set yrange [places - 0.4:-0.6]
    set lmargin at screen (panel == 0 ? 0.2 : 0.61)
    set rmargin at screen (panel == 0 ? 0.585 : 0.985)
    set xlabel (panel == 0 ? "shared wavefronts per FFMA" : "global sectors per FFMA")
    set label 1 (panel == 0 ? "0.25: above it shared memory is the limit" : \
        "1: above it L1 is the limit") \
        at first limit, screen 1 - 76.0 / height center font ",12" textcolor rgb "#777777"
    set arrow 1 from first limit, graph 0 to first limit, graph 1 nohead linecolor rgb peak_color \
        linewidth 2 dashtype 3
    plot table using (given(value) > 0 ? given(value) : NaN):1:(rgb(strcol(3), $5)) \
             with points pointtype 7 pointsize dot linecolor rgb variable, \
         table using (low):1:(panel == 0 ? strcol(2) : "") \
         with labels right offset -0.8,0 noenhanced textcolor rgb ink, \
         table using (given(value) > 0 ? given(value) : NaN):1:(figure(given(value))) with labels \
         left boxed offset 1.1,0 font ",12" textcolor rgb ink, \
         table using (strcol(value) ne "" && given(value) == 0 ? low * 1.05 : NaN):1:("none") \
         with labels left font ",12" textcolor rgb "#777777"
}
unset multiplot
