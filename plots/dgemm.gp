# DGEMM: the variants of step 11 over N with cublasDgemm on the left, borders on the right.
width = 1200; height = 480
load "style.gp"

curves = "dgemm.csv"
borders = "borders.csv"
# Variants in shades of slate with a mark each; the title's and the padded one have other hues.
# Hollow points of all variants would hide each other: the two fastest ones have some.
slates = "#8c9aaf #7d8ca3 #6f8098 #627389 #556880 #485a72 #3b4a5f #2f3d50 #1f2b3a #10192a"
marks = "● ■ ▲ ▼ ◆ ⬟ ◀ ▶ ★ ✚"
hollows = "○ □ △ ▽ ◇ ⬠ ◁ ▷ ☆ ✛"
padded = "#b08f3a"
place(name) = words(dgemm_variants[:strstrt(" " . dgemm_variants . " ", " " . name . " ")])
tone(name) = strstrt(dgemm_message, spaced(name) . " reaches") == 1 ? accent : \
    name eq "padded" ? padded : word(slates, (place(name) - 1) % 10 + 1)
of(name, plain) = (strcol(1) eq name && (int(column(2)) % 128 == 0) == plain) ? column(3) : NaN
peak = peak_fp64
top = dgemm_highest > peak ? dgemm_highest : peak

set multiplot title headline(dgemm_message, dgemm_origin) enhanced
set yrange [0:top * 1.06]
set ylabel "TFLOP/s"
set tmargin at screen 0.86
set bmargin at screen 0.14
set lmargin at screen 0.07
set rmargin at screen (border_places > 0 ? 0.47 : 0.76)
set logscale x 2
set xrange [dgemm_low / 1.25:dgemm_high * 1.25]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384)
set xlabel "N = M = K (hollow points: not a multiple of 128; the two fastest variants only)"
set key at graph 1.02, graph 0.5 left center vertical Left reverse samplen 3 spacing 1.25
order = dgemm_variants
array heights[words(order)]
do for [i = 1:words(order)] {
    stats curves using (of(word(order, i), 1)) nooutput
    heights[i] = STATS_records > 0 ? STATS_max : 0
}
load "ranked.gp"
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 \
    title sprintf("FP64 FMA peak %.1f", peak), \
     for [name in (have_cublas_dgemm ? "dgemm" : "")] curves using 2:(of(name, 1)) with lines \
         linecolor rgb "black" linewidth 1.6 dashtype 2 title "cublasDgemm (tensor cores)", \
     for [name in order] curves using 2:(of(name, 1)) with linespoints linewidth 1.8 \
         pointtype word(marks, (place(name) - 1) % 10 + 1) linecolor rgb tone(name) \
         title name noenhanced, \
     for [name in word(order, 1) . " " . word(order, 2)] curves using 2:(of(name, 0)) with points \
         pointtype word(hollows, (place(name) - 1) % 10 + 1) pointsize 1.2 \
         linecolor rgb tone(name) notitle

if (border_places > 0) {
    unset logscale x
    unset ylabel
    set lmargin at screen 0.745
    set rmargin at screen 0.985
    set boxwidth 0.36
    set xrange [-0.6:border_places - 0.4]
    set xlabel "N"
    set xtics scale 0
    set label 1 "borders in the kernel, and by padding" at graph 0.5, screen 0.895 center
    set key at graph 0.02, graph 0.9 left top vertical Left reverse samplen 3
    lift = top * 0.04
    figure(y) = sprintf(y < 9.95 ? "%.2f" : "%.1f", y)
    plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
         borders using ($1 - 0.19):3:xtic(2) with boxes linecolor rgb "#6f8098" title "all", \
         borders using ($1 + 0.19):4 with boxes linecolor rgb padded title "padded", \
         borders using ($1 - 0.19):($3 + lift):(figure($3)) with labels textcolor rgb ink notitle, \
         borders using ($1 + 0.19):($4 + lift):(figure($4)) with labels textcolor rgb ink notitle
}
unset multiplot
