#!/usr/bin/env bash
# Writes scripts with the files that pages need to run kernels: KERNELS[NAME] is the file NAME,
# packed with gzip and base64.
# A lesson's script (e.g. 07.js) has its cubins, the counters of an H200 and what its variants are;
# exercises.js has the exercises. A page loads only the scripts that it needs.
#
#     web/engine/kernels.sh DIRECTORY
#
# `make build/web/kernels/exercises.js` calls this; exercises.js is written last.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The variants on the site: those of lessons 01 to 09, and some of 10 to 13.
variants=(
    01_naive/{uncoalesced,coalesced} 02_shared_tiling/{tile16,tile32}
    03_outer_product/{dot_rolled,dot,outer_rolled,outer}
    04_warp_tiling/{lanes_1x32,lanes_2x16,lanes_4x8}
    05_float4/{shared,global,split,both} 06_conflict_free_transpose/{conflicts,padded,mapped}
    07_z_order/{off,z_lanes,patches,z_order} 08_double_buffer/{fragments,tiles,both,cp_async,wide}
    09_reuse_sass/{compiled,banks,order,flags,hand_16x12,hand_16x8,hand_16x8_row}
    10_block_order/{64x64,stream_16x8} 11_dgemm/{all,reuse,hand}
    12_maxas/{rows,back_and_forth,swirl} 13_tensor_cores/promoted
)

out=$1
rm -rf "$out"
mkdir -p "$out"
declare -A placed
begin() { # NAME: starts the script NAME, to which put adds files
    exec >"$out/$1.js"
    echo '"use strict"; var KERNELS = KERNELS || {};'
    placed=()
}
# put NAME: adds the standard input to the script as file NAME; equal contents are stored once.
put() {
    local packed
    packed=$(gzip -9n | base64 -w 0)
    if [[ ${placed[$packed]:-} ]]; then
        printf 'KERNELS["%s"] = KERNELS["%s"];\n' "$1" "${placed[$packed]}"
    else
        printf 'KERNELS["%s"] = "%s";\n' "$1" "$packed"
    fi
    placed[$packed]=$1
}

# Prints a cubin with zeros in place of two sections that nvcc -lineinfo adds and no page reads: the
# PTX and its lines. They are most of the file; zeros pack well.
trimmed() { # CUBIN
    local copy at size
    copy=$(mktemp)
    cat "$1" >"$copy"
    while read -r at size; do
        dd if=/dev/zero of="$copy" seek=$((at)) count=$((size)) bs=64K iflag=count_bytes \
            oflag=seek_bytes conv=notrunc status=none
    done < <(readelf -SW "$1" 2>/dev/null | sed -n -E \
        's/.*\.nv_debug_(ptx_txt|line_sass) *PROGBITS *[^ ]* ([^ ]*) ([^ ]*) .*/0x\2 0x\3/p')
    cat "$copy"
    rm "$copy"
}

# All variants with their descriptions, each in one line.
listed=$(build/ladder --list | sed -E ':a; N; $!ba; s/\n {5,}/ /g')
# about STEP: prints the step's variants on the site in order, one per line: name, tab, description.
about() {
    local variant
    for variant in "${variants[@]}"; do
        [[ $variant != "$1/"* ]] || awk -v step="$1" -v name="${variant#*/}" '
            /^[^ ]/ { on = $1 == step }
            on && $1 == name { sub(/^ *[^ ]+ +/, ""); print name "\t" $0 }' <<<"$listed"
    done
}
for variant in "${variants[@]}"; do
    step=${variant%/*}
    if [[ ! -e $out/${step%%_*}.js ]]; then
        begin "${step%%_*}"
        # Nsight Compute's counters at the sizes that a page runs. They are not packed, because a
        # page compares its first results with them.
        printf 'KERNELS["counters/%s.csv"] = `' "$step"
        tools/rows.py docs/results/h200/counters.csv |
            awk -F, -v step="$step" -v variants=" ${variants[*]} " '
            NR == 1 || ($4 == step && $3 == "gpu" && ($6 == 256 || $6 == 512) &&
                index(variants, " " step "/" $5 " ")) {
            print $5 "," $6 "," $9 "," $10 }' | grep -E '^variant|l1tex__|smsp__(inst|sass)'
        echo '`;'
        printf 'KERNELS["about/%s"] = `%s`;\n' "$step" "$(about "$step" | sed 's/[\\`$]/\\&/g')"
    fi
    trimmed "build/cubin/sm_90/$variant.cubin" | put "cubin/sm_90/$variant.cubin"
done
begin exercises
for folder in exercises/*/; do
    folder=${folder%/} base=$(sed -n 's/^base|//p' "$folder/wishes")
    base=${base:-$(ls "$folder"/kernel.*)}
    put "$folder/wishes" <"$folder/wishes"
    put "$folder/prediction" <"$folder/prediction"
    [[ $base == *.sass ]] || continue
    put "$folder/kernel.sass" <"$base"
    # The wish `same|` requires the output of the key, which is the exercise's solution.
    grep -q '^same|' "$folder/wishes" || continue
    work=$(mktemp -d)
    build/exercise "${folder#exercises/}" solution key "$work"
    put "$folder/key.sass" <"$work/kernel.sass"
    rm -r "$work"
done
