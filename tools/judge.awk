# What a run of drawn shapes says of the dispatcher (tools/order.sh judge): awk -F, -f tools/judge.awk SAMPLE.csv
#
# The ten shapes furthest behind cuBLAS, the geometric mean, and how many are at 0.95 or more; where memory is the limit, at most 10 FLOP
# a byte and 50 us or more, the least rate at which A, B and C were moved; where cublasLt's fastest algorithm was timed in the same run
# (--baseline tuned), the same beside that. The last row of a shape counts.
function number(name) {
    if (name in at) return at[name]
    print "judge.awk: no column \"" name "\"; expected what tools/order.sh sample writes" > "/dev/stderr"
    failed = 2
    exit failed
}
{ gsub(/"[^"]*"/, "quoted") } # a device's name may have commas
NR == 1 {
    for (i = 1; i <= NF; i++) at[$i] = i
    variant = number("variant"); m = number("m"); n = number("n"); k = number("k"); ms = number("ms_median")
    ratio = number("vs_cublas"); check = number("check")
    next
}
{ shape = $m "x" $n "x" $k }
$variant == "tuned" && $ratio > 0 { tuned[shape] = $ratio; tuned_ms[shape] = $ms }
$variant == "dispatch" && $ratio > 0 {
    own_ms[shape] = $ms
    ratios[shape] = $ratio
    wrong += $check == "fail"
    bytes = 4 * ($m * $k + $k * $n + $m * $n)
    rates[shape] = 2 * $m * $n * $k <= 10 * bytes && $ms >= 0.05 ? bytes / $ms / 1e6 : 0
}
END {
    if (failed) exit failed
    for (shape in ratios) { count++; sum += log(ratios[shape]); good += ratios[shape] >= 0.95; least_of[count] = shape }
    if (!count) { print "judge.awk: no row of dispatch with a ratio to cuBLAS" > "/dev/stderr"; exit 1 }
    for (i = 1; i <= 10 && i <= count; i++) {
        for (j = i + 1; j <= count; j++) {
            if (ratios[least_of[j]] < ratios[least_of[i]]) { t = least_of[i]; least_of[i] = least_of[j]; least_of[j] = t }
        }
        printf "%-20s %.3f\n", least_of[i], ratios[least_of[i]]
    }
    printf "geometric mean of %d shapes: %.3f; at 0.95 or more: %.1f %%; wrong: %d\n", count, exp(sum / count), 100 * good / count, wrong
    for (shape in tuned) if (shape in own_ms) {
        rivals++; rival += log(tuned[shape]); beside = tuned_ms[shape] / own_ms[shape]; besides += log(beside); held += beside >= 0.95
        if (!worst || beside < worst) { worst = beside; worst_shape = shape }
    }
    if (rivals) printf "cublasLt, the fastest it offers, on %d shapes: %.3f times cublasSgemm; dispatch %.3f times that, %d at 0.95 or more, least %.3f (%s)\n", \
        rivals, exp(rival / rivals), exp(besides / rivals), held, worst, worst_shape
    for (shape in rates) if (rates[shape] && (!rate || rates[shape] < rate)) { rate = rates[shape]; slowest = shape }
    if (rate) printf "least rate where memory is the limit: %.0f GB/s, %s\n", rate, slowest
}
