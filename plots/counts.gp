# What an FFMA costs in memory: shared-memory wavefronts and global sectors for each FFMA of a warp.
#
# form: rungs (each step's last variant) or counts (every variant).
load "facts.gp"
places = form eq "rungs" ? rungs_count : counts_count
width = form eq "rungs" ? 1100 : 1280; height = form eq "rungs" ? 860 : 960
load "style.gp"

table = form . ".csv"
title = form eq "rungs" ? "Memory work for each FFMA, rung by rung" : "Memory work for each FFMA, every variant"
set multiplot layout 2,1 title headline(sprintf("%s, N = %d", title, counts_size), counts_origin) enhanced
shown = places < 6 ? 6 : places
set xrange [(places - shown) / 2.0 - 0.6:(places + shown) / 2.0 - 0.4]
set logscale y 10
set format y "%g"
set xtics scale 0
if (form eq "counts") { set xtics rotate by 40 right font ",9" noenhanced }
unset key
set lmargin 10; set rmargin 24; set tmargin 1.5; set bmargin (form eq "rungs" ? 4.5 : 6.5)
set style textbox opaque margins 0.3,0.3 fillcolor rgb "white" noborder

# A panel: column 6 or 7. A value of 0 has no place on a log axis and stands as "none" at the bottom.
figure(x) = sprintf(x >= 9.995 ? "%.1f" : x >= 0.0995 ? "%.2f" : x >= 0.00995 ? "%.3f" : "%.2g", x)
small = form eq "counts" ? ",8" : ",10"
dark(step, last) = last > 0 ? color(step) : pale(step)
rgb(step, last) = int("0x" . dark(step, last)[2:7])
do for [panel = 0:1] {
    value = 6 + panel
    set yrange [*:*]
    stats table using (column(value) > 0 ? column(value) : NaN) nooutput
    least = STATS_records > 0 ? STATS_min : 0.1; most = STATS_records > 0 ? STATS_max : 1
    limit = panel == 0 ? 0.25 : 1
    low = 10 ** floor(log10((least < limit ? least : limit) / 1.5)); high = 10 ** ceil(log10((most > limit ? most : limit) * 1.5))
    set yrange [low:high]
    set ylabel (panel == 0 ? "shared wavefronts per FFMA" : "global sectors per FFMA")
    set label 1 (panel == 0 ? "0.25: above it shared\nmemory is the limit" : "1: above it L1\nis the limit") \
        at graph 1.01, first limit left font ",10" textcolor rgb "#777777"
    plot limit with lines linecolor rgb peak_color linewidth 2 dashtype 3, \
         table using 1:(column(value) > 0 ? column(value) : NaN):(rgb(strcol(3), $5)):xtic(2) with impulses linewidth 3 linecolor rgb variable, \
         table using 1:(column(value) > 0 ? column(value) : NaN):(rgb(strcol(3), $5)) with points pointtype 7 pointsize 1.7 linecolor rgb variable, \
         table using 1:(column(value) > 0 ? column(value) : NaN):(figure(column(value))) with labels offset 0,1 font small boxed textcolor rgb ink, \
         table using 1:(strcol(value) ne "" && column(value) == 0 ? low * 1.3 : NaN):("none") with labels font small textcolor rgb "#777777"
}
unset multiplot
