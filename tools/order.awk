# The dispatcher of step 10 beside cuBLAS on the shapes that are asked of it (tools/order.sh verdict):
#
#     awk -v squares=128,256 -v skinny='1x8192x8192 ...' -f order.awk newest.csv       (output of plots/newest.awk)
#
# Asked: geometric mean at least 1.10 times cuBLAS, no shape under 0.95, and 1.15 at 2560, 3072, 5120 and 2049. Exit status 1
# where that is missed or a shape was not measured.
BEGIN {
    FS = ","
    count = split(squares, list, ",")
    for (i = 1; i <= count; i++) wanted[list[i] "x" list[i] "x" list[i]] = ++total
    count = split(skinny, list, " ")
    for (i = 1; i <= count; i++) wanted[list[i]] = ++total
    count = split("2049 2560 3072 5120", list, " ")
    for (i = 1; i <= count; i++) least[list[i] "x" list[i] "x" list[i]] = 1.15
}
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["step"] == "10_block_order" && $column["variant"] == "dispatch" && $column["mode"] == "burst" {
    shape = $column["m"] "x" $column["n"] "x" $column["k"]
    if (shape in wanted) ratio[shape] = $column["vs_cublas"] + 0
}
END {
    for (shape in wanted) at[wanted[shape]] = shape
    for (i = 1; i <= total; i++) {
        shape = at[i]; limit = (shape in least) ? least[shape] : 0.95
        if (!(ratio[shape] > 0)) { printf "%-20s not measured\n", shape; missed++; continue }
        printf "%-20s %.3f%s\n", shape, ratio[shape], ratio[shape] < limit ? "  under " limit : ""
        missed += ratio[shape] < limit
        sum += log(ratio[shape]); measured++
    }
    if (measured) printf "geometric mean of %d shapes: %.3f\n", measured, exp(sum / measured)
    exit missed > 0 || !measured || exp(sum / measured) < 1.10
}
