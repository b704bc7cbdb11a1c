# Step 13: error over speed, one point per variant. Down and to the right is better.
width = 900; height = 520
load "style.gp"

table = "accuracy.csv"
set title headline(accuracy_message, accuracy_origin . sprintf("; uniform inputs, N = %d", \
    accuracy_size)) enhanced
set xlabel "TFLOP/s"
set ylabel "root mean square error, units of 2^{-24} |A||B|" enhanced
set logscale y
set xrange [0:330]
set yrange [0.02:1000]
set key off
set arrow 1 from peak, graph 0 to peak, graph 1 nohead linecolor rgb peak_color \
    linewidth 2 dashtype 3
set label 1 "FP32 peak" at peak, graph 0.95 offset 0.8, 0 textcolor rgb ink
array height[4] = [0.3, -0.6, 1.4, -0.6]
plot for [i = 0:3] table using 2:($5 == i ? $3 : NaN):1 with labels left boxed \
    offset 0.9, height[i + 1] noenhanced textcolor rgb ink, \
     table using 2:($4 == 0 ? $3 : NaN) with points pointtype 7 pointsize 1.3 linecolor rgb side, \
     table using 2:($4 == 1 ? $3 : NaN) with points pointtype 2 pointsize 1.3 linewidth 2 \
     linecolor rgb "black"
