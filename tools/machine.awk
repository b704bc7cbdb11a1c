# What build/00_machine found, from machine.csv: functions shared by tools/docs.sh, tools/bounds.awk and plots/.
#
# load_machine(FILE) takes the newest row of each measurement; the file may be absent. probe_value(GROUP, WHAT, VARIANT) is a
# figure measured on a GPU, counted(...) the simulator's, "" where there is none.
function load_machine(file, line, f, head, n, width, i, key, id) {
    while ((getline line < file) > 0) {
        n = split(line, f, ",")
        if (!width) { width = n; for (i = 1; i <= n; i++) head[f[i]] = i; continue }
        if (n != width || !("unit" in head)) continue
        id = f[head["group"]] SUBSEP f[head["what"]] SUBSEP f[head["variant"]]
        key = f[head["backend"]] SUBSEP id SUBSEP f[head["unit"]]
        if (!(id in machine_known)) { machine_known[id] = 1; machine_list[++machine_rows] = id }
        if (f[head["backend"]] != "sim") {
            machine_value[id] = f[head["value"]]
            machine_unit[id] = f[head["unit"]]
            machine_documented[id] = f[head["documented"]]
            machine_local[id] = f[head["local_bytes"]]
            machine_mhz[id] = f[head["sm_mhz"]]
            machine_groups[f[head["group"]]] = 1
        } else if (f[head["unit"]] == "cycles by rule") machine_rule[id] = f[head["value"]]
        else {
            machine_counted[id] = f[head["value"]]
            if (!(id in machine_local)) machine_local[id] = f[head["local_bytes"]]
        }
        machine_code[id] = f[head["code"]]
    }
    if (width) close(file)
}
function machine_key(group, what, variant) { return group SUBSEP what SUBSEP variant }
function probe_value(group, what, variant) { return machine_value[machine_key(group, what, variant)] }
function larger(a, b) { return (a + 0 > b + 0) ? a : b }
function best_shared() { return larger(probe_value("ceiling", "shared memory", "32-bit loads"), \
    larger(probe_value("ceiling", "shared memory", "64-bit loads"), probe_value("ceiling", "shared memory", "128-bit loads"))) }
function best_l1() { return larger(probe_value("ceiling", "L1", "32-bit loads"), probe_value("ceiling", "L1", "128-bit loads")) }
# The least cycles of a part (sim__bound_PART.cycles) are worked out by the simulator from nominal figures; with measured
# ones they are this many times as many.
function bound_scale(part, measured, nominal) {
    if (part == "fma_pipe") { nominal = 128; measured = probe_value("throughput", "FP32 FMA", "") }
    if (part == "shared_memory") { nominal = 128; measured = best_shared() }
    if (part == "l1") { nominal = 128; measured = best_l1() }
    if (part == "dram") { nominal = 4800; measured = probe_value("ceiling", "DRAM", "read") }
    return measured > 0 ? nominal / measured : 1
}
# TFLOP/s that the naive kernel could reach if every operand of a warp's FMA (132 bytes, 64 operations) came from L2; and if
# all came from L1 by two requests of 128 bytes.
function naive_l2() { return probe_value("ceiling", "L2", "read") * 64 / 132 / 1000 }
function naive_l1(rate) {
    rate = probe_value("throughput", "FP32 FMA", "")
    return rate > 0 ? probe_value("ceiling", "FP32 FMA", "") * (probe_value("ceiling", "L1", "32-bit loads") / 128 / 2) / (rate / 32) : 0
}
