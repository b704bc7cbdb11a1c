# Step 12: the FFMAs of one kernel in three orders, with TFLOP/s on the left and cycles per FFMA on
# the right.
width = 1100; height = 460
load "style.gp"

table = "orders.csv"
set multiplot title headline(orders_message, orders_origin) enhanced
set tmargin at screen 0.84
set bmargin at screen 0.17
set boxwidth 0.7
set xrange [-0.6:orders_count - 0.4]
set xtics scale 0 rotate by 20 right noenhanced
unset key

set lmargin at screen 0.07
set rmargin at screen (orders_cycles > 0 ? 0.50 : 0.985)
set yrange [0:peak * 1.06]
set label 1 "TFLOP/s (dotted: the FP32 peak)" at graph 0.5, screen 0.875 center
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3, \
     table using 1:3:xtic(2) with boxes linecolor rgb side, \
     table using 1:($3 + peak * 0.04):(sprintf("%.1f", $3)) with labels textcolor rgb ink

if (orders_cycles > 0) {
    set lmargin at screen 0.57
    set rmargin at screen 0.985
    set yrange [0:*]
    set label 1 "cycles per FFMA and scheduler (1 is the floor)" at graph 0.5, screen 0.875 center
    plot 1 with lines linecolor rgb peak_color linewidth 2 dashtype 3, \
         table using 1:4:xtic(2) with boxes linecolor rgb side_pale, \
         table using 1:($4 + 0.06):(sprintf("%.2f", $4)) with labels textcolor rgb ink
}
unset multiplot
