# Moves the array `heights` of names so that any two are at least `gap` apart.
do for [pass = 1:200] {
    do for [i = 1:|heights|] {
        do for [j = i + 1:|heights|] {
            near = gap - abs(heights[i] - heights[j])
            if (near > 0) {
                up = heights[i] >= heights[j] ? near / 2 : -near / 2
                heights[i] = heights[i] + up
                heights[j] = heights[j] - up
            }
        }
    }
}
