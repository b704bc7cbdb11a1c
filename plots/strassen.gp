# Step 15: on the left TFLOP/s over N by levels, with cuBLAS and the FP32 peak; on the right errors.
width = 1200; height = 520
load "style.gp"

table = "strassen.csv"
colors = "#8a99b0 #6b7c97 #44546a #10192a"
marks = "○ ● ▲ ■"
array name[5] = ["step 09, no level", "one level", "two levels", "three levels", "cuBLAS"]
of(level, what) = column(1) == level ? what : NaN

message = strassen_highest > peak ? \
    "Seven products for eight go past the FP32 peak with FP32 alone; each level costs accuracy" \
                                  : "Seven products for eight: each level costs accuracy"
set multiplot title headline(message, strassen_origin) enhanced
set tmargin at screen 0.85
set bmargin at screen 0.13
set logscale x 2
set xrange [strassen_low / 1.15:strassen_high * 1.15]
set xtics (512, 1024, 2048, 4096, 8192, 16384, 32768)
set xlabel "N"

set lmargin at screen 0.06
set rmargin at screen 0.45
set yrange [0:peak * 1.2]
set label 1 "TFLOP/s, counted as 2 N^3; a level: by passes or fused, the faster" at graph 0, \
    screen 0.88 left noenhanced
set label 2 sprintf("FP32 peak %.1f", peak) at strassen_low * 1.05, peak + 2.2 left \
    textcolor rgb "#666666"
array heights[5]
do for [i = 1:5] {
    stats table using (of(i - 1, $2 == strassen_high ? column(3) : NaN)) nooutput
    heights[i] = STATS_records > 0 ? STATS_max : 0
}
gap = peak / 18
load "apart.gp"
do for [i = 1:5] { set label i + 2 name[i] at graph 1.015, first heights[i] left }
unset key
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
     table using (of(4, $2)):3 with lines linecolor rgb "black" linewidth 2 dashtype 2, \
     for [i = 0:3] table using (of(i, $2)):3 with linespoints linewidth 1.8 \
     linecolor rgb word(colors, i + 1) \
         pointtype word(marks, i + 1) pointsize 1.1

do for [i = 2:7] { unset label i }
set lmargin at screen 0.62
set rmargin at screen 0.985
set yrange [0:*]
set label 1 "error, root mean square, units of 2^{-24} |A||B|" at graph 0, screen 0.88 left enhanced
plot table using (of(4, $2)):4 with lines linecolor rgb "black" linewidth 2 dashtype 2, \
     for [i = 0:3] table using (of(i, $2)):4 with linespoints linewidth 1.8 \
     linecolor rgb word(colors, i + 1) \
         pointtype word(marks, i + 1) pointsize 1.1
unset multiplot
