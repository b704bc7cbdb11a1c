# Speed, clock and power of the sustained runs, a panel each.
width = 1100; height = 900
load "style.gp"

table = "sustained.csv"
stats table using 6 nooutput
have_clock = STATS_records > 0 && STATS_max > 0
clock_top = have_clock ? STATS_max : 1
stats table using 7 nooutput
have_power = STATS_records > 0 && STATS_max > 0
power_top = have_power ? STATS_max : 1
panels = 1 + have_clock + have_power

set multiplot layout panels,1 title headline(sustained_message, \
    sustained_origin . "; black mark: the burst figure") enhanced
shown = sustained_count < 6 ? 6 : sustained_count
set xrange [(sustained_count - shown) / 2.0 - 0.6:(sustained_count + shown) / 2.0 - 0.4]
set boxwidth 0.7
set xtics scale 0
set key off
set lmargin 10; set rmargin 4; set tmargin 1; set bmargin 4.5
at(i) = word(sustained_steps, i + 1)
text(format_, value) = value > 0 ? sprintf(format_, value) : ""

# The black mark is the kernel's speed in bursts, before the chip is hot.
set ylabel "TFLOP/s"
set yrange [0:peak * 1.2]
set label 1 sprintf("FP32 peak %.1f", peak) at graph 0.005, first peak * 1.1 left \
    textcolor rgb "#777777"
plot for [i = 0:sustained_count - 1] table using 1:4:xtic(2) every ::i::i with boxes \
    linecolor rgb bar_color(at(i)), \
     table using ($1 - 0.35):5:(0.7):(0) with vectors nohead linewidth 6 linecolor rgb "white", \
     table using ($1 - 0.35):5:(0.7):(0) with vectors nohead linewidth 2.5 linecolor rgb "black", \
     table using 1:($4 - peak * 0.1):(sprintf("%.1f", $4)) with labels boxed textcolor rgb ink, \
     peak with lines linecolor rgb peak_color linewidth 2 dashtype 3

unset label 1

if (have_clock) {
    set ylabel "SM clock, MHz"
    set yrange [0:clock_top * 1.06]
    plot for [i = 0:sustained_count - 1] table using 1:6:xtic(2) every ::i::i with boxes \
        linecolor rgb bar_color(at(i)), \
         table using 1:($6 - clock_top * 0.075):(text("%.0f", $6)) with labels \
         boxed textcolor rgb ink
}
if (have_power) {
    set ylabel "Power, W"
    top = power_top > power_limit ? power_top : power_limit
    set yrange [0:top * 1.12]
    set label 1 sprintf("limit %g W", power_limit) at graph 0.005, first top * 1.06 left \
        textcolor rgb "#777777"
    if (power_limit == 0) { unset label 1 }
    plot for [i = 0:sustained_count - 1] table using 1:7:xtic(2) every ::i::i with boxes \
        linecolor rgb bar_color(at(i)), \
         table using 1:($7 - power_top * 0.085):(text("%.0f", $7)) with labels \
         boxed textcolor rgb ink, \
         (power_limit > 0 ? power_limit : NaN) with lines linecolor rgb peak_color \
         linewidth 2 dashtype 3
}
unset multiplot
