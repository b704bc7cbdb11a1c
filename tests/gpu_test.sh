#!/usr/bin/env bash
# Requires a GPU. Runs every variant of steps 01 to 13, 15 and shapes on cubes and on the shapes of
# shapes.txt, with all pads, alphas and betas. Inputs are ordinary, or have NaN and infinities. Then
# comes one timed run.
# `make test` draws some shapes, `make test-all` takes all.
source "$(dirname "$0")/tap.sh"
mapfile -t shapes < <({
    printf '%s\n' 1 2 3 7 31 32 33 63 65 127 128 129 255 257 |
        sed 's/.*/&x&x&/'
    grep '^[0-9]' tests/shapes.txt
} |
    draw 16 gpu | sed 's/^/--shape\n/')
output=$(mktemp)
trap 'rm -f "$output"' EXIT
# Uses every core even beside other tests: the float64 reference is most of the work.
unset OMP_NUM_THREADS

build/ladder --backend gpu --step 01 --size 1 --check only >"$output" 2>&1
if [[ $? == 77 ]]; then
    skip 'kernels on a GPU' 'no GPU here'
    exit 0
fi
for inputs in uniform special; do
    build/ladder --backend gpu --step all,10,11,12,13,15,shapes --check only --inputs $inputs \
        "${shapes[@]}" --pad 0,1,3,4 \
        --alpha 0,1,-1,0.5 --beta 0,1,-1,0.5 >"$output" 2>&1
    status=$?
    # The lines of the table: step, variant, checks, failed checks, worst error.
    awk -v inputs=$inputs '$1 ~ /^([0-9][0-9]_|shapes$)/ && NF == 5 && $3 > 0 {
        print ($4 == 0 && ($5 < 1 || $1 ~ /^1[35]/) ? "ok" : "not ok") " - " $1 "/" $2 ", " \
            inputs " inputs, " $3 " checks" }' "$output"
    if [[ $status == 0 ]]; then
        pass "all $inputs checks ran"
    else
        fail "all $inputs checks ran" "$(head -40 "$output")"
    fi
done
build/ladder --backend gpu --step 01-12,shapes --check only --inputs exact --size 31,65,129 \
    --shape 7x129x33 --shape 130x6x20 --shape 257x131x77 \
    --ld %4 --ld %4,+1,%16 --ld +1,%4,+3 --shift 0 --shift 0,1,0 --shift 1,0,2 --alpha 1,-1.5 \
    --beta 0,0.75 >"$output" 2>&1
if [[ $? == 0 ]]; then
    pass 'layouts of their own for A, B and C'
else
    fail 'layouts of their own for A, B and C' "$(head -40 "$output")"
fi
case_is 'a timed run' 0 'pass' build/ladder --backend gpu --step all,10,11,12,13,15,shapes \
    --size 512
