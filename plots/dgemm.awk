# Shapes step 11's newest rows (output of newest.awk) into what dgemm.gp reads:
#
#     awk -v out=DIR -v size=4096 -f dgemm.awk newest.csv
#
# DIR/curves.csv   variant,n,tflops                  M = N = K, burst; cuBLAS is the variant "dgemm"
# DIR/borders.csv  place,n,tflops of all,of padded   at sizes that are no multiple of 128
# DIR/facts.gp
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
!$column["fp64"] || !$column["square"] || $column["mode"] != "burst" { next }
{
    variant = $column["variant"]; n = $column["n"]; tflops = $column["tflops"] + 0
    if ($column["pct_peak"] > 0) peak = 100 * tflops / $column["pct_peak"]
    if (tflops > highest) highest = tflops
    if ($column["sm_mhz"] > 0) {
        if (mhz_low == "" || $column["sm_mhz"] + 0 < mhz_low) mhz_low = $column["sm_mhz"] + 0
        if ($column["sm_mhz"] + 0 > mhz_high + 0) mhz_high = $column["sm_mhz"] + 0
    }
    if ($column["step"] != "cublas" && !(variant in known)) { known[variant] = 1; listed = listed " " variant; count++ }
    if (variant == "dgemm") have_cublas = 1
    if (!(n in sizes)) { sizes[n] = 1; size_list[++size_count] = n }
    speed[variant, n] = tflops
    device = $column["device"]; driver = $column["driver"]; commit = $column["commit"]; time = $column["time"]
}
function text_fact(name, value) { printf "%s = \"%s\"\n", name, value > (out "/facts.gp") }
function number_fact(name, value) { printf "%s = %s\n", name, value + 0 > (out "/facts.gp") }
END {
    for (i = 2; i <= size_count; i++) {
        item = size_list[i]
        for (j = i - 1; j >= 1 && size_list[j] + 0 > item + 0; j--) size_list[j + 1] = size_list[j]
        size_list[j + 1] = item
    }
    printf "" > (out "/curves.csv"); printf "" > (out "/borders.csv")
    for (i = 1; i <= size_count; i++) {
        n = size_list[i]
        for (key in speed) {
            split(key, part, SUBSEP)
            if (part[2] == n) printf "%s,%d,%s\n", part[1], n, speed[key] > (out "/curves.csv")
        }
        if (n % 128 == 0 || !(("all", n) in speed) || !(("padded", n) in speed)) continue
        printf "%d,%d,%s,%s\n", places++, n, speed["all", n], speed["padded", n] > (out "/borders.csv")
    }
    gsub(/["\\]/, "", device)
    text_fact("device", device); text_fact("driver", driver); text_fact("commit", commit); text_fact("date", substr(time, 1, 10))
    text_fact("clock", mhz_high == "" ? "" : (mhz_low == mhz_high ? mhz_high : mhz_low " to " mhz_high) " MHz")
    text_fact("dgemm_variants", substr(listed, 2))
    number_fact("dgemm_count", count); number_fact("have_cublas", have_cublas); number_fact("border_places", places)
    number_fact("peak", peak); number_fact("highest", highest)
    number_fact("size_low", size_list[1]); number_fact("size_high", size_list[size_count])
}
