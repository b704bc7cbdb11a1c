# Roofline of the H200: TFLOP/s over FLOP for each byte. Filled points are measured, hollow ones are the simulator's bounds. A
# point stands at its FLOP per byte of DRAM traffic where that was counted, with a tick where it would stand per byte asked of
# L1; otherwise at the latter.
load "facts.gp"
width = 1100; height = 680
load "style.gp"

# Ceilings that build/00_machine measured; where it did not, 132 SMs at 1.98 GHz with 128 FMA lanes and 128 bytes of L1 a cycle
# and SM, and the DRAM of NVIDIA's data sheet.
peak = measured_peak > 0 ? measured_peak : 66.9                            # TFLOP/s
dram = measured_dram > 0 ? measured_dram / 1000.0 : 4.8                    # TB/s
l1 = 132 * 1.98e-3 * (measured_l1 > 0 ? measured_l1 : 128)                 # TB/s
table = "roofline.csv"
order = roofline_rungs
under = roofline_times > 0 ? "filled: measured" . (roofline_bounds > 0 ? ", hollow: bound" : "") : "hollow points: bounds, nothing was timed"
under = under . (roofline_drams > 0 ? "; at FLOP per byte of DRAM, tick: per byte asked of L1" : "; at FLOP per byte asked of L1 (caches are not simulated)")
set title headline(sprintf("Roofline of an H200, N = %d", counts_size), counts_origin . "\n" . under) enhanced
set xlabel "FLOP per byte"
set ylabel "TFLOP/s"
set logscale xy 10
stats table using 2 nooutput
left = STATS_min; right = STATS_max
if (roofline_drams > 0) { stats table using 3 nooutput; if (STATS_max > right) { right = STATS_max } }
low_x = left < 0.5 ? left / 2.0 : 0.25; high_x = right * 3 < 100 ? 100 : right * 3
given(k) = strcol(k) eq "" ? 0 : column(k) # gnuplot 6 drops a point whose expression so much as looks at an empty field
stats table using (given(4) > 0 ? given(4) : given(5)) nooutput
low_y = STATS_min < 2 ? STATS_min / 2.0 : 1
set xrange [low_x:high_x]
set yrange [low_y:130]
set format xy "%g"
set grid xtics ytics linecolor rgb faint linewidth 1 linetype 1
set key outside right center vertical Left reverse samplen 1 spacing 1.35 noenhanced
set samples 400
roof(x, bandwidth) = x * bandwidth < peak ? x * bandwidth : NaN
set label 1 sprintf("FP32 %s %.1f TFLOP/s", measured_peak > 0 ? "FMA, measured" : "peak", peak) at graph 0.02, first peak * 1.16 left font ",10" textcolor rgb "#777777"
left_edge = 0.08; right_edge = 0.735; low_edge = 0.1; top_edge = 0.855
set lmargin at screen left_edge; set rmargin at screen right_edge; set bmargin at screen low_edge; set tmargin at screen top_edge
tilt = 180 / pi * atan2(height * (top_edge - low_edge) / log10(130 / low_y), width * (right_edge - left_edge) / log10(high_x / low_x))
set label 2 sprintf("L1 %.1f TB/s", l1) at first low_x * 1.25, first low_x * 1.25 * l1 * 1.35 left rotate by tilt font ",10" textcolor rgb "#777777"
mark = low_y / dram > low_x ? low_y / dram * 1.3 : low_x * 1.3
set label 3 sprintf("DRAM %.1f TB/s", dram) at first mark, first mark * dram * 1.3 left rotate by tilt font ",10" textcolor rgb "#777777"

of(step, value) = strcol(1) eq step ? value : NaN
at(deep, wide) = deep > 0 ? deep : wide
plot x >= peak / l1 ? peak : NaN with lines linecolor rgb peak_color linewidth 2 notitle, \
     roof(x, l1) with lines linecolor rgb peak_color linewidth 2 notitle, \
     roof(x, dram) with lines linecolor rgb peak_color linewidth 2 notitle, \
     for [s in order] table using (of(s, $2)):4:(at(given(3), $2) - $2):(0) with vectors nohead linecolor rgb pale(s) linewidth 1.2 notitle, \
     for [s in order] table using (strcol(3) ne "" ? of(s, $2) : NaN):4 with points pointtype "|" linecolor rgb color(s) notitle, \
     for [s in order] table using (of(s, at(given(3), $2))):(column(4)) with points pointtype point(s) pointsize 1.7 linecolor rgb color(s) \
         title roofline_times > 0 ? named(s) : "", \
     for [s in order] table using (of(s, at(given(3), $2))):(column(5)) with points pointtype hollow(s) pointsize 1.7 linewidth 2 linecolor rgb color(s) \
         title roofline_times > 0 ? "" : named(s)
