#!/usr/bin/env bash
# Prints lessons 01 to 09 on one screen. For each lesson: the count that it is about, in the lesson
# before and in this one, and the speed at N = 2048.
#
#     tools/summary.sh COUNTERS N TIMES TITLE OTHER
#
#     COUNTERS     counters.csv of a run of the last variants at this N; '' if nothing was counted
#     TIMES TITLE  results.csv or predicted.csv, and the title of the column with its speeds
#     OTHER        results.csv of an H200, whose speeds are the last column; '' for none
#
# Needs only awk and sed.
set -euo pipefail
export LC_ALL=C

# times FILE KIND: prints a line "KIND STEP VARIANT TFLOPS" for each row of FILE at N = 2048 that
# has bursts of lessons 01 to 09 or of cuBLAS.
times() {
    [[ ! -s $1 ]] || sed 's/"[^"]*"//g' "$1" | awk -F, -v kind="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        ($at["step"] ~ /^0[1-9]_/ || $at["variant"] == "pedantic") && $at["m"] == 2048 &&
            $at["n"] == 2048 && $at["k"] == 2048 && $at["lda"] == 2048 && $at["mode"] == "burst" {
            print kind, $at["step"], $at["variant"], $at["tflops"] }'
}
# counts FILE N: prints a line "count STEP VARIANT COUNTER VALUE" for each row of FILE at N that has
# a counter of lessons 01 to 09.
counts() {
    [[ ! -s $1 ]] || awk -F, -v n="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["step"] ~ /^0[1-9]_/ && $at["m"] == n && $at["n"] == n && $at["k"] == n { print "count",
            $at["step"], $at["variant"], $at["counter"], $at["value"] }' "$1"
}

{ counts "$1" "$2"; times "$3" time; times "$5" other; } | awk -v title="$4" -v n="$2" '
    $1 == "count" { last[$2] = $3; value[$2, $3, $4] = $5; next }
    $1 == "time" { time[$2, $3] = $4; if (!counted[$2]) timed[$2] = $3; next }
    { other[$2, $3] = $4 }
    # Returns the sum of several counters of a step.
    function sum(step, names,    i, m, name, total) {
        m = split(names, name, " ")
        for (i = 1; i <= m; i++) total += value[step, last[step], name[i] ".sum"]
        return total
    }
    function ffma(step) { return sum(step, "smsp__sass_thread_inst_executed_op_ffma_pred_on") / 32 }
    function figure(step, names, per,    below) {
        below = per == "" ? 1 : per == "ffma" ? ffma(step) : sum(step, per)
        return step in last && below && ffma(step) ? sprintf(per == "" ? "%d" : "%.2f",
            sum(step, names) / below) : ""
    }
    function row(number, text, names, per,    step, s, variant) {
        for (s in last) if (s ~ "^" number "_") step = s
        for (s in timed) if (step == "" && s ~ "^" number "_") step = s
        if (step == "") return
        variant = step in last ? last[step] : timed[step]
        printf "%-26s %-34s %7s %7s %10s %8s\n", step, text, before == "" ? "" : figure(before,
            names, per), figure(step, names, per),
            (step, variant) in time ? sprintf("%.1f", time[step, variant]) : "",
                (step, variant) in other ? sprintf("%.1f", other[step, variant]) : ""
        before = step
    }
    END {
        delete timed["cublas"]
        shared = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
        shared = shared "ld " shared "st " shared "ldgsts"
        loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld"
        loads = loads " " loads "gsts"
        printf "%-26s %-34s %7s %7s %19s\n", "", n ? "counted at N = " n : "", "in step", "in this",
            "TFLOP/s at N = 2048"
        printf "%-26s %-34s %7s %7s %10s %8s\n", "step", "what it is about", "before", "step",
            title, "an H200"
        row("01", "sectors per load request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld")
        row("02", "loads from global memory per FFMA", loads, "ffma")
        row("03", "shared wavefronts per FFMA", shared, "ffma")
        row("04", "shared wavefronts per FFMA", shared, "ffma")
        row("05", "instructions per FFMA", "smsp__inst_executed", "ffma")
        row("06", "bank conflicts of stores",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", "")
        row("07", "shared wavefronts per FFMA", shared, "ffma")
        row("08", "instructions per FFMA", "smsp__inst_executed", "ffma")
        row("09", "register-bank cycles lost per FFMA", "sim__register_bank_cycles_lost", "ffma")
        printf "%-26s %-34s %7s %7s %10s %8s\n", "cuBLAS", "", "", "",
            ("cublas", "pedantic") in time ? sprintf("%.1f", time["cublas", "pedantic"]) : "",
            sprintf("%.1f", other["cublas", "pedantic"])
    }'
