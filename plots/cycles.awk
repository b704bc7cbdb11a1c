# Shapes lint.csv (tools/lint.sh) and counters.csv into what cycles.gp and strip.gp read (after tools/counters.awk):
#
#     awk -v out=DIR -v step=09_reuse_sass -v size=4096 [-v counters=counters.csv] -f tools/counters.awk -f cycles.awk lint.csv
#
# DIR/cycles.csv   place,variant,issue,expected,measured    cycles per FFMA; measured is Nsight Compute's at N = size, empty without
# DIR/facts.gp     cycles_count, cycles_highest, cycles_size, cycles_measured, strip_variants
function load_counters(line, f, head, i, width) {
    while (counters != "" && (getline line < counters) > 0) {
        i = split(line, f, ",")
        if (!width) { width = i; for (i = 1; i <= width; i++) head[f[i]] = i; continue }
        if (i != width || f[head["backend"]] != "gpu" || f[head["step"]] != step) continue
        if (f[head["m"]] != size || f[head["n"]] != size || f[head["k"]] != size) continue
        count[f[head["variant"]], f[head["counter"]]] = f[head["value"]]
    }
}
BEGIN { FS = ","; load_counters(); highest = 1 }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["step"] == step {
    variant = $column["variant"]
    issue = $column["issue_cycles_per_ffma"]; expected = $column["expected_cycles_per_ffma"]
    measured = figure(variant, "cycles_per_ffma")
    if (measured != "") any = 1
    if (expected > highest) highest = expected
    if (measured > highest) highest = measured
    print rows++ "," variant "," issue "," expected "," measured > (out "/cycles.csv")
}
END {
    printf "cycles_count = %d\ncycles_highest = %.4f\ncycles_size = %d\ncycles_measured = %d\n", rows, highest, size, any > (out "/facts.gp")
}
