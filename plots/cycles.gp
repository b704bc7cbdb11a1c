# Cycles per FFMA of each variant: of the loop by sass lint, and of the whole kernel as measured.
width = 1100; height = 560
load "style.gp"

table = "cycles.csv"
under = "lint, of the loop: instructions and bank conflicts; " . \
    "expected: the mean of two bank models, and what loads cost" . \
    (cycles_measured ? \
    sprintf("\nH200: active cycles of a scheduler over its FFMAs, the whole kernel, N = %d", \
    cycles_size) : \
        "\nnot measured yet: lint's figures only")
set title headline(cycles_message, under) enhanced
set ylabel "cycles per FFMA and scheduler (1 is the floor)"
set xrange [-0.6:cycles_count - 0.4]
set yrange [1:1 + (cycles_highest - 1) * 1.25]
set xtics scale 0 noenhanced
set ytics 0.05
set format y "%.2f"
set key outside bottom center horizontal Left reverse samplen 1.5
bars = cycles_measured ? 3 : 2
bar = 0.8 / bars
x(place, i) = place + (i - (bars + 1) / 2.0) * bar
colors = side_pale . " " . side . " " . accent
names = "'lint, instructions and bank conflicts' 'lint, expected' 'H200'"
plot for [i = 1:bars] table using (x($1, i)):(column(2 + i)):(bar * 0.9):xtic("") with boxes \
    linecolor rgb word(colors, i) title word(names, i), \
     table using 1:(NaN):xtic(2) with points notitle, \
     for [i = 1:bars] table \
     using (x($1, i)):(column(2 + i) + (cycles_highest - 1) * 0.035):(sprintf("%.2f", \
     column(2 + i))) \
         with labels font ",12" textcolor rgb ink notitle
