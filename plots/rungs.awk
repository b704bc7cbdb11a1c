# Shapes counters.csv into the tables that counts.gp, bounds.gp and roofline.gp read (after tools/counters.awk and machine.awk):
#
#     awk -v out=DIR -v backend=sim -v size=4096 [-v times=newest.csv] [-v machine=machine.csv] \
#         -f tools/counters.awk -f tools/machine.awk -f rungs.awk counters.csv
#
# machine: measured ceilings, in place of nominal ones where it has them. backend: whose counters, sim or gpu. times: output of newest.awk, for measured TFLOP/s. For each counter the newest row counts,
# and only square problems do. All tables are of one size: the asked one, or the one with most steps, the largest of those.
#
# DIR/counts.csv    place,label,step,variant,last,wavefronts,sectors    per FFMA of a warp; every variant, by step
# DIR/rungs.csv     the same, last variants only
# DIR/bounds.csv    place,label,step,tflops,binding, then each part's least cycles / those of the FMA pipe
# DIR/roofline.csv  step,L1 FLOP/byte,DRAM FLOP/byte,TFLOP/s measured,TFLOP/s bound    last variants
# DIR/facts.gp
BEGIN {
    FS = ","
    if (size == "") size = 4096
    bound_names = "fma_pipe issue_slots register_file shared_memory l1 dram"
    bound_count = split(bound_names, part, " ")
    if (machine != "") load_machine(machine)
    while (times != "" && (getline line < times) > 0) {
        fields = split(line, f, ",")
        if (!heads++) { for (i = 1; i <= fields; i++) in_times[f[i]] = i; continue }
        if (f[in_times["square"]] && f[in_times["mode"]] == "burst")
            speed[f[in_times["step"]], f[in_times["variant"]], f[in_times["n"]]] = f[in_times["tflops"]]
    }
}
{ sub(/\r$/, "") }
FNR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    needed_count = split("time,commit,backend,step,variant,m,n,k,counter,value", needed, ",")
    for (i = 1; i <= needed_count; i++)
        if (!(needed[i] in column)) {
            printf "%s: line 1: no column \"%s\"; expected the header of counters.csv\n", FILENAME, needed[i] > "/dev/stderr"
            failed = 1
            exit 1
        }
    columns = NF
    next
}
NF != columns || $column["backend"] != backend || $column["m"] != $column["n"] || $column["n"] != $column["k"] { next }
$column["step"] ~ /^(00|1[0-9])_/ { next } # side lessons are no rungs
{
    step = $column["step"]; variant = $column["variant"]; n = $column["n"]
    count[step SUBSEP variant SUBSEP n, $column["counter"]] = $column["value"]
    if (!((step, variant, n) in have)) { have[step, variant, n] = 1 }
    if (!(step in steps)) { steps[step] = 1; names[++step_count] = step }
    if (!((step, variant) in known)) { known[step, variant] = 1; variants[step, ++variant_count[step]] = variant }
    if (!(n in sizes)) { sizes[n] = 1; size_list[++size_count] = n }
    # The last variant ends the longest list of variants at one size, as in newest.awk.
    if (step != now_step || n != now_n || variant != now_variant) {
        if (step != now_step || n != now_n || index(list, "," variant ",")) { list = ","; list_length = 0 }
        now_step = step; now_n = n; now_variant = variant
        list = list variant ","
        if (++list_length >= longest[step]) { longest[step] = list_length; last[step] = variant }
    }
    if ($column["time"] > newest) { newest = $column["time"]; commit = $column["commit"] }
}
function label(step, text) { text = step == "cublas" ? "cuBLAS" : step; gsub(/_/, "\\n", text); return "\"" text "\"" }
function row_of(step, variant) { return step SUBSEP variant SUBSEP at }
function chosen_size(i, j, here, most, found) {
    for (j = 1; j <= size_count; j++) {
        here = 0
        for (i = 1; i <= step_count; i++) here += (names[i], last[names[i]], size_list[j]) in have
        if (here > 0 && size_list[j] == size) return size
        if (here > most || (here == most && size_list[j] + 0 > found + 0)) { most = here; found = size_list[j] }
    }
    return found
}
function order_steps(i, j, item) {
    for (i = 2; i <= step_count; i++) {
        item = names[i]
        for (j = i - 1; j >= 1 && names[j] > item; j--) names[j + 1] = names[j]
        names[j + 1] = item
    }
}
function shared_wavefronts(id, name, sum) {
    name = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
    sum = plus(plus(raw(id, name "ld.sum"), raw(id, name "st.sum")), raw(id, name "ldgsts.sum"))
    return sum != "" ? sum : wavefronts(id, "")
}
function global_sectors(id) { return plus(global(id, "sectors", "ld"), global(id, "sectors", "st")) } # loads include async copies
function dram_bytes(id) { return plus(raw(id, "dram__bytes_read.sum"), raw(id, "dram__bytes_write.sum")) }
function counts_line(file, place, step, variant, name, here) {
    here = row_of(step, variant)
    printf "%d,%s,%s,%s,%d,%s,%s\n", place, name, step, variant, variant == last[step], over(shared_wavefronts(here), ffma(here)), \
        over(global_sectors(here), ffma(here)) > file
}
function write_counts(i, v, step, place, places, listed) {
    printf "" > (out "/counts.csv"); printf "" > (out "/rungs.csv")
    for (i = 1; i <= step_count; i++) {
        step = names[i]
        for (v = 1; v <= variant_count[step]; v++) {
            if (!((step, variants[step, v], at) in have) || ffma(row_of(step, variants[step, v])) == "") continue
            counts_line(out "/counts.csv", place++, step, variants[step, v], "\"" (step == "cublas" ? "cuBLAS" : substr(step, 1, 2)) " " variants[step, v] "\"")
        }
        if (!((step, last[step], at) in have) || ffma(row_of(step, last[step])) == "") continue
        counts_line(out "/rungs.csv", places++, step, last[step], label(step))
        listed = listed " " step
        ladder[places] = step
    }
    rungs = places
    number_fact("counts_count", place)
    number_fact("rungs_count", places)
    text_fact("rungs", substr(listed, 2))
}
# TFLOP/s that the bounds allow: the simulator's figure, with the ceilings measured.
function bound_tflops(here, p, nominal, most, most_nominal) {
    if (raw(here, "sim__bound.tflops") == "") return ""
    for (p = 1; p <= bound_count; p++) {
        nominal = raw(here, "sim__bound_" part[p] ".cycles")
        most_nominal = larger(nominal, most_nominal)
        most = larger(nominal * bound_scale(part[p]), most)
    }
    return most > 0 ? raw(here, "sim__bound.tflops") * most_nominal / most : raw(here, "sim__bound.tflops")
}
function write_bounds(i, p, step, here, cycles, fma, binding, places, line_, listed) {
    printf "" > (out "/bounds.csv")
    for (i = 1; i <= rungs; i++) {
        step = ladder[i]; here = row_of(step, last[step])
        fma = raw(here, "sim__bound_fma_pipe.cycles") * bound_scale("fma_pipe")
        if (fma + 0 <= 0) continue
        binding = 1; line_ = ""
        for (p = 1; p <= bound_count; p++) {
            cycles[p] = raw(here, "sim__bound_" part[p] ".cycles") * bound_scale(part[p])
            if (cycles[p] > cycles[binding]) binding = p
            line_ = line_ "," cycles[p] / fma
            if (cycles[p] / fma > highest) highest = cycles[p] / fma
        }
        printf "%d,%s,%s,%s,%d%s\n", places++, label(step), step, bound_tflops(here), binding, line_ > (out "/bounds.csv")
        listed = listed " " step
    }
    number_fact("bounds_count", places)
    number_fact("bounds_highest", highest)
    text_fact("bound_rungs", substr(listed, 2))
}
function write_roofline(i, step, here, flop, deep, wide, places, listed, measured, bound, drams, times_, bounds_) {
    printf "" > (out "/roofline.csv")
    for (i = 1; i <= rungs; i++) {
        step = ladder[i]; here = row_of(step, last[step])
        flop = 2 * at * at * at
        wide = over(flop, 32 * global_sectors(here))
        deep = over(flop, dram_bytes(here))
        measured = speed[step, last[step], at]
        bound = bound_tflops(here)
        if (wide == "" || (measured == "" && bound == "")) continue
        places++
        drams += deep != ""; times_ += measured != ""; bounds_ += measured == ""
        printf "%s,%s,%s,%s,%s\n", step, wide, deep, measured, measured == "" ? bound : "" > (out "/roofline.csv")
        listed = listed " " step
    }
    number_fact("roofline_count", places)
    number_fact("measured_peak", probe_value("ceiling", "FP32 FMA", ""))
    number_fact("measured_dram", probe_value("ceiling", "DRAM", "read"))
    number_fact("measured_l1", best_l1())
    number_fact("roofline_drams", drams)
    number_fact("roofline_times", times_)
    number_fact("roofline_bounds", bounds_)
    text_fact("roofline_rungs", substr(listed, 2))
}
function text_fact(name, value) { printf "%s = \"%s\"\n", name, value > (out "/facts.gp") }
function number_fact(name, value) { printf "%s = %s\n", name, value + 0 > (out "/facts.gp") }
END {
    if (failed) exit 1
    at = chosen_size()
    order_steps()
    number_fact("counted_size", at)
    text_fact("counted", (backend == "sim" ? "counted by the simulator" : "counted by Nsight Compute on the GPU") \
        (commit == "" || commit == "unknown" ? "" : ", commit " commit) (newest == "" ? "" : ", " substr(newest, 1, 10)))
    write_counts()
    write_bounds()
    write_roofline()
}
