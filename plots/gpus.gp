# Step 14: efficiency per GPU relative to one GPU, over N: one panel per number of GPUs, one line
# per variant, with its name in the last panel. The title's variant is in colour.
#
# Set by draw.py: counts, the numbers of GPUs that were measured.
width = 1100; height = 400
load "style.gp"

table = "gpus.csv"
marks = "7 5 9 11 13 3 8 4"
of(name, count) = strcol(1) eq name && column(2) == int(count) ? column(4) : NaN
panels = words(counts)
variants = words(gpus_variants)
from = 0.075; wide = (0.96 - from) / panels
slates = "#10192a #44546a #5f7090 #7d8ca3"
tint(name) = strstrt(gpus_message . ".", "by " . name . ".") ? accent : ""
tone(i) = word(tint(word(gpus_variants, i)) . " " . word(slates, (i - 1) % 4 + 1), 1)

# A name stands at the height of its line's last point, or as near to it as the others allow.
array ends[variants]
array heights[variants]
do for [k = 1:variants] {
    ends[k] = 75
    do for [p = 1:panels] {
        stats table using (of(word(gpus_variants, k), word(counts, p))) nooutput
        if (STATS_records > 0) { ends[k] = STATS_max }
    }
    heights[k] = ends[k]
}
gap = 1.7
load "apart.gp"

set multiplot title headline(gpus_message, gpus_origin) enhanced
set logscale x 2
set xrange [gpus_low / 1.25:gpus_high * 1.25]
set xtics (1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
set xlabel "N = M = K"
set yrange [75:102]
set tmargin at screen 0.81
set bmargin at screen 0.15
unset key
do for [p = 1:panels] {
    set lmargin at screen from + (p - 1) * wide
    set rmargin at screen from + p * wide - 0.05
    set label 1 word(counts, p) . " GPUs" at graph 0.5, screen 0.85 center
    if (p == 1) { set ylabel "% of one GPU alone" } else { unset ylabel }
    if (p == panels) { do for [k = 1:variants] {
        set label k + 1 word(gpus_variants, k) at graph 1.06, first heights[k] noenhanced \
            textcolor rgb (tint(word(gpus_variants, k)) eq "" ? ink : accent)
        if (abs(heights[k] - ends[k]) > 0.3) {
            set arrow k from gpus_high * 1.07, first ends[k] to graph 1.045, first heights[k] \
                nohead linecolor rgb peak_color linewidth 0.7
        }
    } }
    plot 100 with lines linecolor rgb peak_color linewidth 2 dashtype 3 notitle, \
         for [i = 1:words(gpus_variants)] table \
         using 3:(of(word(gpus_variants, i), word(counts, p))) with linespoints linewidth 2 \
             pointtype int(word(marks, (i - 1) % 8 + 1)) pointsize 1.1 \
             linecolor rgb tone(i)
}
unset multiplot
