# Draws the preview of a shared link to the site:
#     gnuplot -e "data=...; title=...; cublas=..." web/site/preview.gp > preview.png
set terminal pngcairo size 1200,630 background '#ffffff' \
    font 'Inter,Liberation Sans,DejaVu Sans,20' enhanced
set multiplot
set label 1 title at screen 0.05, screen 0.88 font ',31' textcolor rgb '#1c1f26'
set label 2 'Run, break and step real machine code in the page, without a GPU' \
    at screen 0.05, screen 0.80 font ',22' textcolor rgb '#59606c'
set label 3 'SGEMM, step by step' at screen 0.95, screen 0.06 right font ',20' \
    textcolor rgb '#59606c'
set lmargin at screen 0.05; set rmargin at screen 0.95
set bmargin at screen 0.16; set tmargin at screen 0.70
unset border; unset ytics; unset key
set style fill solid 1; set boxwidth 0.8
set xrange [0.5:9.5]; set yrange [0:70]
set xtics 1, 1, 9 scale 0 textcolor rgb '#59606c'
set label 4 sprintf('cuBLAS %.1f', cublas) at 0.6, cublas + 4 textcolor rgb '#1c1f26'
plot data using 1:2 with boxes linecolor rgb '#1d5fa8', \
    '' using ($1 == 9 ? 9 : 1/0):2 with boxes linecolor rgb '#b53c0a', \
    cublas with lines linewidth 2 dashtype 2 linecolor rgb '#1c1f26', \
    '' using 1:($2 + 3):(sprintf('%.1f', $2)) with labels textcolor rgb '#1c1f26'
unset multiplot
