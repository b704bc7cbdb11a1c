# Shapes step 10's newest rows (output of newest.awk), its L2 counters and the predictions of tools/l2.awk into what
# block_order.gp and l2.gp read:
#
#     awk -v out=DIR -v counters=COUNTERS.csv -v predicted=PREDICTED.csv -f block_order.awk newest.csv
#
# DIR/squares.csv   n,x cuBLAS,plain       the dispatcher, M = N = K; plain 1: N divides by 128
# DIR/skinny.csv    place,label,x cuBLAS   other shapes
# DIR/hits.csv      place,label,measured,predicted,raster    L2 hit rate of the four orders, percent
# DIR/facts.gp
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["step"] != "10_block_order" || $column["mode"] != "burst" { next }
{
    device = $column["device"]; driver = $column["driver"]; commit = $column["commit"]; time = $column["time"]
    if ($column["sm_mhz"] > 0) {
        if (mhz_low == "" || $column["sm_mhz"] + 0 < mhz_low) mhz_low = $column["sm_mhz"] + 0
        if ($column["sm_mhz"] + 0 > mhz_high + 0) mhz_high = $column["sm_mhz"] + 0
    }
}
$column["variant"] == "dispatch" && $column["vs_cublas"] > 0 && $column["n"] < 16384 { # 16384 is no shape of the 38
    if ($column["square"]) { n[++squares] = $column["n"]; ratio[squares] = $column["vs_cublas"] }
    else { label[++others] = $column["m"] " x " $column["n"] " x " $column["k"]; other[others] = $column["vs_cublas"] }
    sum += log($column["vs_cublas"])
}
function text_fact(name, value) { printf "%s = \"%s\"\n", name, value > (out "/facts.gp") }
function number_fact(name, value) { printf "%s = %s\n", name, value + 0 > (out "/facts.gp") }
function load_counters(line, f, at, width, i) {
    if (counters == "" || (getline line < counters) <= 0) return
    width = split(line, f, ",")
    for (i = 1; i <= width; i++) at[f[i]] = i
    while ((getline line < counters) > 0) {
        if (split(line, f, ",") != width || f[at["step"]] != "10_block_order" || f[at["backend"]] != "gpu") continue
        if (f[at["counter"]] == "lts__t_sector_hit_rate.pct") hit[f[at["variant"]], f[at["n"]]] = f[at["value"]]
    }
}
END {
    printf "" > (out "/squares.csv"); printf "" > (out "/skinny.csv"); printf "" > (out "/hits.csv")
    for (i = 2; i <= squares; i++)
        for (j = i; j > 1 && n[j - 1] + 0 > n[j] + 0; j--) {
            swap = n[j]; n[j] = n[j - 1]; n[j - 1] = swap
            swap = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = swap
        }
    for (i = 1; i <= squares; i++) printf "%d,%s,%d\n", n[i], ratio[i], (n[i] % 128 == 0) > (out "/squares.csv")
    for (i = 1; i <= others; i++) printf "%d,\"%s\",%s\n", i - 1, label[i], other[i] > (out "/skinny.csv")
    load_counters()
    while ((getline line < predicted) > 0) {
        split(line, f, ",")
        if (!((f[1], f[2]) in hit)) continue
        if (f[2] != previous && hits) gap++
        previous = f[2]
        printf "%d,\"%s %d\",%s,%s,%s\n", hits++ + gap, f[1], f[2], hit[f[1], f[2]], f[6], f[1] > (out "/hits.csv")
    }
    gsub(/["\\]/, "", device)
    text_fact("device", device); text_fact("driver", driver); text_fact("commit", commit); text_fact("date", substr(time, 1, 10))
    text_fact("clock", mhz_high == "" ? "" : (mhz_low == mhz_high ? mhz_high : mhz_low " to " mhz_high) " MHz")
    number_fact("square_count", squares); number_fact("skinny_count", others); number_fact("hit_count", hits)
    number_fact("hit_places", hits + gap); number_fact("size_low", n[1]); number_fact("size_high", n[squares])
    number_fact("mean", squares + others ? exp(sum / (squares + others)) : 0)
}
