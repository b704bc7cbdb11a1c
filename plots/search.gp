# Speed-up of a kernel during a search, over the seconds of the search. The largest steps are
# labelled with their changes.
width = 1100; height = 480
load "style.gp"

table = "search.csv"
stats table using 1:2 nooutput
set title headline(search_message, \
    "what each change gained, multiplied; the largest by name") enhanced
set xlabel "seconds" offset 0,0.4
set ylabel "faster than at the start, %"
set xrange [0:STATS_max_x * 1.12]
set yrange [0:STATS_max_y * 1.1]
set key off
set tmargin 4
plot table using 1:2 with steps linecolor rgb side linewidth 2, \
     table using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb side, \
     table using 1:2:3 with labels left offset 0.8,-0.6 font ",11" textcolor rgb ink noenhanced
