#!/usr/bin/env bash
# Runs every variant on the simulator. The variants of steps 01 to 12 and shapes take the GPU test's
# edge shapes: cubes and shapes.txt with pads 0 and 3, and fewer of them with alpha and beta; small
# cubes with all pads, alphas and betas; small cubes with NaN and infinities; some shapes with
# different leading dimensions and alignments of A, B and C. The variants of steps 13 and 15 take
# fewer shapes.
# `make test` draws nine or five of the steps 01 to 12 and shapes, cases of step 13, a variant of
# step 15, and some shapes; `make test-all` takes all.
source "$(dirname "$0")/tap.sh"
output=$(mktemp)
trap 'rm -f "$output" "$output.csv"' EXIT
# Keeps the ladder from also running the trials
asked_alone=(--digest "$output.csv")

steps=01-09,10,11,12,shapes
# checks_pass WHAT OPTION...: prints one line of TAP per variant in the harness's table.
checks_pass() {
    local what=$1 status=0
    shift
    build/ladder --backend sim --step "$steps" --check only "$@" >"$output" 2>&1 || status=$?
    # The lines of the table: step, variant, checks, failed checks, worst error.
    awk -v what="$what" '$1 ~ /^([0-9][0-9]_|shapes$)/ && NF == 5 && $3 > 0 {
        print ($4 == 0 && ($5 < 1 || $1 ~ /^1[35]/) ? "ok" : "not ok") " - " $1 "/" $2 ", " \
            what ", " $3 " checks" }' "$output"
    if [[ $status == 0 ]]; then
        pass "$what: all ran"
    else
        fail "$what: all ran" "$(head -40 "$output")"
    fi
}

if [[ ${EXHAUSTIVE:-} ]]; then
    mapfile -t shapes < <(sed -n 's/^[0-9]/--shape &/p' tests/shapes.txt | tr ' ' '\n')
    checks_pass 'edge shapes' --size 1,2,3,7,31,32,33,63,65,127,128,129,255,257 "${shapes[@]}" \
        --pad 0,3 --alpha 1 --beta 0
    checks_pass 'edge shapes, alpha and beta' --size 7,32,65,129 "${shapes[@]}" --pad 3 \
        --alpha -1 --beta 0.5
    checks_pass 'small cubes, all pads' --size 1,2,3,7,31,32,33,63,65 --pad 0,1,3,4 \
        --alpha 0,1,-1,0.5 --beta 0,1,-1,0.5
    checks_pass 'small cubes, NaN and infinities' --inputs special --size 1,7,33,65 --pad 0,3 \
        --alpha 0,1,-1 --beta 0,0.5
    # Rows that start aligned but end unaligned; and layouts in which one matrix is unaligned.
    checks_pass 'layouts, exact inputs' --inputs exact --shape 7x129x33 --shape 130x6x20 \
        --shape 33x67x40 --ld %4 --ld %4,+1,%16 \
        --ld +1,%4,+3 --shift 0 --shift 0,1,0 --shift 1,0,2 --alpha -1.5 --beta 0,0.75
else
    one_of() { printf '%s\n' "${@:2}" | draw 1 "$1"; }
    cubes() { printf "%s\n" 1 2 3 7 31 32 33 63 65 127 128 129 255 257 | sed "s/.*/&x&x&/"; }
    steps_of() {
        printf '%s\n' 01 02 03 04 05 06 07 08 09 10 11 12 shapes | draw "${2:-5}" "$1" | paste -sd,
    }
    steps=$(steps_of edges 9)
    mapfile -t shapes < <({
        cubes
        grep '^[0-9]' tests/shapes.txt
    } | draw 4 shapes | sed 's/^/--shape\n/')
    checks_pass "edge shapes ${shapes[*]//--shape/}" "${shapes[@]}" --pad "$(one_of pad 0 1 3 4)" \
        --alpha "$(one_of alpha 0 1 -1 0.5)" \
        --beta 0,"$(one_of beta 1 -1 0.5)"
    steps=$(steps_of special)
    checks_pass 'NaN and infinities' "${asked_alone[@]}" --inputs special \
        --size "$(one_of cube 1 7 33 65)" --pad "$(one_of special 0 3)" \
        --alpha "$(one_of sign 0 1 -1)" --beta 0,0.5
    steps=$(steps_of layouts)
    checks_pass 'layouts, exact inputs' "${asked_alone[@]}" --inputs exact \
        --shape "$(one_of layout 7x129x33 130x6x20 33x67x40)" \
        --ld "$(one_of ld %4 %4,+1,%16 +1,%4,+3)" \
        --shift "$(one_of shift 0 0,1,0 1,0,2)" --alpha -1.5 --beta 0,0.75
fi

# Tensor cores: few shapes, because each MMA is a few thousand multiply-adds. `make test` draws one
# of these lines, and two variants for the trials.
steps=13
[[ ${EXHAUSTIVE:-} ]] && asked_alone=()
checks_pass 'one element' --shape 1x1x1 --variant "$(build/cubin_rules --table |
    awk -F'\t' '$1 ~ /^13/ { print $2 }' | draw 2 variants | paste -sd,)"
while IFS='|' read -r what options; do
    read -ra words <<<"$options"
    checks_pass "$what" "${asked_alone[@]}" "${words[@]}" </dev/null
done < <(draw 1 tensor <<END
edges of the tile, alpha and beta|--shape 1x1x1 --shape 129x130x65 --shape 257x129x100 --pad 3 \
    --alpha -1 --beta 0.5
NaN and infinities|--inputs special --shape 130x129x70
parts of K, and B copied by 4 and by 16 bytes|--variant few_rows --shape 20x150x330 --pad 0,1,4 \
    --inputs exact --beta 0.5
parts of K, and A copied by 4 and by 16 bytes|--variant few_cols --shape 150x20x330 --pad 0,1,4 \
    --inputs exact --beta 0.5
rows of A that the pre-pass gives to two and to four warps|--variant mended --shape 20x20x1030 \
    --shape 13x20x2060 --inputs scaled
END
)

# Strassen: matrices with odd sizes, so that some quarters are smaller. `make test` draws a variant.
steps=15
checks_pass 'odd quarters' --variant "$(printf '%s\n' separate one_level two_levels three_levels \
    fused two_fused three_fused | draw 1 strassen | paste -sd,)" \
    --shape 37x66x45 --shape 130x39x73 --shape 33x40x57 --pad 1,4 --alpha -1 --beta 0,0.5
# With few k's the roundings in the sums of quarters are large compared with |A||B|.
checks_pass 'few k' --variant two_levels --shape 20x64x3
