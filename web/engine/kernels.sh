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

echo '"use strict";'
echo 'var KERNELS = {};'
for variant in "${variants[@]}"; do
    put "cubin/sm_90/$variant.cubin" <"build/cubin/sm_90/$variant.cubin"
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
