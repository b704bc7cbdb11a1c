#!/usr/bin/env bash
# Runs random kernels that load and store shared memory, with a few barriers (races/draw.awk). The
# simulator must report a race in exactly those kernels in which draw.awk finds one by comparing all
# pairs of accesses.
source "$(dirname "$0")/../../tests/tap.sh"
needs 'races' python3 || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for seed in 1 2 3; do
    awk -v seed=$seed -v count=100 -v list="$work/list" -f sasskit/tests/races/draw.awk \
        >"$work/drawn.sass"
    if ! build/sass asm "$work/drawn.sass" -o "$work/drawn.cubin" 2>"$work/said"; then
        fail "kernels of seed $seed are assembled" "$(head -3 "$work/said")"
        continue
    fi
    racy=0 clean=0 wrong= names=() races=() statuses=()
    while read -r name threads race; do
        names+=("$name") races+=("$race") status=0
        build/simrun "$work/drawn.cubin" --entry "$name" --grid 1 --block "$threads" \
            --json="$work/$name" 2>/dev/null || status=$?
        statuses+=($status)
    done <"$work/list"
    mapfile -t found < <(sasskit/tools/findings.py --first "${names[@]/#/$work/}")
    for k in "${!names[@]}"; do
        if [[ ${races[k]} ]]; then
            racy=$((racy + 1))
            [[ ${statuses[k]} == 1 && ${found[k]} == race* ]] ||
                wrong+="${names[k]}: expected ${races[k]}"$'\n'
        else
            clean=$((clean + 1))
            [[ ${statuses[k]} == 0 && ! ${found[k]} ]] ||
                wrong+="${names[k]}: expected nothing: ${found[k]}"$'\n'
        fi
    done
    if [[ $wrong ]]; then
        fail "seed $seed: kernels with a race, and without" "$(head -5 <<<"$wrong")"
    else
        pass "seed $seed: $racy kernels with a race are reported, $clean without are not"
    fi
done
