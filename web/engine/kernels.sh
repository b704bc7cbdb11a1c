#!/usr/bin/env bash
# The files that the boxes of the page work on, as a script: KERNELS[NAME] is a file, packed and as base64. Cubins of the lessons,
# what the H200's counters said of them, and the exercises.
#
#     web/engine/kernels.sh > build/web/kernels.js      (make build/web/kernels.js)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The last variant of each lesson of the ladder, and others as far as the size of the site allows.
variants=(01_naive/{coalesced,uncoalesced} 02_shared_tiling/tile32 03_outer_product/outer 04_warp_tiling/lanes_4x8 05_float4/both
    06_conflict_free_transpose/mapped 07_z_order/z_order 08_double_buffer/wide 09_reuse_sass/{hand_16x8_row,hand_16x12} 12_maxas/swirl)

put() { # NAME: standard input as a file of the page
    printf 'KERNELS["%s"] = "%s";\n' "$1" "$(gzip -9n | base64 -w 0)"
}

# A cubin with zeros for the PTX that nvcc -lineinfo leaves in it: two thirds of the file, which nothing here reads.
without_ptx() { # CUBIN
    local copy at
    copy=$(mktemp)
    cat "$1" >"$copy"
    read -ra at < <(readelf -SW "$1" 2>/dev/null | sed -n 's/.* \.nv_debug_ptx_txt *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/0x\1 0x\2/p') || true
    [[ ! ${at[*]} ]] || dd if=/dev/zero of="$copy" seek=$((at[0])) count=$((at[1])) bs=64K iflag=count_bytes oflag=seek_bytes conv=notrunc status=none
    cat "$copy"
    rm "$copy"
}

echo '"use strict";'
echo 'var KERNELS = {};'
for variant in "${variants[@]}"; do
    without_ptx "build/cubin/sm_90/$variant.cubin" | put "cubin/sm_90/$variant.cubin"
done
# Nsight Compute's counts, at the sizes that a page runs.
awk -F, 'NR == 1 || ($3 == "gpu" && ($6 == 256 || $6 == 512) && $5 !~ /^$/) { print $4 "," $5 "," $6 "," $9 "," $10 }' docs/results/h200/counters.csv |
    grep -E '^step|l1tex__|smsp__(inst|sass)' | put counters.csv
for folder in exercises/*/; do
    folder=${folder%/} base=$(sed -n 's/^base|//p' "$folder/wishes")
    base=${base:-$(ls "$folder"/kernel.*)}
    put "$folder/wishes" <"$folder/wishes"
    put "$folder/prediction" <"$folder/prediction"
    [[ $base == *.sass ]] || continue
    put "$folder/kernel.sass" <"$base"
    # What the key's kernel writes is what is wanted.
    grep -q '^same|' "$folder/wishes" || continue
    work=$(mktemp -d)
    cp "$base" "$work/kernel.sass"
    cp "$folder/prediction" "$work"
    patch -s -d "$work" <"$folder/key.patch"
    put "$folder/key.sass" <"$work/kernel.sass"
    rm -r "$work"
done
