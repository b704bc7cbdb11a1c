# One step beside the step before or, if there is none, beside its own first variant: curves over N
# on the left, all its variants at one size on the right.
#
# Set by draw.py: i, the index of the step in the lists.
width = 1100; height = 520
load "style.gp"

curves = "curves.csv"
table = "bars.csv"
step = word(bar_steps, i)
before = word(bar_before, i)                # the variant of the rung before, or "-"
at = int(word(bar_sizes, i))                # N of the bars
places = int(word(bar_places, i))           # number of bars
first = int(word(bar_first, i))             # their rows in the table: first to last
last = first + places - 1
cublas = real(word(bar_cublas, i))          # TFLOP/s of cuBLAS at this N, 0 if not measured
new_sizes = int(word(bar_new, i))           # number of sizes at which the step was measured
old_sizes = int(word(bar_old, i))           # number of sizes of the rung before
of(name, plain) = strcol(1) eq name && column(4) == plain ? column(3) : NaN

other = old_sizes > 0 ? before : step . " " . word(bar_other, i)
other_name = old_sizes > 0 ? named(before) : word(bar_other, i)
own_name = old_sizes > 0 ? named(step) : word(bar_last, i)
highest = real(word(bar_highest, i))
# A step whose curve would lie on the axis gets an axis of its own.
low = highest < peak / 10

gain = real(word(bar_gain, i))
message = old_sizes > 0 && gain > 0 ? sprintf("%s is %.2f times as fast as %s at N = %d", \
    named(step), gain, named(before), at) : \
    gain > 0 && word(bar_last, i) ne word(bar_other, i) ? \
    sprintf(gain < 9.95 ? "%s: %s is %.2f times as fast as %s at N = %d" : \
        "%s: %s is %.1f times as fast as %s at N = %d", named(step), spaced(word(bar_last, i)), \
        gain, spaced(word(bar_other, i)), at) : named(step)
set multiplot title headline(message, times_origin) enhanced
set yrange [0:(low ? highest * 1.3 : peak * 1.06)]
set ylabel "TFLOP/s"
set tmargin at screen 0.84
set bmargin at screen (new_sizes > 1 ? 0.30 : 0.20)
left = 0.07

if (new_sizes > 1) {
    set lmargin at screen left
    set rmargin at screen 0.52
    set logscale x 2
    set xrange [size_low / 1.25:size_high * 1.25]
    set xtics (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
    set xlabel "N (hollow points: not a multiple of 128)"
    set label 1 (old_sizes > 0 ? "last variant over N" : "first and last variant over N") \
        at graph 0.5, screen 0.875 center
    set key at screen 0.295, screen 0.08 center center horizontal Left reverse \
        samplen 2.5 width 0 maxcols 2
    old_color = "#8a8a8a"
    plot low ? NaN : peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 \
        title sprintf("FP32 peak %.1f", peak), \
         curves using 2:(of(other, 1)) with linespoints \
             linewidth 1.8 linecolor rgb old_color pointtype 7 pointsize 0.9 \
             title other_name noenhanced, \
         curves using 2:(of(other, 0)) with points \
             linecolor rgb old_color pointtype 6 notitle, \
         for [name in (have_cublas && !low ? "cublas" : "")] curves using 2:(of(name, 1)) \
         with lines \
             linecolor rgb "black" linewidth 1.6 dashtype 2 notitle, \
         for [name in (have_cublas ? "cublas" : "")] NaN with lines linecolor rgb "black" \
         linewidth 1.6 dashtype 2 title "cuBLAS", \
         curves using 2:(of(step, 1)) with linespoints \
             linewidth 2.2 linecolor rgb accent pointtype point(step) \
             title own_name noenhanced, \
         curves using 2:(of(step, 0)) with points \
             linecolor rgb accent pointtype hollow(step) pointsize 1.2 notitle
    unset logscale x
    unset ylabel
    left = 0.58
}

# Bars have one width whatever their number: the axis has at least five places. A bar's figure
# stands above it, on white where the line of cuBLAS crosses it.
set lmargin at screen left
set rmargin at screen 0.985
if (new_sizes > 1) { unset key } else { set key at screen 0.52, screen 0.04 center \
    center horizontal Left reverse samplen 3 }
set yrange [0:peak * 1.06]
set boxwidth 0.7
shown = places < 5 ? 5 : places
set xrange [(places - shown) / 2.0 - 0.6:(places + shown) / 2.0 - 0.4]
set xlabel ""
set label 1 sprintf("its variants at N = %d", at) at graph 0.5, screen 0.875 center
set xtics scale 0 rotate by 25 right noenhanced
lift = peak * 0.04
figure(y) = sprintf(y < 9.95 ? "%.2f" : "%.1f", y)
plot peak with lines linecolor rgb peak_color linewidth 2 dashtype 3 \
    title sprintf("FP32 peak %.1f", peak), \
     table every ::first::last using 1:3:xtic(2) with boxes linecolor rgb "#c4c4c4" notitle, \
     table every ::first::last using 1:(strcol(4) eq "before" ? NaN : $3) with boxes \
     linecolor rgb accent_pale notitle, \
     table every ::first::last using 1:(strcol(4) eq "last" ? $3 : NaN) with boxes \
     linecolor rgb accent notitle, \
     (cublas > 0 ? cublas : NaN) with lines linecolor rgb "black" linewidth 1.6 dashtype 2 \
     title (cublas > 0 ? "cuBLAS" : ""), \
     table every ::first::last using 1:($3 + lift):(figure($3)) with labels boxed font ",12" \
     textcolor rgb ink notitle
unset multiplot
