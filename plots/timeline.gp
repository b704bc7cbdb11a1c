# Step 14: transfers to rank 0 and its computation during one run, predicted above, measured below.
#
# Set by draw.py: variant.
width = 1100; height = 360
load "style.gp"

table = "timeline.csv"
about = value("timeline_" . variant)
set title headline(value("timeline_" . variant . "_message"), about) enhanced
set xlabel "ms from the start"
set yrange [-0.6:3.6]
set ytics ("travel, measured" 0, "compute, measured" 1, "travel, predicted" 2, \
    "compute, predicted" 3) scale 0
set key off
unset grid
set style fill solid 0.8 border rgb "white"
lane(from, is) = strcol(1) eq variant && int(column(2)) % 2 == is ? column(from) : NaN
plot table using (lane(3, 0)):2:(lane(3, 0)):(lane(4, 0)):($2 - 0.35):($2 + 0.35) with boxxyerror \
    linecolor rgb word(things, 4), \
     table using (lane(3, 1)):2:(lane(3, 1)):(lane(4, 1)):($2 - 0.35):($2 + 0.35) \
     with boxxyerror linecolor rgb side
