#!/usr/bin/env bash
# Random loads and stores of shared memory with a few barriers (races/draw.awk). The simulator must
# report exactly the kernels in which a search through all pairs of accesses finds a race.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for seed in 1 2 3; do
    awk -v seed=$seed -v count=100 -v list="$work/list" -f tests/races/draw.awk >"$work/drawn.sass"
    if ! build/sass asm "$work/drawn.sass" -o "$work/drawn.cubin" 2>"$work/said"; then
        fail "kernels of seed $seed are assembled" "$(head -3 "$work/said")"
        continue
    fi
    racy=0 clean=0 wrong=
    while read -r name threads race; do
        build/simrun "$work/drawn.cubin" --entry "$name" --grid 1 --block "$threads" --json="$work/lines" 2>/dev/null && status=0 || status=$?
        said=$(tools/findings.py <"$work/lines")
        if [[ $race ]]; then
            racy=$((racy + 1))
            [[ $status == 1 && $said == race* ]] || wrong+="$name: expected $race"$'\n'
        else
            clean=$((clean + 1))
            [[ $status == 0 && ! $said ]] || wrong+="$name: expected nothing: ${said%%$'\n'*}"$'\n'
        fi
    done <"$work/list"
    if [[ $wrong ]]; then
        fail "seed $seed: kernels with a race, and without" "$(head -5 <<<"$wrong")"
    else
        pass "seed $seed: $racy kernels with a race are reported, $clean without are not"
    fi
done
