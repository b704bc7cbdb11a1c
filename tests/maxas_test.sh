#!/usr/bin/env bash
# Step 12: the `swirl` order and its reuse flags are those that maxas published. For the three
# orders `sass lint --banks` gives the counts in the lesson's table. The kernels' inner loops are as
# the lesson describes.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lesson=$work/lesson.md
cat steps/12_maxas/*.md >"$lesson"
if ! said=$(build/sass asm tests/maxas/orders.sass -o "$work/orders.cubin" 2>&1); then
    fail 'tests/maxas/orders.sass assembles' "$said"
    exit 0
fi

# ffmas CUBIN KERNEL: prints its first 64 FFMAs, without the control columns.
ffmas() { build/sass dis "$1" --kernel "$2" | sed -n 's/^[^ ]* *\(FFMA .*\) ;.*/\1/p' | head -64; }

# same_text NAME EXPECTED GOT: passes if the two texts are equal.
same_text() {
    if [[ $2 == "$3" ]]; then pass "$1"; else fail "$1" "$(diff <(echo "$2") <(echo "$3"))"; fi
}

same_text 'the accumulators of the swirl come in the published order' "$(tr -d '\n' <<'PUBLISHED'
1 0 2 3 5 4 6 7 33 32 34 35 37 36 38 39 45 44 46 47 41 40 42 43 13 12 14 15 9 8 10 11 
17 16 18 19 21 20 22 23 49 48 50 51 53 52 54 55 61 60 62 63 57 56 58 59 29 28 30 31 25 24 26 27 
PUBLISHED
)" "$(ffmas "$work/orders.cubin" swirl | sed 's/FFMA R\([0-9]*\),.*/\1/' | tr '\n' ' ')"
same_text 'its first and its published later FFMAs have the published reuse flags' \
    'FFMA R1, R66.reuse, R72.reuse, R1
FFMA R0, R66, R73.reuse, R0
FFMA R2, R64.reuse, R73.reuse, R2
FFMA R3, R64, R72.reuse, R3
FFMA R5, R67.reuse, R72.reuse, R5
FFMA R4, R67, R73.reuse, R4
FFMA R6, R65.reuse, R73.reuse, R6
FFMA R7, R65, R72.reuse, R7
FFMA R37, R71.reuse, R72.reuse, R37
FFMA R36, R71.reuse, R73.reuse, R36
FFMA R38, R69.reuse, R73, R38
FFMA R39, R69.reuse, R72, R39
FFMA R45, R71.reuse, R74.reuse, R45
FFMA R44, R71, R75.reuse, R44
FFMA R46, R69.reuse, R75.reuse, R46
FFMA R47, R69, R74.reuse, R47' "$(ffmas "$work/orders.cubin" swirl | sed -n '1,8p; 13,20p')"

# counted WHAT HITS SHARE LOST CUBIN KERNEL OPTION...: passes if lint counts HITS reused operand
# reads (SHARE %) and LOST bank-conflict cycles in the kernel's last loop.
counted() {
    local what=$1 hits=$2 share=$3 lost=$4 said
    said=$(build/sass lint "$5" --kernel "$6" "${@:7}" | joined | grep FFMA | tail -1)
    [[ $said == *"operand reads, $hits of them reused ($share %), $lost bank-conflict cycles" ]]
    verdict $? "$what: $hits hits, $share %, $lost conflict cycles" "$said"
}
fixture=$work/orders.cubin
counted 'row by row, Maxwell' 56 29.2 2 "$fixture" row_by_row --banks 4
counted 'back and forth, Maxwell' 70 36.5 1 "$fixture" back_and_forth --banks 4
counted 'back and forth, three registers a slot' 77 40.1 1 "$fixture" back_and_forth_3 \
    --banks 4 --keep 3
counted 'swirl, Maxwell' 94 49.0 0 "$fixture" swirl --banks 4
counted 'swirl, three registers a slot' 94 49.0 0 "$fixture" swirl --banks 4 --keep 3
counted 'row by row, H200' 56 29.2 8 "$fixture" row_by_row --banks 2
counted 'back and forth, H200' 70 36.5 1 "$fixture" back_and_forth --banks 2
counted 'swirl, H200' 88 45.8 18 "$fixture" swirl --banks 2
build/sass dis "$fixture" | sed 's/\.reuse//g' >"$work/bare.sass"
build/sass asm "$work/bare.sass" --into "$fixture" -o "$work/bare.cubin"
counted 'without flags, Maxwell' 0 0.0 16 "$work/bare.cubin" swirl --banks 4
counted 'without flags, H200' 0 0.0 64 "$work/bare.cubin" swirl --banks 2

# The lesson's kernels have eight k's per iteration, so eight times the counts.
built=build/cubin/sm_90/12_maxas
if [[ -d $built ]]; then
    counted 'rows' 448 29.2 64 $built/rows.cubin sgemm_maxas --banks 2
    counted 'back_and_forth' 504 32.8 8 $built/back_and_forth.cubin sgemm_maxas --banks 2
    counted 'swirl' 480 31.2 144 $built/swirl.cubin sgemm_maxas --banks 2
    counted 'swirl_keep_2' 704 45.8 144 $built/swirl_keep_2.cubin sgemm_maxas --banks 2
    counted 'swirl_keep_2, Maxwell' 752 49.0 0 $built/swirl_keep_2.cubin sgemm_maxas --banks 4
    counted 'swirl_two_banks' 480 31.2 32 $built/swirl_two_banks.cubin sgemm_maxas --banks 2
    same_text 'the first k of swirl_keep_2 is the published swirl' "$(ffmas "$fixture" swirl)" \
        "$(ffmas $built/swirl_keep_2.cubin sgemm_maxas)"
    same_text 'the first k of rows is row by row' "$(ffmas "$fixture" row_by_row)" \
        "$(ffmas $built/rows.cubin sgemm_maxas)"
    # The loops differ only in their FFMAs.
    for v in back_and_forth swirl swirl_keep_2 swirl_two_banks; do
        same_text "$v differs from rows in its FFMAs only" \
            "$(build/sass dis $built/rows.cubin |
                sed '1d; s,  // .*,,; s/FFMA .*/FFMA/; s/\(FMUL R[0-9]*\), R[0-9]*/\1/')" \
            "$(build/sass dis $built/$v.cubin |
                sed '1d; s,  // .*,,; s/FFMA .*/FFMA/; s/\(FMUL R[0-9]*\), R[0-9]*/\1/')"
    done
    # The lesson's table has lint's counts.
    of() {
        build/sass lint "$fixture" --kernel "$kernel" $1 | joined |
            sed -n "s/.* \([0-9]*\) of them.*, \([0-9]*\) bank.*/$2/p"
    }
    for row in "row by row|row_by_row|2" "back and forth|back_and_forth|2" "swirl|swirl|2"; do
        IFS='|' read -r name kernel keep <<<"$row"
        figures="| $(of "--banks 4 --keep $keep" '\1 | \2') | $(of '--banks 2' '\1') "
        if grep -qF "| $name $figures|" "$lesson"; then
            pass "the lesson's row: $name"
        else
            fail "the lesson's row: $name" "expected in $lesson: | $name $figures|" \
                "$(grep "^| $name |" "$lesson")"
        fi
    done
    for v in rows swirl swirl_keep_2 swirl_two_banks back_and_forth; do
        row=$(build/sass lint $built/$v.cubin | joined |
            sed -n 's/.* \([0-9]*\) instructions, 512 FFMA, \([0-9]*\) bank-conflict.*/\1 \2/p' |
            awk -v v="$v" '{ printf "| %s | %d | %.3f |", v, $2, ($1 + $2 + 32) / 512 }')
        if [[ $row && $(grep -cF -- "$row" "$lesson") == 1 ]]; then
            pass "the lesson's expected cycles: $v"
        else
            fail "the lesson's expected cycles: $v" "expected in $lesson: $row" \
                "$(grep "^| $v |" "$lesson")"
        fi
    done
else
    skip 'the kernels of step 12' 'built for another ARCH'
fi

cubin=$fixture
case_is 'lint --banks 3' 2 '--banks: ' build/sass lint "$cubin" --banks 3
case_is 'lint --banks without a number' 2 "option '--banks' requires an argument" build/sass \
    lint "$cubin" --banks
case_is 'lint --keep with two banks' 2 '--keep goes with --banks 4 only' build/sass lint "$cubin" \
    --banks 2 --keep 2
case_is 'lint --keep 9' 2 '--keep: ' build/sass lint "$cubin" --banks 4 --keep 9
case_is 'dis --banks' 2 '--banks goes with lint only' build/sass dis "$cubin" --banks 4
