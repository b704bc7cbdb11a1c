# Step 15: on the left TFLOP/s over N by levels, with cuBLAS and the FP32 peak; on the right errors.
width = 1200; height = 520
load "style.gp"

table = "strassen.csv"
names = "none one two three"
colors = "#a9b3c2 #7d8ca3 #44546a #10192a"
marks = "○ ● ▲ ■"
of(level, what) = column(1) == level ? what : NaN

message = strassen_highest > peak ? \
    "Seven products for eight go past the FP32 peak with FP32 alone; each level costs accuracy" \
                                  : "Seven products for eight: each level costs accuracy"
set multiplot title headline(message, strassen_origin) enhanced
set tmargin at screen 0.82
set bmargin at screen 0.13
set logscale x 2
set xrange [strassen_low / 1.15:strassen_high * 1.15]
set xtics (512, 1024, 2048, 4096, 8192, 16384, 32768)
set xlabel "N"

set lmargin at screen 0.06
set rmargin at screen 0.50
set yrange [0:peak * 1.2]
set label 1 "TFLOP/s, counted as 2 N^3; a level: by passes or fused, the faster" at graph 0, \
    screen 0.85 left noenhanced
set label 2 sprintf("FP32 peak %.1f", peak) at strassen_low * 1.05, peak + 2.2 left \
    textcolor rgb "#666666"
set key at graph 0.97, graph 0.05 right bottom vertical Left reverse samplen 3 spacing 1.2
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
     table using (of(4, $2)):3 with lines linecolor rgb "black" linewidth 2 dashtype 2 \
     title "cuBLAS", \
     for [i = 0:3] table using (of(i, $2)):3 with linespoints linewidth 1.8 \
     linecolor rgb word(colors, i + 1) \
         pointtype word(marks, i + 1) pointsize 1.1 title (i == 0 ? "step 09, no level" : \
         sprintf("%s level%s", word(names, i + 1), i > 1 ? "s" : ""))

unset label 2
set lmargin at screen 0.57
set rmargin at screen 0.985
set yrange [0:*]
set label 1 "error, root mean square, units of 2^{-24} |A||B|" at graph 0, screen 0.85 left enhanced
unset key
plot table using (of(4, $2)):4 with lines linecolor rgb "black" linewidth 2 dashtype 2, \
     for [i = 0:3] table using (of(i, $2)):4 with linespoints linewidth 1.8 \
     linecolor rgb word(colors, i + 1) \
         pointtype word(marks, i + 1) pointsize 1.1
unset multiplot
