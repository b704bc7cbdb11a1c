# Costs of step 13's launches (steps/13_tensor_cores/rules.h) by least squares of relative errors: awk -F, -f tools/tensor_costs.awk
# APPLICATIONS.csv. Of each shape the newest row of `mended` counts. Prints the device's row of costs.h.
function up(value, by) { return int((value + by - 1) / by) }

# Solves the normal equations of the terms that are in use, by elimination; they are positive definite.
function solve(    i, j, k, f) {
    for (i = 1; i <= TERMS; i++) {
        right[i] = used[i] ? moment[i] : 0
        for (j = 1; j <= TERMS; j++) left[i, j] = used[i] && used[j] ? product[i, j] : i == j
    }
    for (i = 1; i <= TERMS; i++)
        for (k = i + 1; k <= TERMS; k++) {
            f = left[k, i] / left[i, i]
            for (j = i; j <= TERMS; j++) left[k, j] -= f * left[i, j]
            right[k] -= f * right[i]
        }
    for (i = TERMS; i >= 1; i--) {
        for (j = i + 1; j <= TERMS; j++) right[i] -= left[i, j] * cost[j]
        cost[i] = right[i] / left[i, i]
    }
}

BEGIN { TERMS = 6 }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["variant"] == "mended" && $column["mode"] == "burst" {
    device = $column["device"]
    newest[$column["m"], $column["n"], $column["k"]] = 1000 * $column["ms_median"]
    commit = $column["commit"]
}
END {
    for (shape in newest) {
        split(shape, size, SUBSEP)
        rounds = up(up(size[1], 256) * 2 * up(size[2], 128), sms)
        term[1] = 1; term[2] = size[1]; term[3] = size[3] * size[1]; term[4] = size[3] * size[2]
        term[5] = rounds; term[6] = rounds * up(size[3], 64)
        for (i = 1; i <= TERMS; i++) {
            moment[i] += term[i] / newest[shape]
            for (j = 1; j <= TERMS; j++) product[i, j] += term[i] * term[j] / newest[shape] ^ 2
        }
        shapes++
    }
    if (shapes < 2 * TERMS) { print "tensor_costs.awk: " shapes + 0 " shapes of mended are too few" > "/dev/stderr"; exit 1 }
    for (i = 1; i <= TERMS; i++) used[i] = 1
    for (round = 1; round <= TERMS; round++) {  # no cost is negative
        solve()
        worst = 0
        for (i = 1; i <= TERMS; i++) if (cost[i] < 0 && (!worst || cost[i] < cost[worst])) worst = i
        if (!worst) break
        used[worst] = 0
    }
    printf "    {\"%s\", %.1f, %.3g, %.3g, %.3g, %.2f, %.3f}, // %d shapes, commit %s\n", device, cost[1], cost[2], cost[3], cost[4], cost[5], cost[6], shapes, commit
}
