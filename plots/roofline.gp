# Roofline: TFLOP/s over FLOP per byte of DRAM traffic (left, if it was counted) and per byte
# requested from L1 (right). Filled points are measured, hollow ones are the simulator's bounds.
# Rungs have their numbers at their points and their names at the right; the title's has a colour.
load "facts.gp"
width = 1100; height = 520
load "style.gp"

# The FP32 peak is that of the title and of all tables; the measured rate of FMAs is written beside
# it. Bandwidths are those that build/00_machine measured; otherwise 128 bytes of L1 per cycle and
# SM, and the DRAM bandwidth of NVIDIA's data sheet.
# TFLOP/s: 132 SMs, 128 FMAs per cycle each, 1.98 GHz.
if (!exists("peak")) peak = 66.9
dram = measured_dram > 0 ? measured_dram / 1000.0 : 4.8                    # TB/s
l1 = 132 * 1.98e-3 * (measured_l1 > 0 ? measured_l1 : 128)                 # TB/s
table = "roofline.csv"
order = roofline_rungs
under = roofline_times == 0 ? "bounds, nothing was timed" : roofline_bounds > 0 ? \
    "filled: measured, hollow: bound" : "speed: measured"
swap(text, old, new) = strstrt(text, old) ? text[1:strstrt(text, old) - 1] . new . \
    text[strstrt(text, old) + strlen(old):*] : text
lesson(text) = swap(swap(swap(text, "reuse sass", "reuse-aware SASS"), "z order", "z-order"), \
    "conflict free", "conflict-free")
set multiplot title headline(lesson(roofline_message), sprintf("roofline of an H200, N = %d, ", \
    counts_size) . counts_origin . "; " . under) enhanced
set ylabel "TFLOP/s"
set logscale xy 10
set format xy "%g"
set grid xtics ytics linecolor rgb faint linewidth 1 linetype 1
set samples 400
# gnuplot 6 drops a point whose expression reads an empty field.
given(k) = strcol(k) eq "" ? 0 : column(k)
stats table using (given(4) > 0 ? given(4) : given(5)) nooutput
low_y = STATS_min < 2 ? STATS_min / 2.0 : 1
high_y = 130
bottom = 0.12; top = 0.82
set bmargin at screen bottom; set tmargin at screen top
unset key
roof(x, bandwidth) = x * bandwidth < peak ? x * bandwidth : peak
of(step, value) = strcol(1) eq step ? value : NaN
# Rungs close to each other have their names on different sides, or one a little lower.
is_left(step) = step eq "cublas" || number(step) > 2 && number(step) % 2
name(step) = step eq "cublas" ? "cuBLAS" : step[1:2]
lower(step) = step eq "cublas" || number(step) == 5 ? 0.94 : 1
at_x(step) = of(step, given(k) > 0 ? given(k) : NaN)
at_y(step) = (given(4) > 0 ? given(4) : given(5)) * lower(step)
tint(step) = strstrt(roofline_message, spaced(step)) == 1 ? "#b53c0a" : side

first_panel = roofline_drams > 0 ? 0 : 1
do for [panel = first_panel:1] {
    k = panel == 0 ? 3 : 2
    bandwidth = panel == 0 ? dram : l1
    left = panel == 0 || first_panel == 1 ? 0.06 : 0.43; right = panel == 0 ? 0.38 : 0.75
    set lmargin at screen left; set rmargin at screen right
    set yrange [*:*]; set xrange [*:*] # stats ignores points outside the axes
    stats table using (given(k) > 0 ? given(k) : NaN) nooutput
    set yrange [low_y:high_y]
    low_x = STATS_min / 2.0 < low_y / bandwidth ? STATS_min / 2.0 : low_y / bandwidth
    high_x = STATS_max * 3 > 20 * peak / bandwidth ? STATS_max * 3 : 20 * peak / bandwidth
    set xrange [low_x:high_x]
    set xlabel panel == 0 ? "FLOP per byte of DRAM traffic" : "FLOP per byte asked of L1"
    tilt = 180 / pi * atan2(height * (top - bottom) / log10(high_y / low_y), \
        width * (right - left) / log10(high_x / low_x))
    mark = 2 * (low_x > low_y / bandwidth ? low_x : low_y / bandwidth)
    set label 1 sprintf("FP32 peak %.1f TFLOP/s", peak) . (measured_peak > 0 ? \
        sprintf("; %.1f measured", measured_peak) : "") at graph 0.98, first peak * 1.18 right \
        font ",11" textcolor rgb "#777777"
    set label 2 sprintf("%s %.1f TB/s", panel == 0 ? "DRAM" : "L1", bandwidth) . \
        ((panel == 0 ? measured_dram : measured_l1) > 0 ? ", measured" : "") at first mark, \
        first mark * bandwidth * 1.35 left rotate by tilt font ",11" textcolor rgb "#777777"
    if (panel == 1 && first_panel == 0) { unset ylabel }
    if (panel == 1) {
        do for [i = 1:words(order)] {
            s = word(order, i)
            set label 2 + i s eq "cublas" ? "" : lesson(named(s)) noenhanced at screen 0.78, \
                screen top - 0.045 * i font ",12" textcolor rgb tint(s)
        }
    }
    plot roof(x, bandwidth) with lines linecolor rgb peak_color linewidth 2 notitle, \
         for [s in order] for [c = 4:5] table using (at_x(s)):( \
             given(c) > 0 ? given(c) : NaN) with points pointtype (c == 4 ? "●" : "○") \
             pointsize 1 linecolor rgb tint(s), \
         for [s in order] table using (is_left(s) ? NaN : at_x(s)):(at_y(s)):(name(s)) \
             with labels noenhanced left offset 0.9,0 font ",12" textcolor rgb tint(s), \
         for [s in order] table using (is_left(s) ? at_x(s) : NaN):(at_y(s)):(name(s)) \
             with labels noenhanced right offset -0.9,0 font ",12" textcolor rgb tint(s)
}
unset multiplot
