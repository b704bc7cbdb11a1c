# Sorts the words of `order` by the array `heights`, the highest first, as lines end in a chart.
ranked = ""
do for [i = 1:|heights|] {
    best = 1
    do for [j = 2:|heights|] {
        if (heights[j] > heights[best]) { best = j }
    }
    ranked = ranked . " " . word(order, best)
    heights[best] = -1
}
order = ranked
