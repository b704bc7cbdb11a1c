# Results per clock and SM as build/00_machine measured them. draw.py sets `group`: "throughput"
# shows instructions beside the documented values; "advice" shows groups of probes that compute the
# same result in different ways.
load "facts.gp"
rows = group eq "throughput" ? throughput_count : advice_count
width = 1000; height = 150 + 23 * rows
load "style.gp"

table = group . ".csv"
advice = group eq "advice"
set title headline(advice ? advice_message : throughput_message, machine_origin . "\n" . \
    (advice ? "further right is faster; neighbours of one shade do the same thing" : \
    "half2 counts two results per instruction")) enhanced
set xlabel "results per clock and SM"
if (advice) { set logscale x 2; set xrange [0.125:256] } else { set xrange [0:288]; set xtics 32 }
foot = advice ? 0.125 : 0
set yrange [-rows + 0.3:0.7]
set ytics scale 0 noenhanced
if (advice) { set grid ytics } else { set grid noytics }
set grid xtics linecolor rgb faint linewidth 1 linetype 1
set lmargin advice ? 40 : 24
set key at graph 0.99, graph 0.5 right center Left reverse samplen 1.5 spacing 1.4
if (advice) { set key off }
half = 0.34
shade(family) = advice && family == 1 ? 0x8f9bab : 0x44546a
plot table using 3:1:(foot):(advice ? foot : $3):($1 - half):($1 + half):(shade($6)):ytic(2) \
    with boxxyerror fillstyle solid 0.85 noborder \
         linecolor rgb variable notitle, \
     table using (advice ? $3 : NaN):1:(shade($6)) with points pointtype 7 pointsize 1.6 \
     linecolor rgb variable notitle, \
     table using 4:($1 - 0.44):(0):(0.88) with vectors nohead linewidth 3 \
     linecolor rgb word(things, 4) notitle, \
     table using (!advice && $4 > $5 && $4 - $5 < 20 ? $4 : $5):1:(sprintf("%.3g", $3)) \
     with labels left offset (advice ? 1.3 : 0.7), 0 font ",11" textcolor rgb ink notitle, \
     NaN with boxes linecolor rgb side title "measured", \
     NaN with lines linewidth 3 linecolor rgb word(things, 4) title "documented"
