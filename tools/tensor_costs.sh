#!/usr/bin/env bash
# What step 13's launches cost, by which `safe` chooses: library/rules/safe_costs.h. Run `make` first.
#
#     tools/tensor_costs.sh here   a part of `make fit`: measures `mended`, `few_rows` and `few_cols` on 30 shapes and fits the costs
#                                  of the GPU here to that
#     tools/tensor_costs.sh fit    the costs of the GPU of $RESULTS (docs/results/h200 if not set) from its applications.csv; no GPU needed
#
# Exit status: 0 well, also where no GPU runs them; 1 a run failed, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
costs=${COSTS:-library/rules/safe_costs.h}
sizes=256,512,768,1024,1280,1536,2047,2048,2049,3001,4096,5001
shapes='128x8192x8192 8192x128x8192 100352x64x576 25088x128x1152 6272x256x2304 1568x512x4608 1000x1000x20000 8192x8192x256 512x16384x4096
    60000x1024x784 2048x50257x768 64x64x65536 128x16384x4096 16384x128x4096 256x4096x4096 4096x256x4096 200x11008x4096 11008x200x4096'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fit_to FILE SMS: the row of the file's device in the table, among those of other devices.
fit_to() {
    local row device
    [[ -s $1 ]] || die "no $1; tools/results.sh tensor writes it" 1
    row=$(awk -F, -v sms="$2" -f tools/tensor_costs.awk "$1") || die "no new costs" 1
    device=${row#*\"} device=${device%%\"*}
    awk -v row="$row" -v device="\"$device\"" '
        index($0, device) { print row; done = 1; next }
        /^#endif/ && !done { print row }
        { print }' "$costs" >"$work/costs.h"
    put "$work/costs.h" "$costs"
    echo "costs of $device: $costs"
}

here() {
    local status=0
    build/ladder --backend gpu --step 13 --variant mended,few_rows,few_cols --check off --baseline off --size "$sizes" $(printf -- '--shape %s ' $shapes) \
        --csv "$work/times.csv" >"$work/said" || status=$?
    if [[ $status == 77 ]]; then echo "$costs is as it was: mended, few_rows and few_cols run on compute capability 9.0 only"; exit; fi
    [[ $status == 0 ]] || die "the GPU measured nothing" 1
    fit_to "$work/times.csv" "$(sed -n '1s/.*: \([0-9]*\) SMs,.*/\1/p' "$work/said")"
    [[ ${COSTS:-} ]] || make -s -j build/13_tensor_cores build/ladder
}

case $#-${1:-} in
1-here) here ;;
1-fit) fit_to "${RESULTS:-docs/results/h200}/applications.csv" 132 ;;
*) die "expected here or fit" ;;
esac
