#!/usr/bin/env bash
# Tests every variant of every step as built for sm_90: its cubin exists, it does not spill, and it
# takes the registers that step.c states. For compiled kernels nvcc's log is the source, and
# step.c's numbers are those of CUDA 13.0. For hand-written machine code the cubin states the
# registers, and there are no spills.
source "$(dirname "$0")/tap.sh"

if [[ ! -d build/cubin/sm_90 ]]; then
    skip 'kernels for sm_90' 'built for another ARCH'
    exit 0
fi

claims=
! of_13_0 'compiled kernels: their registers, and that none spills' || claims=compared

# Prints the largest register count among a variant's kernels. (Its kernel for padded matrices takes
# fewer registers than the main one.)
registers_of() { # HOW BASE
    if [[ $1 == compiled ]]; then
        sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$2.log"
    else
        build/sass dis "$2.cubin" | sed -n 's/^\.kernel .*\/\/ \([0-9]*\) registers.*/\1/p'
    fi | sort -n | tail -1
}

while IFS=$'\t' read -r step variant registers how _; do
    name="$step/$variant" base="build/cubin/sm_90/$step/$variant"
    if [[ ! -s $base.cubin || ! -e $base.log ]]; then
        fail "$name is built" "$base.cubin"
        continue
    fi
    if [[ $how != assembled && $claims ]]; then
        spills=$(grep -o '[0-9]* bytes spill [a-z]*' "$base.log")
        [[ $spills && ! $(grep -v '^0 ' <<<"$spills") ]]
        verdict $? "$name does not spill" "${spills:-nothing about spills in $base.log}"
    fi
    if [[ $registers == 0 ]]; then continue; fi # several kernels, so step.c states no count
    [[ $how == assembled || $claims ]] || continue
    used=$(registers_of "$how" "$base")
    [[ $used == "$registers" ]]
    verdict $? "$name takes the registers it claims" "it takes $used, step.c claims $registers"
done < <(build/cubin_rules --table)
