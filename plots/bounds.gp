# Bounds by rung (docs/glossary.md): the least SM cycles that each part of an H200 needs for the
# counted events, relative to those of the FMA pipe. The largest bound, in full colour, gives the
# TFLOP/s above it. Bounds are no times: they assume that nothing waits.
load "facts.gp"
width = 1180; height = 620
load "style.gp"

table = "bounds.csv"
parts = "'FMA pipe' 'issue slots' 'register file' 'shared memory' L1 DRAM"
strong = "#303030 #44546a #7d8ca3 #b53c0a #5a9aa8 #c2a033"
weak = "#cccccc #c5ccd6 #d6dbe3 #e8c6b6 #cbe0e4 #eadfbd"

set title headline(bounds_message, sprintf("N = %d; ", bounds_size) . \
    "least cycles of an H200's SMs for what was " . bounds_origin . \
    "\nfull colour: the bound that binds, with the TFLOP/s it would allow if nothing ever waited") \
    enhanced
set ylabel "least cycles / least cycles of the FMA pipe"
shown = bounds_count < 6 ? 6 : bounds_count
set xrange [(bounds_count - shown) / 2.0 - 0.6:(bounds_count + shown) / 2.0 - 0.4]
top = bounds_highest * 1.14
set yrange [0:top]
set xtics scale 0
set bmargin 5.5
set rmargin 3
set key inside top right vertical Left reverse samplen 1.2
set style fill solid 1.0 noborder
bar = 0.145
x(place, i) = place + (i - 3.5) * bar
labels_x(place, binding) = x(place, binding)
fill(i, binding) = int("0x" . word(binding == i ? strong : weak, i)[2:7])

plot for [i = 1:6] table using (x($1, i)):(column(5 + i)):(bar * 0.92):(fill(i, $5)):xtic("") \
    with boxes linecolor rgb variable notitle, \
     for [i = 1:6] NaN with boxes linecolor rgb word(strong, i) title word(parts, i), \
     table using 1:(NaN):xtic(2) notitle, \
     1 with lines linecolor rgb ink linewidth 1.2 dashtype 3 notitle, \
     table using (x($1, $5)):(column(5 + $5) + top * 0.028):(sprintf("%.1f", $4)) with labels \
     font ",11" textcolor rgb ink notitle
