#!/usr/bin/env bash
# Measures step 14 on a host with several GPUs. Run `make` first.
#
#     tools/gpus.sh [PART...]     default: all parts except `large`
#
#     links      bandwidth of the links by kind and size of message: links.csv
#     speed      `gather` on one GPU and every variant on 2 to $GPUS GPUs, at N = 8192, 16384 and
#                32768, beside cublasXt: results.csv, traffic.csv, timeline.csv
#     kernels    two variants on one and on all GPUs with step 09's kernel (gpus_hand.csv) and with
#                step 13's `safe` (gpus_safe.csv)
#     leave      variant `panels` at N = 8192 and 16384 with 0 to 32 SMs left to NCCL: traffic.csv
#     processes  one process per GPU, started by mpirun if it is installed: processes.csv
#     killed     one process per GPU, one of which is killed; output of the others: killed_rank.txt
#     large      M = N = K = 131072 over all GPUs, with some rows checked; takes minutes
#     verdict    prints measured beside predicted values; needs no GPU
#
# Environment: GPUS is the number of GPUs (default: all that nvidia-smi lists). RESULTS is the
# folder of the files named above (default: docs/results/h200). Rows are appended, and the newest
# row of a measurement counts; killed_rank.txt is replaced. If a host forbids NVLink's multicast,
# set NCCL_NVLS_ENABLE=0.
# Exit status: 0 success, 1 a run failed, 2 wrong usage, 77 no GPU.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
results=${RESULTS:-docs/results/h200}
gpus=${GPUS:-$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU [0-9]' || true)}
sizes=8192,16384,32768
program=build/14_several_gpus

for part in "$@"; do
    [[ $part =~ ^(links|speed|kernels|leave|processes|killed|large|verdict)$ ]] ||
        die "'$part': expected links, speed, kernels, leave, processes, killed, large or verdict"
done
[[ $# != 0 ]] || set -- links speed kernels leave processes killed verdict
[[ $gpus =~ ^[0-9]+$ ]] || die "GPUS '$gpus' is not a whole number"
[[ $* == verdict || $gpus != 0 ]] || die 'no GPU here: nvidia-smi lists none' 77
[[ -x $program ]] || die "$program is missing; run make first" 1
mkdir -p "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The check uses two thread pools in turn, OpenMP's and OpenBLAS's. Idle threads of one pool must
# sleep, not spin, to leave the cores to the other.
export OMP_WAIT_POLICY=passive

# run OPTION...: runs step 14; it writes results.csv, traffic.csv and timeline.csv.
run() {
    echo "$program $*"
    "$program" --backend gpu --csv "$results/results.csv" --details "$results/traffic.csv" \
        --timeline "$results/timeline.csv" "$@"
}

links() {
    [[ $gpus == 1 ]] || "$program" --backend gpu --gpus "$gpus" --links --csv "$results/links.csv"
}

speed() {
    local count
    for ((count = 1; count <= gpus; count++)); do
        if [[ $count == 1 ]]; then
            run --gpus 1 --size $sizes --variant gather
        elif [[ $count == "$gpus" ]]; then
            run --gpus "$count" --size $sizes --cublasxt 4096,8192
        else
            run --gpus "$count" --size $sizes
        fi
    done
}

kernels() {
    local count
    for count in 1 "$gpus"; do
        "$program" --gpus "$count" --kernel 09_reuse_sass/hand_16x12 --size $sizes \
            --variant panels,copies --csv "$results/gpus_hand.csv"
        "$program" --gpus "$count" --kernel 13_tensor_cores/safe --size 16384,32768 \
            --variant panels,copies \
            --csv "$results/gpus_safe.csv"
    done
}

leave() {
    local left
    for left in 0 2 4 8 16 32; do
        "$program" --gpus "$gpus" --leave $left --channels $((left > 0 ? left : 16)) \
            --size 8192,16384 --variant panels --check off \
            --details "$results/traffic.csv"
    done
}

# launch OPTION...: runs step 14 with one process per GPU.
launch() {
    local rank pids=() status=0
    if command -v mpirun >/dev/null; then
        mpirun --allow-run-as-root -n "$gpus" "$program" --backend gpu --meet "$work/meet" "$@"
        return
    fi
    for ((rank = 0; rank < gpus; rank++)); do
        RANK=$rank WORLD_SIZE=$gpus LOCAL_RANK=$rank "$program" --backend gpu --meet "$work/meet" \
            "$@" &
        pids+=($!)
    done
    for rank in "${!pids[@]}"; do wait "${pids[$rank]}" || status=1; done
    return $status
}
processes() { launch --size 16384 --csv "$results/processes.csv"; }

# Kills rank 1 while the ranks multiply. Prints a line for every other rank: its exit status, the
# seconds until it ended, and its last line of output.
killed() {
    local rank pids=() status from
    [[ $gpus -gt 1 ]] || return 0
    for ((rank = 0; rank < gpus; rank++)); do
        RANK=$rank WORLD_SIZE=$gpus LOCAL_RANK=$rank "$program" --backend gpu --meet "$work/meet" \
            --size 32768 --variant panels --check off \
            --rounds 200 >"$work/rank.$rank" 2>&1 &
        pids+=($!)
    done
    sleep 25
    kill -9 "${pids[1]}"
    from=$SECONDS
    {
        for rank in "${!pids[@]}"; do
            status=0
            wait "${pids[$rank]}" 2>/dev/null || status=$?
            [[ $rank == 1 ]] ||
                echo "rank $rank: exit status $status after $((SECONDS - from)) s: $(tail -n 1 \
                    "$work/rank.$rank")"
        done
    } >"$work/killed"
    cat "$work/killed"
    [[ $(grep -c 'exit status 1 after' "$work/killed") == $((gpus - 1)) ]] || return 1
    put "$work/killed" "$results/killed_rank.txt"
}

# On GPUs of 151 GB `gather`, which stores one more whole matrix, does not fit on two GPUs.
# `split_k` does not fit on four.
large() {
    local variants=panels,grid,copies
    [[ $gpus -lt 4 ]] || variants=gather,$variants
    run --gpus "$gpus" --size 131072 --variant $variants --panel 2048 --repeat 1 --rounds 1
}

verdict() {
    tools/query.py "select variant, gpus, shape, round(tflops, 1) as tflops,
        round(times_one, 3) as times_one, round(100 * efficiency, 1) as
        efficiency from several order by n, gpus, tflops desc" "$results"
    tools/query.py "select variant, gpus, n, leave, received_predicted as bytes,
        round(100.0 * received_counted / received_predicted - 100, 1)
        as counted_off_by_percent, round(ms_predicted, 2) as ms_predicted,
        round(ms_median, 2) as ms_measured from traffic
        where backend = 'gpu' order by n, gpus, variant, leave" "$results"
}

for part in "$@"; do
    echo "== $part"
    $part || die "$part failed; what was measured until then is in $results" 1
done
