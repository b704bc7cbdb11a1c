#!/usr/bin/env bash
# Predicts, by the timing model, how fast a kernel would be if one part of the chip were ideal.
#
#     tools/what_if.sh [--size N] STEP VARIANT...      e.g. tools/what_if.sh 04 lanes_2x16 lanes_4x8
#
# Prints the predicted TFLOP/s at N (default 2048): of a real H200, then of chips with one ideal
# part each, then of a chip with all ideal parts. Each has its ratio to the real chip.
# Exit status: 0 success, 1 a prediction failed, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
usage() {
    echo "${1:+what_if: $1; }usage: tools/what_if.sh [--size N] STEP VARIANT..." >&2
    exit 2
}
size=2048
if [[ ${1:-} == --size ]]; then size=${2:-} && shift $(($# < 2 ? $# : 2)); fi
[[ $size =~ ^[1-9][0-9]{1,4}$ ]] || usage "a size has two to five digits, not '$size'"
[[ $# -ge 2 && $1 != -* ]] || usage
step=$1
shift
memory=l2_far=0,l2_latency=60,memory_latency=60,memory_spread=0,memory_queue=0,memory_busy=0
shared=shared_wavefronts=1000
banks=bank_queue=100000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tflops() { # MACHINE VARIANT
    build/ladder --backend sim --time --check off --step "$step" --variant "$2" --size "$size" \
        --machine "$1" --json="$work/time" >"$work/said" 2>&1 || {
        tail -n 1 "$work/said" >&2
        exit 1
    }
    sed -n 's/.*"type": "time".*"tflops": \([0-9.e+-]*\).*/\1/p' "$work/time" | tail -n 1
}
# millionths NUMBER: prints a million times the number, rounded.
millionths() {
    local text
    printf -v text '%.6f' "$1"
    echo $((10#${text/./}))
}
# ratio NUMBER NUMBER: prints their ratio with two decimals.
ratio() {
    local base ratio
    base=$(millionths "$2")
    ratio=$(((200 * $(millionths "$1") + base) / (2 * base)))
    printf '%d.%02d' $((ratio / 100)) $((ratio % 100))
}
# table VARIANT...: prints the lines for at most four variants, which fit 100 columns.
table() {
    local what machine variant now shown base=()
    printf '%-32s' "TFLOP/s predicted at N = $size"
    printf ' %16s' "$@"
    echo
    while IFS='|' read -r what machine; do
        printf '%-32s' "$what"
        for variant; do
            now=$(tflops "h200$machine" "$variant")
            if [[ ! $machine ]]; then base+=("$now"); fi
            printf -v shown '%.1f' "$now"
            [[ ! $machine ]] || shown+=", $(ratio "$now" "${base[0]}") times"
            printf ' %16s' "$shown"
            if [[ $machine ]]; then base=("${base[@]:1}" "${base[0]}"); fi
        done
        echo
    done <<END
as the chip is|
memory answers in 60 cycles|,$memory
one cycle per shared access|,$shared
no FFMA waits for a bank|,$banks
all three|,$memory,$shared,$banks
END
}
for ((at = 1; at <= $#; at += 4)); do table "${@:at:4}"; done
