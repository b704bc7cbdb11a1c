# Prints what the simulator counted as a plain table:
#
#     awk -v size=512 [-v machine=machine.csv] -f tools/counters.awk -f tools/machine.awk -f tools/bounds.awk counters.csv
#
# A line a step, its last variant. The bounds are the sim__bound counters, with the ceilings that machine.csv has in place
# of the nominal ones; without them those columns stay empty.
BEGIN {
    FS = ","
    if (machine != "") load_machine(machine)
    parts = split("fma_pipe issue_slots register_file shared_memory l1 dram", part, " ")
    split("FMA pipe,issue slots,register file,shared memory,L1,DRAM", said_part, ",")
}
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["backend"] != "sim" || $at["m"] != size || $at["n"] != size || $at["k"] != size { next }
{
    step = $at["step"]; variant[step] = $at["variant"]
    count[step SUBSEP $at["variant"], $at["counter"]] = $at["value"]
    if (!(step in seen)) { seen[step] = 1; order[++steps] = step }
}
function formatted(format, value) { return value == "" ? "" : sprintf(format, value) }
function shared_wavefronts(id, name) {
    name = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
    return plus(plus(raw(id, name "ld.sum"), raw(id, name "st.sum")), raw(id, name "ldgsts.sum"))
}
# The bound that binds; bound_tflops is what it allows.
function binding(id, p, nominal, cycles, most, most_nominal, found) {
    for (p = 1; p <= parts; p++) {
        nominal = raw(id, "sim__bound_" part[p] ".cycles")
        if (nominal == "") continue
        most_nominal = larger(nominal, most_nominal)
        cycles = nominal * bound_scale(part[p])
        if (cycles > most + 0) { most = cycles; found = said_part[p] }
    }
    bound_tflops = raw(id, "sim__bound.tflops")
    if (most > 0 && bound_tflops != "") bound_tflops *= most_nominal / most
    return found
}
END {
    for (i = 2; i <= steps; i++) {
        item = order[i]
        for (j = i - 1; j >= 1 && order[j] > item; j--) order[j + 1] = order[j]
        order[j + 1] = item
    }
    printf "%-28s %-12s %7s %11s %9s  %-14s %8s\n", "step, N = " size, "variant", "% FFMA", "wavefronts", "sectors", "binding", "bound,"
    printf "%-28s %-12s %7s %11s %9s  %-14s %8s\n", "", "", "", "per FFMA", "per FFMA", "bound", "TFLOP/s"
    for (i = 1; i <= steps; i++) {
        row = order[i] SUBSEP variant[order[i]]
        binds = binding(row)
        printf "%-28s %-12s %7s %11s %9s  %-14s %8s\n", order[i], variant[order[i]], formatted("%.1f", figure(row, "ffma_share")), \
            formatted("%.3f", over(shared_wavefronts(row), ffma(row))), \
            formatted("%.3f", over(plus(global(row, "sectors", "ld"), global(row, "sectors", "st")), ffma(row))), \
            binds, formatted("%.1f", bound_tflops)
    }
}
