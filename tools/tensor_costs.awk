# Costs of step 13's launches (library/rules/safe.h) by least squares of relative errors: awk -F, -v sms=132 -f
# tools/tensor_costs.awk APPLICATIONS.csv. Of each shape the newest row of a variant counts. Prints the device's row of safe_costs.h.
function up(value, by) { return int((value + by - 1) / by) }

# The six terms whose sum is what a variant takes: safe.h has them.
function set_terms(halves, m, n, k,    rounds) {
    rounds = up(halves ? 2 * up(m, 128) * up(n, 128) : up(m, 256) * 2 * up(n, 128), sms)
    term[1] = 1; term[2] = m; term[3] = k * m; term[4] = k * n; term[5] = rounds
    term[6] = rounds * (halves ? up(k, 128) : up(k, 64))
}

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

# The costs of a variant, in braces.
function fit(variant,    shape, size, shapes, i, j, round, worst) {
    delete moment; delete product
    for (shape in newest) {
        split(shape, size, SUBSEP)
        if (size[1] != variant) continue
        set_terms(variant != "mended", size[2], size[3], size[4])
        for (i = 1; i <= TERMS; i++) {
            moment[i] += term[i] / newest[shape]
            for (j = 1; j <= TERMS; j++) product[i, j] += term[i] * term[j] / newest[shape] ^ 2
        }
        shapes++
    }
    if (shapes < 2 * TERMS) { print "tensor_costs.awk: " shapes + 0 " shapes of " variant " are too few" > "/dev/stderr"; exit 1 }
    for (i = 1; i <= TERMS; i++) used[i] = 1
    for (round = 1; round <= TERMS; round++) {  # no cost is negative
        solve()
        worst = 0
        for (i = 1; i <= TERMS; i++) if (cost[i] < 0 && (!worst || cost[i] < cost[worst])) worst = i
        if (!worst) break
        used[worst] = 0
    }
    counts = counts (counts ? ", " : "") shapes
    return sprintf("{%.1f, %.3g, %.3g, %.3g, %.2f, %.3f}", cost[1], cost[2], cost[3], cost[4], cost[5], cost[6])
}

BEGIN { TERMS = 6 }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["variant"] ~ /^(mended|few_rows|few_cols)$/ && $column["mode"] == "burst" {
    device = $column["device"]
    newest[$column["variant"], $column["m"], $column["n"], $column["k"]] = 1000 * $column["ms_median"]
    commit = $column["commit"]
}
END {
    row = sprintf("    {\"%s\", %s, %s, %s},", device, fit("mended"), fit("few_rows"), fit("few_cols"))
    print row " // " counts " shapes, commit " commit
}
