#!/usr/bin/env bash
# Compares sasskit/isa/distances.def with the code that ptxas makes of random chains of dependent
# instructions. The table has the least number of cycles from an instruction to a reader of its
# result. Each entry must equal the shortest distance in that code; on sm_90, whose entries were
# measured on an H200, it may be shorter. Lint must find a hazard if a distance in the code is
# shortened by one cycle. `make test` takes two architectures a day, `make test-all` takes all.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "ptxas's distances" && needs "ptxas's distances" python3 || exit 0
of_13_0 'distances' || exit 0
ptxas=${NVCC%nvcc}ptxas
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# drawn ARCH KERNELS [--uniform]: compiles KERNELS random chains to a cubin and prints its name.
drawn() {
    local name=$work/$1${3:-}
    python3 sasskit/tools/chains.py --arch "$1" --kernels "$2" --seed "$seed" ${3:-} >"$name.ptx" &&
        "$ptxas" -arch="$1" "$name.ptx" -o "$name.cubin" && echo "$name.cubin"
}

# Compares rows of `sass distances` with the table. A row has a pair of instructions ($2 to $4), its
# least distance in the code ($7), how often that distance occurs ($9), the table's entry for the
# pair ($10, $11) and its distance ($12; 0 or less: not known).
# Prints LONG if the table's distance is longer than that in the code. Prints SHORT if it is shorter
# and the code's distance occurs at least 60 times; not on sm_90.
compare='
    FNR == 1 { next }
    $12 > 0 && $7 < $12 {
        print "LONG:", $2, "read by", $3, $4, "after", $7 ", the table asks for", $12 }
    { pair = $10 " " $11 " " $12 }
    !(pair in least) || $7 < least[pair] {
        least[pair] = $7; often[pair] = 0; name[pair] = $2 " read by " $3 " " $4 }
    $7 == least[pair] { often[pair] += $9 }
    END {
        for (pair in least) {
            split(pair, word, " ")
            if (arch != "sm_90" && word[3] > 0 && least[pair] > word[3] && often[pair] >= 60)
                print "SHORT:", name[pair], "never before", least[pair] ", the table asks for",
                    word[3]
        }
    }'

# mutants CUBIN ROWS: tests that lint finds distances that are one cycle too short. Takes one pair
# per entry of the table that has exactly the entry's distance: instructions $14 and $15 of kernel
# $13. Reduces a stall count between them by one, if one is above 1. Prints the pairs in which lint
# finds nothing, and last the number of pairs that were tried.
mutants() {
    local cubin=$1 kernel producer reader what count=0
    awk -F, 'FNR > 1 && $12 > 0 && $7 == $12 && !seen[$10, $11, $12]++ { print $13, $14, $15,
            $2 "-" $3 ":" $4 }' "$2" >"$work/tight"
    while read -r kernel producer reader what; do
        build/sass dis "$cubin" --kernel "$kernel" 2>/dev/null |
            awk -v from="$producer" -v to="$reader" '
                /^..:.:.:.:.[: ]/ { at++; if (!done && at > from && at <= to) {
                    value = index("0123456789abcdef", substr($0, 10, 1)) - 1
                    if (value > 1) { $0 = substr($0, 1, 9) sprintf("%x", value - 1) substr($0, 11);
                    done = 1 } } }
                { print }
                END { exit !done }' >"$work/mutant.sass" || continue
        build/sass asm "$work/mutant.sass" --into "$cubin" -o "$work/mutant.cubin" || {
            echo "$what: is not assembled"
            continue
        }
        count=$((count + 1))
        build/sass lint "$work/mutant.cubin" --kernel "$kernel" >"$work/said" &&
            echo "$what in $kernel"
    done <"$work/tight"
    echo "$count mutants"
}

for arch in $(printf 'sm_%s\n' 75 80 86 89 90 100 103 120 | draw 2 distances); do
    if ! chains=$(drawn "$arch" 200) || ! uniform=$(drawn "$arch" 30 --uniform); then
        fail "chains for $arch compile"
        continue
    fi
    for cubin in "$chains" "$uniform"; do
        build/sass distances "$cubin"
    done | awk 'NR == 1 || !/^sm,/' >"$work/rows"
    said=$(awk -F, -v arch="$arch" "$compare" "$work/rows")
    if [[ $said ]]; then
        fail "distances for $arch are those of ptxas" "$said"
    else
        pass "distances for $arch are those of ptxas"
    fi
    case_is "lint finds nothing in chains for $arch" 0 '' build/sass lint "$chains"
    build/sass distances "$chains" >"$work/rows"
    said=$(mutants "$chains" "$work/rows")
    if [[ $said =~ ^[0-9]{2,}\ mutants$ ]]; then
        pass "$arch: lint finds each distance that is reduced by one, $said"
    else
        fail "$arch: lint finds each distance that is reduced by one" "$said"
    fi
done

# The table was once too short on sm_80 to sm_89 for the lower word of IMAD.WIDE and for the addend
# of IMAD.HI.
# pair ARCH STALL PRODUCER READER: assembles and lints two instructions STALL cycles apart.
pair() {
    printf '.kernel pair\n.threads 32\n--:-:-:Y:%x  %s ;\n--:-:-:-:5  %s ;\n--:-:-:-:5  EXIT ;\n' \
        "$2" "$3" "$4" >"$work/pair.sass"
    build/sass asm "$work/pair.sass" --arch "$1" -o "$work/pair.cubin"
}
for arch in sm_80 sm_86 sm_89; do
    case_is "$arch: the lower word of IMAD.WIDE after 4 cycles" 1 'R2: read too soon' pair $arch 4 \
        'IMAD.WIDE R2, R4, R5, RZ' 'IADD3 R8, R2, R9, RZ'
    case_is "$arch: the lower word of IMAD.WIDE after 5 cycles" 0 '' pair $arch 5 \
        'IMAD.WIDE R2, R4, R5, RZ' 'IADD3 R8, R2, R9, RZ'
    case_is "$arch: the addend of IMAD.HI after 4 cycles" 1 'R3: read too soon' pair $arch 4 \
        'IADD3 R3, R4, R5, RZ' 'IMAD.HI R8, R6, R7, R2'
    case_is "$arch: the addend of IMAD.HI after 5 cycles" 0 '' pair $arch 5 'IADD3 R3, R4, R5, RZ' \
        'IMAD.HI R8, R6, R7, R2'
done
case_is 'sm_90: the lower word of IMAD.WIDE after 3 cycles' 0 '' pair sm_90 3 \
    'IMAD.WIDE R2, R4, R5, RZ' 'IADD3 R8, R2, R9, RZ'

# The distance from a result to an LDC that uses it as its index is in the table for sm_90 only. On
# other chips, hand-timed lines must keep a distance that is certainly long enough. The assembler
# keeps that distance between automatic lines, even if the LDC is in the next basic block.
# timed ARCH CONTROL PRODUCER: assembles the producer with this control column (none: automatic),
# the text $MIDDLE, and the LDC.
timed() {
    printf '%s\n' '.kernel timed' '.threads 32' "$2 $3 ;" "${MIDDLE:-}" \
        '--:-:1:-:2  LDC R8, c[0x0][R2] ;' '01:-:-:-:5  EXIT ;' >"$work/timed.sass"
    build/sass asm "$work/timed.sass" --arch "$1" -o "$work/timed.cubin"
}
for arch in sm_75 sm_80 sm_86 sm_89 sm_100 sm_120; do
    for producer in 'IADD3 R2, R4, R5, RZ' 'FMUL R2, R4, R5' 'HADD2 R2, R4, R5'; do
        enough=$(timed $arch '--:-:-:-:1' "$producer" 2>&1 |
            sed -n 's/.* \([0-9]*\) cycles are surely enough.*/\1/p' | head -n 1)
        [[ $enough ]] || {
            fail "$arch, ${producer%% *}: a pair without a known distance is rejected"
            continue
        }
        case_is "$arch, ${producer%% *} to LDC's index after $((enough - 1)) cycles" 1 \
            'no distance is known' timed $arch "--:-:-:-:$((enough - 1))" "$producer"
        case_is "$arch, ${producer%% *} to LDC's index after $enough cycles" 0 '' timed $arch \
            "--:-:-:-:$enough" "$producer"
        case_is "$arch, ${producer%% *} to LDC's index, timed by the assembler" 0 '' timed \
            $arch '' "$producer"
        case_is 'as the listing has it' 0 ":$enough  ${producer%% *}" build/sass dis \
            "$work/timed.cubin"
        MIDDLE=$'next:\n' case_is "$arch, ${producer%% *} to LDC's index in the next block" 0 '' \
            timed $arch '' "$producer"
    done
done

# FP64 has fixed distances on sm_90 and sm_100; on other chips its results need scoreboards. There a
# wait for one FP64 instruction's scoreboard also covers earlier FP64 instructions without one.
# fp64 ARCH LINE...: assembles a kernel of these lines, and lists it.
fp64() {
    printf '%s\n' '.kernel fp64' '.threads 32' "${@:2}" '--:-:-:-:5  EXIT ;' >"$work/fp64.sass"
    build/sass asm "$work/fp64.sass" --arch "$1" -o "$work/fp64.cubin" &&
        build/sass dis "$work/fp64.cubin"
}
first='DFMA R4, R6, R8, R10 ;' next='DMUL R12, R4, R8 ;'
for arch in sm_75 sm_80 sm_89 sm_103 sm_110 sm_120; do
    case_is "$arch: the assembler sets an FP64 result's scoreboard" 0 '--:-:1:-:2  DFMA' \
        fp64 $arch "$first" "$next"
    case_is "$arch: and waits for it" 0 '01:-:2:-:1  DMUL' fp64 $arch "$first" "$next"
    case_is "$arch: FP64 with scoreboards by hand" 0 '' fp64 $arch "--:-:1:-:2 $first" \
        "01:-:2:-:2 $next"
    case_is "$arch: FP64 whose scoreboard is not waited for" 1 'R4: its value may still be' \
        fp64 $arch "--:-:1:-:8 $first" "--:-:2:-:2 $next"
    case_is "$arch: FP64 without a scoreboard" 1 'R4: its value may still be' \
        fp64 $arch "--:-:-:Y:f $first" "--:-:2:-:2 $next"
    case_is "$arch: FP64 whose scoreboard a later result sets" 0 '' fp64 $arch \
        "--:-:-:Y:4 $first" '--:-:1:-:2 DADD R14, R8, R8 ;' "01:-:2:-:2 $next"
done
for arch in sm_90 sm_100; do
    case_is "$arch: the assembler leaves a distance after FP64" 0 '--:-:-:-:8  DFMA' \
        fp64 $arch "$first" "$next"
    case_is "$arch: an FP64 result after 7 cycles" 1 'R4: read too soon' fp64 $arch \
        "--:-:-:-:7 $first" "--:-:-:-:2 $next"
    case_is "$arch: a scoreboard of FP64" 1 'has no result that comes late' fp64 $arch \
        "--:-:1:-:2 $first" "01:-:-:-:2 $next"
done

# stores WAIT: lints two tensor stores, a flush, and a write to a register of the first store. The
# write waits for the scoreboards in the mask WAIT. Stores and flush read their uniform registers in
# order, so waiting for any one of the three suffices.
stores() {
    printf '%s\n' '.kernel stores' '.threads 32' \
        '--:1:-:-:2  UTMASTG.2D [UR8], [UR4] ;' '--:2:-:-:2  UTMASTG.2D [UR12], [UR4] ;' \
        '--:3:-:-:2  UTMACMDFLUSH ;' "$1:-:-:-:1  UMOV UR9, 0x1 ;" '--:-:-:-:5  EXIT ;' \
        >"$work/stores.sass"
    build/sass asm "$work/stores.sass" --arch sm_90 --no-lint -o "$work/stores.cubin" &&
        build/sass lint "$work/stores.cubin"
}
case_is 'a tensor store that nothing waits for' 1 'UR9: ' stores --
case_is 'a tensor store whose own scoreboard is waited for' 0 '' stores 01
case_is 'a tensor store before one whose scoreboard is waited for' 0 '' stores 02
case_is 'a tensor store before a flush whose scoreboard is waited for' 0 '' stores 04
