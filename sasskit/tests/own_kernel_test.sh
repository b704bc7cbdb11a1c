#!/usr/bin/env bash
# Compiles and runs the kernel of sasskit/docs/own_kernel.md by the page's commands. The output must
# be the one that the page shows.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "sasskit/docs/own_kernel.md" || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=sasskit/docs/own_kernel.md
of_13_0 "$page: its outputs" || exit 0

# build NAME SED_SCRIPT: compiles the page's kernel, changed by the script, in a folder NAME.
build() {
    mkdir "$work/$1"
    awk '/^```/ { inside = /^```c$/; next } inside' $page | sed "$2" >"$work/$1/transpose.cu"
    "$NVCC" -arch=sm_90 -cubin -lineinfo -o "$work/$1/transpose.cubin" "$work/$1/transpose.cu" ||
        exit 1
}
run() { # NAME FLOATS OPTION...
    build/simrun "$work/$1/transpose.cubin" --entry transpose --grid 4,4 --block 32,32 \
        --arg i32:128 --arg "f32[$2]:random:1" \
        --arg "f32[16384]:zero=out:$work/$1/out.bin" "${@:3}" 2>&1
}
build as_shown ''
build padded 's/tile\[32\]\[32\]/tile[32][33]/'
build no_barrier '/__syncthreads/d'
{
    run as_shown 16384 --per-line
    run no_barrier 16384
    run as_shown 16383
    run as_shown 16384 --time | grep '^known error'
} | sed "s|$work/[a-z_]*/||g" | tr -s ' \n' ' ' >"$work/said"

# Each line of the page's output must occur in what simrun printed. It may be part of a longer line,
# since the page wraps lines.
missing=$(awk '/^```/ { fenced = !fenced; plain = fenced && $0 == "```"; next } plain' $page |
    grep -vE '^(nvcc|build/|plots/| +--arg|predicted|[0-9]+ cycles|run:)' |
    tr -s ' ' | sed 's/ $//' |
    while IFS= read -r line; do grep -qF -- "${line# }" "$work/said" || echo "$line"; done)
[[ ! $missing ]]
verdict $? "$page: its outputs" "not printed:" "$missing"

# The cycles on the page may differ by 5 % from the prediction, so that small changes of the model
# are not failures.
cycles() { run "$1" 16384 --time | sed -n 's/.* in \([0-9]*\) cycles$/\1/p'; }
near() { # NAME SHOWN PREDICTED
    (($2 * 100 >= $3 * 95 && $2 * 100 <= $3 * 105))
    verdict $? "$1" "the page says $2, the model $3"
}
near "$page: cycles" "$(sed -n 's/^run: .* in \([0-9]*\) cycles$/\1/p' $page)" "$(cycles as_shown)"
near "$page: cycles with padding" "$(sed -n 's/.* a block takes \([0-9]*\),.*/\1/p' $page)" \
    "$(cycles padded)"
while IFS='|' read -r _ name plain padded _; do
    name=${name//[\` ]/}
    case_is "$page: $name" 0 "$name,${plain// /}"$'\n' run as_shown 16384 --counters -
    case_is "$page: $name, padded" 0 "$name,${padded// /}"$'\n' run padded 16384 --counters -
done < <(grep -E '^\| `(smsp|l1tex)' $page)
case_is "$page: a picture" 0 '' run as_shown 16384 --picture 1b0 --picture-file "$work/request.csv"
case_is "$page: of 32 lanes in one bank" 0 '32 1' awk -F, \
    'NR > 1 { lanes++; banks[$4] } END { n = 0; for (b in banks) n++; print lanes, n }' \
    "$work/request.csv"
