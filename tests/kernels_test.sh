#!/usr/bin/env bash
# Every variant of every step compiled for sm_90: its cubin is there, nothing spills, and it takes the registers that
# step.c claims (claimed for CUDA 13.0, so compared only there).
source "$(dirname "$0")/tap.sh"
release=$("$NVCC" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')

if [[ ! -d build/cubin/sm_90 ]]; then
    skip 'kernels for sm_90' 'built for another ARCH'
    exit 0
fi
while IFS=$'\t' read -r step variant registers _; do
    name="$step/$variant" base="build/cubin/sm_90/$step/$variant"
    if [[ ! -s $base.cubin || ! -s $base.log ]]; then fail "$name is built" "$base.cubin"; continue; fi
    spills=$(grep -o '[0-9]* bytes spill [a-z]*' "$base.log" | grep -v '^0 ')
    if [[ -z $spills ]]; then pass "$name does not spill"; else fail "$name does not spill" "$spills"; fi
    used=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$base.log" | sort -n | tail -1) # a pad kernel takes fewer
    if [[ $registers == 0 ]]; then continue; fi # several kernels, of which nothing is claimed
    if [[ $release != 13.0 ]]; then
        skip "$name takes the registers it claims" "claimed for CUDA 13.0, this is $release"
    elif [[ $used == "$registers" ]]; then
        pass "$name takes the registers it claims"
    else
        fail "$name takes the registers it claims" "ptxas gave it $used, step.c claims $registers"
    fi
done < <(build/cubin_rules --table)
