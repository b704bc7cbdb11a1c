# Shapes the newest rows (output of newest.awk) into the small tables the charts read:
#
#     awk -v out=DIR -v size=4096 -f shape.awk newest.csv
#
# DIR/curves.csv     step,n,tflops,pct_peak,pct_cublas,plain   last variants and cuBLAS; plain 1: N divides by 128
# DIR/bars-STEP.csv  place,label,tflops,kind    the variants of one step at one size; kind: before, other or last
# DIR/ladder.csv     place,label,tflops,gain                   the rungs at one size
# DIR/sustained.csv  place,label,step,tflops,burst,mhz,watts
# DIR/facts.gp       what the titles say: device, driver, date, peak, ladder size, lists of steps
BEGIN { FS = ","; if (size == "") size = 4096 }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["fp64"] { next } # dgemm.awk's
{
    step = $column["step"]; variant = $column["variant"]; n = $column["n"]
    tflops = $column["tflops"] + 0; pct = $column["pct_peak"] + 0
    device = $column["device"]; driver = $column["driver"]; mode = $column["mode"]
    if ($column["time"] > time[mode]) { time[mode] = $column["time"]; commit[mode] = $column["commit"] }
    if (pct > 0 && tflops > best) { best = tflops; peak = 100 * tflops / pct }
    if ($column["mode"] == "burst" && $column["sm_mhz"] > 0) {
        if (mhz_low == "" || $column["sm_mhz"] + 0 < mhz_low) mhz_low = $column["sm_mhz"] + 0
        if ($column["sm_mhz"] + 0 > mhz_high + 0) mhz_high = $column["sm_mhz"] + 0
    }
    if (!$column["square"]) next
    if ($column["mode"] == "sustained") {
        if ($column["last"]) {
            if (!((step, n) in hot)) hot_size[n]++
            if (!(step in hot_step)) { hot_step[step] = 1; hot_names[++hot_count] = step }
            hot[step, n] = tflops; mhz[step, n] = $column["sm_mhz"]; watts[step, n] = $column["watts"]
        }
        next
    }
    if (!(step in steps)) { steps[step] = 1; names[++count] = step }
    if (!(n in sizes)) { sizes[n] = 1; size_list[++size_count] = n }
    if (!((step, variant) in place)) { place[step, variant] = variants[step]; variant_name[step, variants[step]++] = variant }
    speed[step, variant, n] = tflops
    percent[step, variant, n] = pct
    if ($column["last"]) {
        final[step] = variant
        ratio[step, n] = $column["vs_cublas"]
    }
}
function sort(list, length_, numeric, i, j, item) {
    for (i = 2; i <= length_; i++) {
        item = list[i]
        for (j = i - 1; j >= 1 && (numeric ? list[j] + 0 > item + 0 : (list[j] "") > (item "")); j--) list[j + 1] = list[j]
        list[j + 1] = item
    }
}
function label(step, text) { # "05_float4" -> "05\nfloat4", in quotes for gnuplot
    text = step == "cublas" ? "cuBLAS" : step
    gsub(/_/, "\\n", text)
    return "\"" text "\""
}
function is_rung(step) { return step ~ /^0[1-9]_/ }
function reached(step, variant, n) { return ((step, variant, n) in speed) ? speed[step, variant, n] : "" } # TFLOP/s
function last_reached(step, n) { return reached(step, final[step], n) }
function against_cublas(step, n) { # in percent
    if (ratio[step, n] > 0) return 100 * ratio[step, n]
    return last_reached("cublas", n) > 0 ? 100 * last_reached(step, n) / last_reached("cublas", n) : ""
}
function text_fact(name, value) { printf "%s = \"%s\"\n", name, value > (out "/facts.gp") }
function number_fact(name, value) { printf "%s = %s\n", name, value + 0 > (out "/facts.gp") }
function list_fact(name, value) { text_fact(name, substr(value, 2)) } # without the leading space

function write_curves(file, i, j, step, n) {
    printf "" > file
    for (i = 1; i <= count; i++) {
        step = names[i]
        for (j = 1; j <= size_count; j++) {
            n = size_list[j]
            if (last_reached(step, n) == "") continue
            printf "%s,%d,%s,%s,%s,%d\n", step, n, last_reached(step, n), percent[step, final[step], n], \
                against_cublas(step, n), (n % 128 == 0) > file
        }
    }
}
# The asked size, or, where no rung was measured at it, the one with the most rungs, the largest of those.
function ladder_size(i, j, here, most, found) {
    for (j = 1; j <= size_count; j++) {
        here = 0
        for (i = 1; i <= count; i++) here += is_rung(names[i]) && last_reached(names[i], size_list[j]) != ""
        if (here > 0 && size_list[j] == size) return size
        if (here > 0 && here >= most) { most = here; found = size_list[j] }
    }
    return found
}
function write_ladder(file, n, i, step, tflops, before, places, listed) {
    printf "" > file
    for (i = 1; i <= count; i++) {
        step = names[i]
        tflops = last_reached(step, n)
        if (!is_rung(step) || tflops == "") continue
        printf "%d,%s,%s,%s,%s\n", places++, label(step), tflops, (before > 0 ? tflops / before : ""), step > file
        listed = listed " " step
        before = tflops
    }
    number_fact("ladder_size", n)
    number_fact("ladder_count", places)
    list_fact("ladder_rungs", listed)
    number_fact("cublas_at", last_reached("cublas", n))
}
# Where to compare a step's variants: the ladder's size, or the largest size that has more of them.
function bar_size(step, preferred, j, v, present, most, found) {
    for (j = 1; j <= size_count; j++) {
        present = 0
        for (v = 0; v < variants[step]; v++) present += reached(step, variant_name[step, v], size_list[j]) != ""
        if (present > most || (present == most && found != preferred)) { most = present; found = size_list[j] }
    }
    return found
}
# The bars of one step, the step before in front; returns their number.
function write_bars(step, before, n, file, v, variant, places) {
    file = out "/bars-" step ".csv"
    printf "" > file
    if (before != "-" && last_reached(before, n) != "")
        printf "%d,%s %s,%s,before\n", places++, substr(before, 1, 2), final[before], last_reached(before, n) > file
    for (v = 0; v < variants[step]; v++) {
        variant = variant_name[step, v]
        if (reached(step, variant, n) == "") continue
        printf "%d,%s,%s,%s\n", places++, variant, reached(step, variant, n), (variant == final[step] ? "last" : "other") > file
    }
    close(file)
    return places
}
function write_steps(preferred, i, step, before, rung, n, listed, at, places, cublas, befores) {
    rung = "-"
    for (i = 1; i <= count; i++) {
        step = names[i]
        if (step == "cublas") continue
        n = bar_size(step, preferred)
        before = is_rung(step) ? rung : "-"
        listed = listed " " step
        at = at " " n
        places = places " " write_bars(step, before, n)
        befores = befores " " before
        cublas = cublas " " (last_reached("cublas", n) + 0)
        if (is_rung(step)) { rung = step; rungs = rungs " " step }
    }
    list_fact("rungs", rungs)
    list_fact("bar_steps", listed)
    list_fact("bar_sizes", at)
    list_fact("bar_places", places)
    list_fact("bar_before", befores)
    list_fact("bar_cublas", cublas)
}
# The sustained runs, at the size that most steps share, the largest of those.
function write_sustained(file, n, i, at, step, places, listed) {
    printf "" > file
    for (n in hot_size)
        if (at == "" || hot_size[n] > hot_size[at] || (hot_size[n] == hot_size[at] && n + 0 > at + 0)) at = n
    for (i = 1; i <= hot_count; i++) {
        step = hot_names[i]
        if (!((step, at) in hot)) continue
        printf "%d,%s,%s,%s,%s,%s,%s\n", places++, label(step), step, hot[step, at], last_reached(step, at), \
            mhz[step, at], watts[step, at] > file
        listed = listed " " step
    }
    number_fact("sustained_size", at)
    number_fact("sustained_count", places)
    list_fact("sustained_steps", listed)
}
END {
    sort(names, count, 0)
    sort(hot_names, hot_count, 0)
    sort(size_list, size_count, 1)
    gsub(/["\\]/, "", device)
    text_fact("device", device)
    text_fact("driver", driver)
    text_fact("commit", commit["burst"])
    text_fact("date", substr(time["burst"], 1, 10))
    text_fact("sustained_commit", commit["sustained"])
    text_fact("sustained_date", substr(time["sustained"], 1, 10))
    text_fact("clock", mhz_high == "" ? "" : (mhz_low == mhz_high ? mhz_high : mhz_low " to " mhz_high) " MHz")
    number_fact("peak", peak)
    number_fact("have_cublas", "cublas" in steps)
    number_fact("size_low", size_list[1])
    number_fact("size_high", size_list[size_count])
    number_fact("size_count", size_count)
    write_curves(out "/curves.csv")
    write_ladder(out "/ladder.csv", ladder_size())
    write_steps(ladder_size())
    write_sustained(out "/sustained.csv")
}
