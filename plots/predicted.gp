# Predicted and measured speed of the ladder: two bars per rung, the predicted one hollow, with the
# model's error band. Reads rungs.csv: place,number,predicted,least,most,measured,step.
width = 1000; height = 520
load "style.gp"

set title headline("The ladder, predicted and measured", caption) enhanced
set ylabel "TFLOP/s"
set yrange [0:*]
set offsets 0, 0, graph 0.06, 0
set xrange [-0.6:words(rungs) - 0.4]
unset key
set xtics scale 0
set boxwidth 0.38
table = "rungs.csv"
plot for [i = 0:words(rungs) - 1] table using ($1 + 0.2):6 every ::i::i with boxes \
    linecolor rgb color(word(rungs, i + 1)) notitle, \
     for [i = 0:words(rungs) - 1] table using ($1 - 0.2):3 every ::i::i with boxes \
     linecolor rgb color(word(rungs, i + 1)) linewidth 2 \
         fillstyle empty border notitle, \
     table using ($1 - 0.2):3:4:5 with yerrorbars pointtype 7 pointsize 0.4 linecolor rgb ink \
     linewidth 1.2 notitle, \
     table using ($1 - 0.2):5:(sprintf("%.1f", $3)) with labels offset 0,0.6 \
     textcolor rgb ink notitle, \
     table using ($1 + 0.2):6:(sprintf("%.1f", $6)) with labels offset 0,0.6 \
     textcolor rgb ink notitle, \
     table using 1:(0):xtic(2) with points pointtype 0 notitle
