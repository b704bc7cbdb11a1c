#!/usr/bin/env bash
# Reads hardware counters with Nsight Compute, appends them to a counters.csv, and prints them as a
# table.
#
#     tools/profile.sh STEP SIZE [VARIANTS]
#
#     STEP      05, 05_float4, a list 03,05,08, all (01 to 09), or cublas; 14 counts transferred
#               bytes by NVLink's own counters
#     SIZE      N or MxNxK, several with commas: 512,4096; '' is 4096 on a GPU, 512 on the simulator
#     VARIANTS  names with commas, last, or all; all if not given
#
# Each variant and size is one run of ncu. It measures one launch, and replays it as often as the
# counters need. Clocks are not locked (--clock-control none), so times differ from those of
# results.csv. Counters that the chip does not have are left out; a message names them. Rows are
# appended to $COUNTERS (default: profile/counters.csv). Without a GPU or ncu, or where the driver
# forbids counters, the simulator counts instead.
# Exit status: 0 success, 1 a run failed, 2 wrong usage (or a long simulation: take a SIZE of 512),
# 77 nothing to count on.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
header=time,commit,backend,step,variant,m,n,k,counter,value

metrics=(
    gpu__time_duration.sum
    sm__cycles_elapsed.max
    smsp__cycles_active.sum
    sm__warps_active.avg.pct_of_peak_sustained_active
    smsp__inst_executed.sum
    smsp__inst_issued.sum
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
    smsp__sass_thread_inst_executed_op_dfma_pred_on.sum
    sm__inst_executed_pipe_fma.sum
    sm__inst_executed_pipe_alu.sum
    sm__inst_executed_pipe_lsu.sum
    sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
    # global memory: requests (one per warp instruction) and their 32-byte sectors
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum
    smsp__inst_executed_op_ldgsts.sum
    # textures
    smsp__inst_executed_op_texture.sum
    l1tex__t_requests_pipe_tex_mem_texture.sum
    l1tex__t_sectors_pipe_tex_mem_texture.sum
    lts__t_sector_hit_rate.pct
    lts__t_sectors_srcunit_tex_op_read.sum
    dram__bytes_read.sum
    dram__bytes_write.sum
    # shared memory
    smsp__inst_executed_op_shared_ld.sum
    smsp__inst_executed_op_shared_st.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    # the launch
    launch__registers_per_thread
    launch__waves_per_multiprocessor
)
for reason in dispatch_stall short_scoreboard long_scoreboard mio_throttle lg_throttle \
    tex_throttle barrier math_pipe_throttle \
    not_selected wait no_instruction branch_resolving; do
    metrics+=("smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio")
done

[[ $# -ge 2 && $# -le 3 ]] || die "expected STEP SIZE [VARIANTS], as in: tools/profile.sh 05 4096"
list=$1 sizes=${2:-4096} given=${2:+yes} wanted=${3:-all}
counters=${COUNTERS:-profile/counters.csv}
for size in ${sizes//,/ }; do
    [[ $size =~ ^[1-9][0-9]*(x[1-9][0-9]*x[1-9][0-9]*)?$ ]] ||
        die "size '$size': expected N or MxNxK, as in 4096 or 512x512x8192"
done
[[ -x build/ladder ]] || die "build/ladder is missing; run make first" 1
if [[ -e $counters ]]; then
    IFS= read -r first <"$counters" || true
    [[ $first == "$header" ]] ||
        die "$counters:1: another header than counters.csv has; give another file in COUNTERS"
fi

# Lesson 14: prints the bytes that GPUs received, by the schedule and by NVLink's counters. ncu is
# not used, because the kernels that multiply belong to other lessons.
profile_travel() {
    local options=(--check off --rounds 1) size
    [[ $wanted == all ]] || options+=(--variant "$wanted")
    for size in ${sizes//,/ }; do
        if [[ $size == *x* ]]; then options+=(--shape "$size"); else options+=(--size "$size"); fi
    done
    build/14_several_gpus "${options[@]}"
    echo "One GPU's part of two: make profile STEP=10,shapes SIZE=ROWSxNxK, with half of the rows"
    exit
}
[[ $list != 14 && $list != 14_several_gpus ]] || profile_travel

find_ncu() {
    command -v ncu && return
    local path found=
    for path in /usr/local/cuda/bin/ncu /usr/local/cuda-*/bin/ncu \
        /opt/nvidia/nsight-compute/*/ncu; do
        if [[ -x $path ]]; then found=$path; fi
    done
    [[ $found ]] && echo "$found"
}

# simulate REASON: counts on the simulator; REASON says why not on a GPU. The program prints its own
# table and appends rows to $counters.
simulate() {
    local options=(--backend sim --check off --step "$list" --counters "$counters") size
    [[ ,$list, != *,cublas,* ]] || die "$1, and cuBLAS is counted on a GPU only" 77
    echo "$1: counted by the simulator (sasskit/docs/simulator.md says what it does not count)"
    [[ $wanted == all ]] || options+=(--variant "$wanted")
    if [[ ! $given ]]; then sizes=512; fi
    for size in ${sizes//,/ }; do
        if [[ $size == *x* ]]; then options+=(--shape "$size"); else options+=(--size "$size"); fi
    done
    mkdir -p "$(dirname "$counters")"
    exec build/ladder "${options[@]}"
}
on_gpu() { build/ladder --backend gpu --check off --rounds 1 --size 8 --baseline off "$@"; }
rc=0
on_gpu --step 01 --variant last >/dev/null 2>&1 || rc=$?
[[ $rc != 77 ]] || simulate "no GPU here"
ncu=$(find_ncu) || simulate \
    "no ncu (Nsight Compute) on PATH, in /usr/local/cuda*/bin or /opt/nvidia/nsight-compute"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints "STEP VARIANT" for each requested variant. `last` means the last variant that this chip can
# run.
chosen() {
    local word step name variants
    variants=$(build/ladder --list |
        sed -nE '/^[^ ]/{s/ .*//;h}; /^    [^ ]/{s/^ +([^ ]+).*/\1/;G;s/(.*)\n(.*)/\2 \1/p}')
    for word in ${list//,/ }; do
        if [[ $word == cublas ]]; then echo "cublas $cublas_variant"; continue; fi
        for step in $(cut -d' ' -f1 <<<"$variants" | uniq); do
            [[ $step == "$word" || $step == "$word"_* || ($word == all && $step == 0[1-9]_*) ]] ||
                continue
            for name in $(sed -n "s/^$step //p" <<<"$variants"); do
                [[ $wanted != all && ,$wanted, != *",$name,"* ]] || echo "$step $name"
            done
            [[ ,$wanted, == *,last,* ]] || continue
            on_gpu --step "$step" --variant last --csv "$work/last.csv" >/dev/null 2>&1 || true
            echo "$step $(tail -n 1 "$work/last.csv" | sed 's/"[^"]*"//' | cut -d, -f7)"
            rm -f "$work/last.csv"
        done
    done
}
cublas_variant=pedantic # as in results.csv
runs=$(chosen)
[[ $runs ]] || die "no variant '$wanted' of step '$list'; build/ladder --list shows what there is"

# Leaves out counters that are not in ncu's list for this chip. The list never has the figures of
# the launch and ratios, so these are kept.
if "$ncu" --query-metrics >"$work/known" 2>/dev/null &&
    grep -q '^ *smsp__inst_executed ' "$work/known"; then
    kept=() dropped=()
    for metric in "${metrics[@]}"; do
        if [[ $metric == launch__* || $metric == *.ratio ]] ||
            grep -q "^ *${metric%%.*} " "$work/known"; then
            kept+=("$metric")
        else
            dropped+=("$metric")
        fi
    done
    metrics=("${kept[@]}")
    [[ ${#dropped[@]} == 0 ]] || echo "not on this chip: ${dropped[*]}"
fi

# Runs one launch under ncu. ncu's output goes to $work/log, the program's output to $work/said.
measure() { # STEP VARIANT SIZE
    local problem=(--size "$3") program=build/$1 which=(--step "$1" --variant "$2" --baseline off) \
    filter='regex:^[sd]gemm_'
    [[ $3 == *x* ]] && problem=(--shape "$3")
    [[ -x $program ]] || program=build/ladder
    # Kernels of cuBLAS are known by the tile in their names, such as ..._128x64_...
    if [[ $1 == cublas ]]; then
        program=build/ladder which=(--step 01 --variant last --baseline on) \
        filter='regex:[0-9]+x[0-9]+'
    fi
    : >"$work/log"
    "$ncu" --clock-control none --csv --page details --print-units base --log-file "$work/log" \
        --kernel-name-base demangled \
        --kernel-name "$filter" --launch-skip 1 --launch-count 1 --metrics "$(
            IFS=,
            echo "${metrics[*]}"
        )" \
        "$program" "${which[@]}" "${problem[@]}" --backend gpu --check off \
        --rounds 1 >"$work/said" 2>&1
}

# parse PREFIX: prints rows of counters.csv from the metrics in ncu's output; other lines are
# skipped.
parse() {
    local field name='' value='' i
    while IFS=$'\x1f' read -ra field; do
        for i in "${!field[@]}"; do
            [[ ${field[i]} != 'Metric Name' ]] || name=$i
            [[ ${field[i]} != 'Metric Value' ]] || value=$i
        done
        [[ $name && $value && ${field[value]//,/} =~ ^[-+.0-9Ee]*[0-9][-+.0-9Ee]*$ ]] || continue
        echo "$1,${field[name]},${field[value]//,/}"
    done < <(sed -n '/^"/{s/^"//; s/"$//; s/","/\x1f/g; p}' "$work/log")
}

mkdir -p "$(dirname "$counters")"
# The commit from which the programs were built; another one may be checked out now.
commit=$(sed -n 's/.*"\(.*\)".*/\1/p' build/commit.h 2>/dev/null)
commit=${commit:-$(tools/commit.sh)}
status=0
while read -r step variant; do
    for size in ${sizes//,/ }; do
        IFS=x read -r m n k <<<"$size"
        : "${n:=$m}" "${k:=$m}"
        rc=0
        measure "$step" "$variant" "$size" </dev/null || rc=$?
        if grep -q ERR_NVGPUCTRPERM "$work/log" "$work/said"; then
            rm -rf "$work"
            simulate \
                "the driver forbids counters to this user: ERR_NVGPUCTRPERM (see docs/profiling.md)"
        fi
        if grep ' is left out: ' "$work/said"; then continue 2; fi
        prefix=$(date -u +%Y-%m-%dT%H:%M:%SZ),$commit,gpu,$step,$variant,$m,$n,$k
        parse "$prefix" >"$work/rows"
        if [[ ! -s $work/rows ]]; then # once more without the names that ncu rejected
            kept=() dropped=()
            for metric in "${metrics[@]}"; do
                if grep -F -h '==' "$work/log" "$work/said" | grep -F -q "${metric%%.*}"; then
                    dropped+=("$metric")
                else
                    kept+=("$metric")
                fi
            done
            if [[ ${#dropped[@]} -gt 0 && ${#kept[@]} -gt 0 ]]; then
                echo "ncu refuses: ${dropped[*]}"
                metrics=("${kept[@]}")
                measure "$step" "$variant" "$size" </dev/null || true
                parse "$prefix" >"$work/rows"
            fi
        fi
        if [[ ! -s $work/rows ]]; then
            said=$(cat "$work/log" "$work/said" | grep -v '^$' | tail -n 1) || said=nothing
            echo "tools/profile.sh: $step $variant at $size: no counters; last output: $said" >&2
            status=1
            continue
        fi
        [[ -e $counters ]] || echo "$header" >"$counters"
        cat "$work/rows" >>"$counters"
        cat "$work/rows" >>"$work/table"
        [[ $(wc -l <<<"$runs") -le 8 ]] ||
            echo "$step $variant at $size: $(wc -l <"$work/rows") counters"
    done
done <<<"$runs"

# Prints one table per step and size: one line per figure, one column per variant.
if [[ -s $work/table ]]; then
    if command -v python3 >/dev/null; then
        mkdir "$work/counted"
        { echo "$header"; cat "$work/table"; } >"$work/counted/counters.csv"
        tools/counters.py "$work/counted"
    else
        echo 'no table of the counters: that needs python3'
    fi
    echo "appended to $counters"
fi
exit $status
