# The ladder at one size: one bar per rung, with its TFLOP/s and its gain over the rung before.
width = 1100; height = 580
load "style.gp"

ladder_count = words(ladder_rungs)
message = ladder_gain > 0 ? sprintf("The ladder ends at %.2f times the speed of cuBLAS, N = %d", \
    ladder_gain, ladder_size) : \
    sprintf("The ladder at N = %d", ladder_size)
set title headline(message, ladder_origin) enhanced
set ylabel "TFLOP/s"
shown = ladder_count < 6 ? 6 : ladder_count # few rungs: bars keep their width
set xrange [(ladder_count - shown) / 2.0 - 0.6:(ladder_count + shown) / 2.0 - 0.4]
set yrange [0:peak * 1.1]
set boxwidth 0.72
unset key
set rmargin 13
set bmargin 5.5
set xtics scale 0

# Names of the lines stand right of the frame, kept apart when the values are close.
set label 1 sprintf("FP32 peak\n%.1f", peak) at graph 1.012, first peak left textcolor rgb "#777777"
if (cublas_at > 0) {
    set label 2 sprintf("cuBLAS\n%.1f", cublas_at) at graph 1.012, \
        first (peak - cublas_at < peak * 0.12 ? peak * 0.88 : cublas_at) left
}

table = "ladder.csv"
lift = peak * 0.03
gain(x) = x < 9.95 ? sprintf("×%.2f", x) : sprintf("×%.1f", x)
rung(i) = word(ladder_rungs, i + 1)
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
     for [i = 0:ladder_count - 1] table using 1:3:xtic(2) every ::i::i with boxes \
     linecolor rgb bar_color(rung(i)) notitle, \
     (cublas_at > 0 ? cublas_at : NaN) with lines linecolor rgb "black" linewidth 1.6 dashtype 2 \
     notitle, \
     table using 1:($3 + lift):(sprintf("%.1f", $3)) with labels boxed textcolor rgb ink notitle, \
     table using 1:($3 / 2):(stringcolumn(4) eq "" ? "" : gain($4)) with labels \
     textcolor rgb "white" notitle
