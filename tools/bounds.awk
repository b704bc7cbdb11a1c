# Prints what the simulator counted as a plain table: awk -v size=512 -f tools/counters.awk -f tools/bounds.awk counters.csv
#
# A line a step, its last variant. The bounds are the sim__bound counters; without them those columns stay empty.
BEGIN {
    FS = ","
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
function binding(id, p, cycles, most, found) {
    for (p = 1; p <= parts; p++) {
        cycles = raw(id, "sim__bound_" part[p] ".cycles")
        if (cycles != "" && cycles + 0 > most + 0) { most = cycles; found = said_part[p] }
    }
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
        printf "%-28s %-12s %7s %11s %9s  %-14s %8s\n", order[i], variant[order[i]], formatted("%.1f", figure(row, "ffma_share")), \
            formatted("%.3f", over(shared_wavefronts(row), ffma(row))), \
            formatted("%.3f", over(plus(global(row, "sectors", "ld"), global(row, "sectors", "st")), ffma(row))), \
            binding(row), formatted("%.1f", raw(row, "sim__bound.tflops"))
    }
}
