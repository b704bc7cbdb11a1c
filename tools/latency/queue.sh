#!/usr/bin/env bash
# Measures how many reads a register bank may be behind before issue waits. kernels.py explains the
# probes.
#
#     tools/latency/queue.sh [gpu]       on this machine's GPU
#     tools/latency/queue.sh model Q     by the timing model, with banks that may be Q reads behind
#
# Prints cycles per FFMA and scheduler: predicted for one read, predicted for two reads, and
# measured, minus the loop's overhead, which the kernel `flat` gives; then the root mean square of
# both errors.
# Exit status: 0 success, 1 an error, 2 wrong usage, 77 no GPU.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
source tools/put.sh
backend=${1:-gpu} queue=${2:-}
[[ $backend == gpu && ! $queue || $backend == model && $queue =~ ^[0-9]+$ ]] || die 'expected gpu, or model and a number of reads' 2
gpurun=${GPURUN:-build/gpurun}
[[ $backend == model || -x $gpurun ]] || die "needs a GPU of sm_90 and $gpurun, which is built with CUDA" 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tools/latency/kernels.py queue >"$work/queue.sass"
build/sass asm "$work/queue.sass" --no-lint -o "$work/queue.cubin"
for kernel in flat_1 {bc,ab,ac}_{1,2,3,4,5,6,8}; do
    for warps in 1 2; do # of each scheduler
        printf '%s %d %s\n' "$kernel" $warps "--grid 1 --block $((128 * warps)) --arg i32[$((256 * warps))]:zero=out:$work/$kernel.$warps"
    done
done >"$work/list"
if [[ $backend == gpu ]]; then
    sed -E "s|^([^ ]*) [^ ]* |$work/queue.cubin\t\1\t|" "$work/list" >"$work/runs"
    "$gpurun" "$work/runs" || die 'the probes do not run' $?
fi
while read -r kernel warps arguments; do
    if [[ $backend == gpu ]]; then
        od -An -tu4 -w8 -v "$work/$kernel.$warps" | awk 'NR == 1 || $1 < low { low = $1 } $2 > high { high = $2 } END { print (high - low) / 32 }'
    else # about 600 cycles precede the loop
        # shellcheck disable=SC2086
        build/simrun "$work/queue.cubin" --entry "$kernel" $arguments --time --machine "h200,bank_queue=$queue" |
            sed -n 's/.*: \([0-9]*\) in which it runs.*/\1/p' | awk '{ print ($1 - 600) / 32 }'
    fi | sed "s/^/$kernel $warps /"
done <"$work/list" | awk '
    BEGIN { printf "%-8s %3s %6s %9s %9s %9s\n", "reads", "P", "warps", "one read", "two reads", "measured" }
    {
        split($1, name, "_"); p = name[2]; cycles = $3 / 960 / $2
        if (name[1] == "flat") more[$2] = cycles - 1; else cycles -= more[$2] # overhead of the loop
        for (q = 1; q <= 2; q++) { by[q] = name[1] == "flat" || p <= q ? 1 : 2 - q / p; if (name[1] != "flat") sum[q] += (by[q] - cycles) ^ 2 }
        n += name[1] != "flat"
        printf "%-8s %3d %6d %9.3f %9.3f %9.3f\n", name[1], p, $2, by[1], by[2], cycles
    }
    END { printf "root mean square: one read %.3f, two reads %.3f\n", sqrt(sum[1] / n), sqrt(sum[2] / n) }'
