# The common style of the charts. A chart's script sets `width` and `height` in pixels, loads this
# file, and plots.
#
# tools/figures/chart.py runs the scripts in a folder with the data and facts.gp, and sets `format`,
# svg or png. A script writes the file `chart`. Text from a CSV file is in facts.gp, escaped, or in
# a column of a table: it never becomes part of a command.
set encoding utf8
set datafile separator ","
set datafile missing NaN
load "facts.gp"

if (format eq "png") {
    set terminal pngcairo size width,height font "DejaVu Sans,11" \
        linewidth 1.2 dashlength 0.6 background rgb "white"
} else {
    set terminal svg size width,height dynamic font "DejaVu Sans,13" \
        linewidth 1.2 background rgb "white"
}
set output "chart"

ink = "#333333"
faint = "#e3e3e3"
set border 3 linecolor rgb ink linewidth 1
set tics nomirror out scale 0.6 textcolor rgb ink
set grid ytics linecolor rgb faint linewidth 1 linetype 1
set style fill solid 1.0 noborder
# A figure stays readable where a line crosses it.
set style textbox opaque margins 0.5,0.5 fillcolor rgb "white" noborder

# The subject of a chart has the colour `accent`. Rungs of the ladder are shades of one hue, the
# last one in `accent`, with a point shape each; hollow(step) is the same shape unfilled. Side
# lessons are `side`; other things (parts of an SM, kinds of instructions) have the muted `things`.
accent = "#b53c0a"; accent_pale = "#e6b8a2"
shades = "#8a9cbf #7f92b8 #7387b0 #657ba7 #566d9c #475f8e #38517d #28406b"
step_points = "● ■ ▲ ▼ ◆ ⬟ ◀ ▶ ★"
hollow_points = "○ □ △ ▽ ◇ ⬠ ◁ ▷ ☆"
side = "#44546a"; side_pale = "#b4bdc9"
things = "#5c5c5c #5a9aa8 #a67fb2 #c2a033 #86a85c #5d7ca6 #b0605a #303030 #8a7a66"
number(step) = int("1" . substr(step, 1, 2)) - 100
is_rung(step) = step ne "cublas" && number(step) >= 1 && number(step) <= 9
last(step) = is_rung(step) && number(step) == 9
color(step) = step eq "cublas" ? "#000000" : last(step) ? accent : \
    is_rung(step) ? word(shades, number(step)) : side
# Bars and rows have their names beside them, so they need no colour each.
bar_color(step) = step eq "cublas" ? "#000000" : last(step) ? accent : side
bar_pale(step) = step eq "cublas" ? "#b0b0b0" : last(step) ? accent_pale : side_pale
point(step) = step eq "cublas" ? "×" : is_rung(step) ? word(step_points, number(step)) : "●"
hollow(step) = step eq "cublas" ? "×" : is_rung(step) ? word(hollow_points, number(step)) : "○"
thick(step) = step eq "cublas" ? 2.4 : 1.8
dash(step) = step eq "cublas" ? 2 : 1
peak_color = "#999999"

# "05_float4" -> "05 float4"
spaced(text) = strstrt(text, "_") ? \
    spaced(text[1:strstrt(text, "_") - 1] . " " . text[strstrt(text, "_") + 1:*]) : text
named(step) = step eq "cublas" ? "cuBLAS" : spaced(step)

headline(text, under) = "{/:Bold=15 " . text . "}\n{/=12 " . under . "}"
