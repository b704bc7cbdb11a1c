# The machine-code variants of step 12 at one size, for orders.gp:
#
#     awk -v out=DIR -v size=4096 -v counters=COUNTERS.csv -f tools/counters.awk -f orders.awk NEWEST.csv
#
# DIR/orders.csv   place,variant,tflops,cycles an FFMA and scheduler (of Nsight Compute's counters, empty without)
# DIR/facts.gp     device, driver, date, commit, peak, orders_count, orders_size, orders_cycles (how many have cycles)
BEGIN {
    FS = ","
    names = split("rows back_and_forth swirl swirl_keep_2 swirl_two_banks", name, " ")
}
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    pct = $column["pct_peak"] + 0
    if (pct > 0 && $column["tflops"] + 0 > best) { best = $column["tflops"] + 0; peak = 100 * best / pct }
    if ($column["step"] != "12_maxas" || !$column["square"] || $column["mode"] != "burst" || $column["n"] != size) next
    tflops[$column["variant"]] = $column["tflops"]
    device = $column["device"]; driver = $column["driver"]; commit = $column["commit"]; time = $column["time"]
    mhz = $column["sm_mhz"]
}
function load_counters(line, f, head, i, at) {
    if ((getline line < counters) <= 0) return
    split(line, head, ",")
    for (i in head) at[head[i]] = i
    while ((getline line < counters) > 0) {
        split(line, f, ",")
        if (f[at["backend"]] != "gpu" || f[at["step"]] != "12_maxas" || f[at["m"]] != size || f[at["n"]] != size || f[at["k"]] != size)
            continue
        count[f[at["variant"]], f[at["counter"]]] = f[at["value"]]
    }
}
function fact(name, value) { printf "%s = %s\n", name, value > (out "/facts.gp") }
END {
    load_counters()
    printf "" > (out "/orders.csv")
    for (i = 1; i <= names; i++) {
        if (!(name[i] in tflops)) continue
        cycles = figure(name[i], "cycles_per_ffma")
        if (cycles != "") with_cycles++
        printf "%d,%s,%s,%s\n", places++, name[i], tflops[name[i]], cycles > (out "/orders.csv")
    }
    fact("orders_count", places + 0); fact("orders_cycles", with_cycles + 0); fact("orders_size", size)
    fact("peak", peak + 0); fact("device", "\"" device "\""); fact("driver", "\"" driver "\"")
    fact("date", "\"" substr(time, 1, 10) "\""); fact("commit", "\"" commit "\"")
    fact("clock", "\"" (mhz > 0 ? mhz " MHz" : "") "\"")
}
