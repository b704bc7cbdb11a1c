#!/usr/bin/env bash
# Both variants of step 11's hand.sass on the simulator. They give the compiled kernel's bits, also
# if rows are far apart or two blocks share a tile of C. Their loops keep up with the FP64 pipe.
source "$(dirname "$0")/tap.sh"
folder=build/cubin/sm_90/11_dgemm
if [[ ! -s $folder/hand.cubin ]]; then
    skip 'step 11 by hand' 'built for another ARCH'
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# product CUBIN GRID SHARED M N K ALPHA BETA: writes C to $work/CUBIN.out; fails if the simulator
# reports anything.
product() {
    local out=$work/$(basename "$1" .cubin).out
    build/simrun "$1" --entry dgemm_ladder --grid "$2" --block 256 --shared "$3" --arg "i32:$4" \
        --arg "i32:$5" --arg "i32:$6" \
        --arg "f64:$7" --arg "f64[$(($4 * $6))]:random:1" --arg "i32:$6" \
        --arg "f64[$(($6 * $5))]:random:2" --arg "i32:$5" \
        --arg "f64:$8" --arg "f64[$(($4 * $5))]:random:3=out:$out" --arg "i32:$5" 2>&1
}

# same_bits WHAT VARIANT OTHER SHARED GRID_OF_OTHER M N K ALPHA BETA: VARIANT's cubin and the cubin
# OTHER compute bitwise equal C.
same_bits() {
    local what=$1 variant=$2 other=$3 shared=$4 grid=$5 said
    shift 5
    if ! said=$(product "$folder/$variant.cubin" 6 130048 "$@" &&
        product "$other" "$grid" "$shared" "$@"); then
        fail "$what" "$said"
    elif said=$(cmp "$work/$variant.out" "$work/$(basename "$other" .cubin).out" 2>&1); then
        pass "$what"
    else
        fail "$what" "$said"
    fi
}

# hand VARIANT DFMA PACE OPTION...: tests VARIANT, which is assembled with the OPTIONs. Each of its
# two loops must have DFMA (a number) multiply-adds and take fewer than PACE cycles for each.
hand() {
    local variant=$1 dfma=$2 pace=$3 said paces
    shift 3
    same_bits "$variant as compiled, 128 x 256 x 64" "$variant" "$folder/all.cubin" 99840 \
        2,1 128 256 64 1 0
    same_bits "$variant as compiled, 131 x 257 x 77" "$variant" "$folder/all.cubin" 99840 \
        3,2 131 257 77 -1.5 0

    if said=$(build/sass asm steps/11_dgemm/hand.sass "$@" -D FAR=1 -o "$work/far.cubin" 2>&1); then
        same_bits "$variant: far rows as near ones, 131 x 257 x 77" "$variant" "$work/far.cubin" \
            130048 3 131 257 77 -1.5 0.5
        same_bits "$variant: far rows as near ones, 5 x 300 x 0" "$variant" "$work/far.cubin" \
            130048 3 5 300 0 1 -1
    else
        fail "hand.sass is assembled with $* -D FAR=1" "$said"
    fi

    paces=$(build/sass lint "$folder/$variant.cubin" | joined |
        sed -n "s/.* $dfma DFMA, .* \([0-9.]*\) issue cycles per DFMA.*/\1/p")
    [[ $(wc -l <<<"$paces") == 2 ]] &&
        awk -v pace="$pace" '{ if (!($1 < pace)) exit 1 }' <<<"$paces"
    verdict $? "$variant: both loops below $pace issue cycles per DFMA" "$paces"
}
hand hand 1024 2.2 -D TM=8
hand hand_12x8 768 2.17 -D TM=12

# 156 tiles of 128 x 128, or 176 of 96 x 256, for 132 blocks: the blocks share the remaining tiles,
# cut along K. --digest keeps the ladder from also running the trials; sim_shapes_test.sh runs
# those.
case_is 'more tiles than blocks' 0 hand_12x8 build/ladder --backend sim --step 11 \
    --variant hand,hand_12x8 --check only \
    $(printf '%s\n' 1531x1601x37 1500x1602x9 1531x2601x37 1500x2602x9 | draw 1 dgemm |
        sed 's/^/--shape /') \
    --digest "$work/digests.csv" --pad "$(printf '%s\n' 0 1 | draw 1 pad | paste -sd,)" \
    --beta "$(printf '%s\n' 0 0.5 | draw 1 beta | paste -sd,)"
