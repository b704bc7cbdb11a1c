# libsgemm in training: the time of a step with and without it as stacked bars, and the differences
# of the losses from those of FP64.
width = 1000; height = 430
load "style.gp"

names = "cuBLAS libsgemm TF32"
colors = side . " " . accent . " #7d8ca3"

set multiplot title headline("GPT-2 small, a training step in FP32: the products take " . \
    "less time, the rest does not", training_origin) enhanced
set tmargin at screen 0.84
set bmargin at screen 0.13
set lmargin at screen 0.075
set rmargin at screen 0.44
set xrange [-0.6:1.6]
set yrange [0:*]
set boxwidth 0.55
set xtics ("cuBLAS" 0, "libsgemm" 1) scale 0
set label 1 "milliseconds of a step; dashed: with TF32" at graph 0, screen 0.87 left
set key at graph 0.98, graph 0.97 right top Left reverse samplen 1.5
plot "training_time.csv" using 1:3 with boxes linecolor rgb "#b4bdc9" title "everything else", \
     "" using 1:($3 + $2 / 2):(0.275):($2 / 2) with boxxyerror linecolor rgb "#44546a" \
     title "matrix products", \
     "" using 1:($3 + $2 / 2):(sprintf("%.1f", $2)) with labels textcolor rgb "white" notitle, \
     "" using 1:($3 / 2):(sprintf("%.1f", $3)) with labels notitle, \
     training_tf32 with lines dashtype 3 linecolor rgb peak_color linewidth 2 notitle

set lmargin at screen 0.55
set rmargin at screen 0.985
set xrange [-0.5:19.5]
set xtics autofreq
set xlabel "step"
set logscale y
set yrange [1e-11:1e-4]
set format y "10^{%L}"
set label 1 "distance of the loss from FP64's" at graph 0, screen 0.87 left
set key at graph 0.98, graph 0.03 right bottom Left reverse samplen 3
plot for [i = 0:2] "training_loss.csv" using (column(1) == i ? $2 : NaN):3 \
    with points pointtype (i == 0 ? 6 : i == 1 ? 7 : 9) pointsize (i == 0 ? 1.1 : 0.6) \
     linecolor rgb word(colors, i + 1) title word(names, i + 1)
