# L2 hit rate of the four orders of tiles: Nsight Compute's beside the prediction of tools/l2.py.
width = 1100; height = 490
load "style.gp"

hits = "hits.csv"
set title headline(l2_message, block_order_origin . "; block tile 128 x 256") enhanced
set yrange [0:100]
set ylabel "% of sectors"
set boxwidth 0.36
set tmargin at screen 0.86
set bmargin at screen 0.23
set xrange [-0.6:hit_places - 0.4]
set xtics scale 0 rotate by 30 right noenhanced
set key at screen 0.5, screen 0.04 center horizontal Left reverse samplen 1
plot hits using ($1 - 0.19):4:xtic(2) with boxes linecolor rgb side_pale title "predicted", \
     hits using ($1 + 0.19):3 with boxes linecolor rgb side title "measured", \
     hits using ($1 - 0.19):($4 + 3):(sprintf("%.0f", $4)) with labels font ",11" \
     textcolor rgb ink notitle, \
     hits using ($1 + 0.19):($3 + 3):(sprintf("%.0f", $3)) with labels font ",11" \
     textcolor rgb ink notitle
