# Prints the ladder at one size as a plain table: awk -v size=4096 -f tools/ladder.awk newest.csv (see plots/newest.awk).
# Without that size, the largest one that was measured.
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
!$at["last"] || !$at["square"] || $at["mode"] != "burst" { next }
$at["step"] ~ /^(00|1[0-9])_/ { next } # side lessons are no rungs
{
    step = $at["step"]; n = $at["n"]
    tflops[step, n] = $at["tflops"]; pct[step, n] = $at["pct_peak"]; ratio[step, n] = $at["vs_cublas"]; variant[step] = $at["variant"]
    if (!(step in seen)) { seen[step] = 1; order[++steps] = step }
    if (n + 0 > largest) largest = n + 0
    if (n + 0 == size + 0) found = 1
    device = $at["device"]
}
END {
    if (!steps) exit
    n = found ? size : largest
    for (i = 2; i <= steps; i++) { # by name, cuBLAS last
        item = order[i]
        for (j = i - 1; j >= 1 && order[j] > item; j--) order[j + 1] = order[j]
        order[j + 1] = item
    }
    printf "%s, N = %d\n\n", device, n
    printf "%-28s %-22s %8s %9s %9s %13s\n", "step", "variant", "TFLOP/s", "% of peak", "x cuBLAS", "x step before"
    for (i = 1; i <= steps; i++) {
        step = order[i]
        if (!((step, n) in tflops)) continue
        gain = (before > 0 && step != "cublas") ? sprintf("%.2f", tflops[step, n] / before) : ""
        against = (step == "cublas" || ratio[step, n] == "") ? "" : sprintf("%.2f", ratio[step, n])
        printf "%-28s %-22s %8.2f %9s %9s %13s\n", step, variant[step], tflops[step, n], \
            (pct[step, n] == "" ? "" : sprintf("%.1f", pct[step, n])), against, gain
        before = tflops[step, n]
    }
}
