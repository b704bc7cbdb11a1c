#!/usr/bin/env bash
# Prints cycles per warp instruction of atomics from one SM (kernels.py), by the timing model and on
# this machine's GPU.
#
#     tools/latency/atomics.sh [gpu|model]     default: gpu; model: without a GPU
#
# Exit status: 0 success, 1 an error, 2 wrong usage, 77 no GPU.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
source tools/put.sh
backend=${1:-gpu}
[[ $# -le 1 && ( $backend == gpu || $backend == model ) ]] || die 'expected gpu or model' 2
gpurun=${GPURUN:-build/gpurun}
[[ $backend == model || -x $gpurun ]] || die "needs a GPU of sm_90 and $gpurun, which is built with CUDA" 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tools/latency/kernels.py atomics >"$work/atomics.sass"
build/sass asm "$work/atomics.sass" --no-lint -o "$work/atomics.cubin"
for kernel in {red,atom}_{word,line,warp,lane}; do
    for warps in 1 8 32; do # of the block
        arguments="--grid 1 --block $((32 * warps)) --arg i32[$((64 * warps))]:zero=out:$work/$kernel.$warps --arg i32[32768]:zero"
        printf '%s\t%s\t%s\n' "$work/atomics.cubin" "$kernel" "$arguments" >>"$work/runs"
        # shellcheck disable=SC2086
        build/simrun "$work/atomics.cubin" --entry "$kernel" $arguments --time | sed -n 's/.*: \([0-9]*\) in which it runs.*/\1/p' >"$work/model"
        echo "$kernel $warps $(<"$work/model")" >>"$work/predicted"
    done
done
if [[ $backend == gpu ]]; then
    "$gpurun" "$work/runs" || die 'the probes do not run' $?
fi
while read -r kernel warps cycles; do
    measured=-
    [[ $backend == model ]] || measured=$(od -An -tu4 -w8 -v "$work/$kernel.$warps" |
        awk 'NR == 1 || $1 < low { low = $1 } $2 > high { high = $2 } END { print high - low }')
    echo "$kernel $warps $cycles $measured"
done <"$work/predicted" | awk '
    BEGIN { printf "%-10s %5s %9s %9s %6s\n", "atomics", "warps", "model", "measured", "ratio" }
    { n = 1024 * $2; printf "%-10s %5d %9.2f %9s %6s\n", $1, $2, $3 / n, $4 == "-" ? "-" : sprintf("%.2f", $4 / n), $4 == "-" ? "-" : sprintf("%.2f", $3 / $4) }'
