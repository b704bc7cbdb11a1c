#!/usr/bin/env bash
# Wrong kernels that the course's check must catch. A list tests/mutants/STEP.mutants has changes of
# the step's source. Each change is applied alone, one variant is built, and the step's program runs
# it on the simulator.
# The changes of tune.mutants are to sasskit/tune/moves.c, the rules by which `sass tune` moves
# instructions. Lint or the simulator must find a bad move in the kernel of
# sasskit/tests/test_tune.c. These changes are always tried.
#
#     tests/mutants_test.sh                   a sample over the steps, drawn by SEED (`make test`)
#     tests/mutants_test.sh all [STEP...]     all of them (`make mutants`), or those of
#                                             STEPs, each 05, 05_float4 or tune
#
# A line of the lists has four fields, separated by tabs:
#
#     variant      a variant, and options of the program instead of --size 64; for tune.mutants a
#                  test of test_tune.c
#     text         text that occurs once in the source; "2: text" means its second occurrence.
#                  "hand.sass: text" or "cp_async.cu: text" names another file of the step or of
#                  step 10; "step.c: text" changes the host code; "dis: text" changes the
#                  machine code that nvcc made.
#     replacement  the new text
#     reason       the fault that the change makes. If it begins with "equivalent:", the change must
#                  pass, and the rest says why it changes nothing.
#
# Lines that begin with # are comments.
source "$(dirname "$0")/tap.sh"
sample=14 # size of the sample
NVCC=$(tools/nvcc.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NVCC work
build/cubin_rules --table >"$work/table"

# mutate SOURCE TEXT REPLACEMENT NTH: prints the changed source. Requires that TEXT occurs exactly
# once, or at least NTH times if NTH is not 0.
mutate() {
    TEXT=$2 NEW=$3 NTH=$4 awk '
        BEGIN { text = ENVIRON["TEXT"]; new = ENVIRON["NEW"]; nth = ENVIRON["NTH"] }
        {
            rest = $0; done = ""
            while ((at = index(rest, text)) > 0) {
                count++
                done = done substr(rest, 1, at - 1) (count == nth || nth == 0 &&
                    count == 1 ? new : text)
                rest = substr(rest, at + length(text))
            }
            print done rest
        }
        END { exit !(nth ? count >= nth : count == 1) }' "$1"
}

# row_of STEP VARIANT FIELDS: prints FIELDS (an awk expression) of the variant's row in the table.
row_of() { awk -F'\t' -v s="$1" -v v="$2" '$1 == s && $2 == v { print '"$3"' }' "$work/table"; }

# build_mutant STEP VARIANT SOURCE CUBIN: builds the cubin as the Makefile does, without rewriting.
build_mutant() {
    local flags how arch
    IFS='|' read -r how flags arch < <(row_of "$1" "$2" '$4 "|" $5 "|" $6')
    [[ $arch == 90a ]] || arch=90
    if [[ $3 == */dis.sass ]]; then
        build/sass asm "$3" --into "build/cubin/sm_90/$1/$2.cubin" -o "$4"
    elif [[ $3 == *.sass ]]; then
        build/sass asm "$3" $flags -o "$4"
    else
        [[ $how ]] && "$NVCC" -O3 -std=c++17 -cubin -arch="sm_$arch" -lineinfo $flags -o "$4" "$3"
    fi
}

# build_program PROGRAM OBJECT SOURCE...: links SOURCE with the common objects, except OBJECT and
# main.
build_program() {
    local objects=() object source
    while read -r object; do
        source=${object#build/obj/} source=${source%.o}
        # Skips objects whose source was renamed.
        if [[ -e ${source%.v[0-9]}.c ]]; then objects+=("$object"); fi
    done < <(find build/obj/common build/obj/sasskit -name '*.o' ! -name main.o ! \
        -name cubin_rules.o \
        ! -path '*/tests/*' ! -regex '.*/programs/\(sass\|simrun\|predict\|bench\).o' ! \
        -path "build/obj/$2")
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -Icommon -Isasskit -Icommon/harness -Isasskit/tune \
        -Ibuild -o "$1" "${@:3}" "${objects[@]}" \
        -fopenmp -ldl -lm -pthread
}

# build_mutated STEP SOURCE PROGRAM: builds the step's program with the changed step.c, or the test
# of tune's rules with the changed moves.c.
build_mutated() {
    if [[ $1 == tune ]]; then
        build_program "$3" sasskit/tune/moves.o "$2" "$work/test_tune.o" -lcmocka
    else
        build_program "$3" - "$2" build/obj/common/harness/main.o \
            build/obj/steps/10_block_order/step.o build/obj/library/shapes/step.o
    fi
}

# read_change FILE:LINE: splits a line of the lists into its caller's variables. `main` is the file
# to compile, `source` the file to change.
read_change() {
    local list=${1%:*}
    step=$(basename "$list" .mutants) file='' nth=0
    IFS=$'\t' read -r variant text new why < <(sed -n "${1##*:}p" "$list")
    read -r variant options <<<"$variant"
    if [[ $text =~ ^([a-z_0-9]+\.(sass|h|cu)|dis|step\.c):\  ]]; then
        file=${text%%: *} text=${text#*: }
    fi
    if [[ $text =~ ^([0-9]+):\ (.*)$ ]]; then nth=${BASH_REMATCH[1]} text=${BASH_REMATCH[2]}; fi
    main=$(row_of "$step" "$variant" '$7')
    folder=steps/$step
    if [[ ! -d $folder ]]; then folder=library/$step; fi
    source=${file:+$folder/$file}
    source=${source:-$main}
    if [[ $file != dis && ! -e $source ]]; then source=steps/10_block_order/$file; fi
    if [[ $step == tune ]]; then file=moves.c source=sasskit/tune/moves.c; fi
}

# stands FILE:LINE: returns 0 if the text to change occurs in its source. (try_mutant does so for
# the texts of "dis:".)
stands() {
    local step variant options text new why file nth main folder source
    read_change "$1"
    if [[ ! $why ]]; then
        fail "$1" 'a field is missing: variant, text, replacement and reason'
        return
    fi
    [[ $file == dis ]] || mutate "$source" "$text" "$new" "$nth" >/dev/null ||
        fail "$1: $why" "$source has not, or more than once: $text"
}

# try_mutant FILE:LINE: builds and runs one change. Requires: stands FILE:LINE.
try_mutant() {
    local step variant options text new why file nth main folder source at said status=0
    read_change "$1"
    at=$work/$(basename "$1")
    mkdir -p "$at/cubin/sm_90/$step" "$at/sasskit/tune"
    if [[ $file == dis ]]; then
        mkdir -p "$at/$folder"
        source=$folder/dis.sass
        build/sass dis "build/cubin/sm_90/$step/$variant.cubin" >"$at/whole.sass"
    fi
    if [[ $source != *.h ]]; then main=$source; fi
    # Copies the folders of the changed file and of the files that include it.
    if [[ $step != tune ]]; then
        # The sources may be those of another step.
        printf '%s\n' "$folder" "$(dirname "$source")" "$(dirname "$main")" steps/10_block_order \
            library/shapes library/rules | sort -u |
            xargs cp -r --parents -t "$at"
    fi
    if ! mutate "$([[ $file == dis ]] && echo "$at/whole.sass" || echo "$source")" "$text" "$new" \
        "$nth" >"$at/$source"; then
        fail "$1: $why" "$source has not, or more than once: $text"
    elif [[ $file == *.c ]] &&
        ! said=$(build_mutated "$step" "$at/$source" "$at/program" 2>&1); then
        fail "$1: $why" 'it does not compile' "$said"
    elif [[ $file != *.c ]] &&
        ! said=$(build_mutant "$step" "$variant" "$at/$main" \
            "$at/cubin/sm_90/$step/$variant.cubin" 2>&1); then
        fail "$1: $why" 'it does not compile' "$said"
    else
        # The program may run other kernels of the step and other steps' kernels.
        for other in build/cubin/sm_90/* build/cubin/sm_90/"$step"/*; do
            ln -sn "$PWD/$other" "$at/cubin/${other#build/cubin/}" 2>/dev/null
        done
        case $file in
            moves.c | step.c) ;;
            *) cp "build/$step" "$at/program" ;;
        esac
        run_mutant "$at" "$step" "$variant" $options >"$at/output" 2>&1 || status=$?
        if [[ $why == equivalent:* ]]; then
            if [[ $status == 0 ]]; then
                pass "$1: passes, being $why"
            else
                fail "$1: $why" "it was caught:" "$(head -5 "$at/output")"
            fi
        elif [[ $status == 0 ]]; then
            fail "$1: $step/$variant, $why" 'it passes every check'
        elif [[ $status == 1 ]]; then
            pass "$1: $step/$variant, $why"
        else
            fail "$1: $why" "exit status $status" "$(head -5 "$at/output")"
        fi
    fi
    rm -rf "$at"
}

run_mutant() {
    if [[ $2 == tune ]]; then
        timeout -s KILL 120 "$1/program" "$3"
    elif [[ $2 == 00_machine ]]; then
        find build/cubin/sm_90/00_machine -name 'bank_*.cubin' -exec cp {} \
            "$1/cubin/sm_90/00_machine/" \;
        # The program leaves out a variant whose probe fails: the change is caught.
        (
            set -o pipefail
            timeout -s KILL 120 "$1/program" --backend sim 2>&1 |
                awk '{ print } / left out: / { caught = 1 } END { exit caught }'
        )
    else
        timeout -s KILL 120 "$1/program" --backend sim --variant "$3" ${4:---size 64} "${@:5}"
    fi
}
export -f mutate row_of build_mutant build_program build_mutated read_change stands try_mutant \
    run_mutant pass fail

# places [LIST...]: prints FILE:LINE of each change.
places() { awk '/^[^#]/ { print FILENAME ":" FNR }' "$@"; }

if [[ ! -s build/cubin/sm_90/02_shared_tiling/tile16.cubin ]]; then
    skip 'wrong kernels' 'built for another ARCH'
    exit 0
fi
lists=(tests/mutants/*.mutants)
if ! "${CC:-cc}" -std=c11 -D_GNU_SOURCE -Icommon -Isasskit -Itests -Ibuild -O1 -c \
    -o "$work/test_tune.o" sasskit/tests/test_tune.c 2>"$work/said"; then
    if grep -q cmocka.h "$work/said"; then
        skip "tune's rules" 'needs cmocka'
    else
        fail 'test_tune.c compiles' "$(cat "$work/said")"
    fi
    lists=($(ls tests/mutants/*.mutants | grep -v /tune))
fi
if [[ ${1:-} == all && $# -gt 1 ]]; then
    lists=()
    for step in "${@:2}"; do
        found=(tests/mutants/"$step"*.mutants)
        if [[ ! -e ${found[0]} ]]; then
            echo "mutants_test.sh: no list for step $step in tests/mutants" >&2
            exit 2
        fi
        lists+=("${found[@]}")
    done
elif [[ ${1:-} && $1 != all ]]; then
    echo 'usage: tests/mutants_test.sh [all [STEP...]]' >&2
    exit 2
fi
mapfile -t chosen < <(places "${lists[@]}")
unfit=$(for place in "${chosen[@]}"; do stands "$place"; done)
if [[ $unfit ]]; then
    echo "$unfit"
else
    pass "what the ${#chosen[@]} changes replace stands in its source"
fi
if [[ $# -le 1 ]]; then
    if ((${#chosen[@]} >= 100)); then
        pass "${#chosen[@]} changes are listed"
    else
        fail 'at least 100 changes are listed' "${#chosen[@]}"
    fi
    for step in steps/*/ library/*/; do
        [[ -s $step/kernel.cu ]] || continue # step 14 has no kernel of its own
        [[ -s tests/mutants/$(basename "$step").mutants ]] || fail "changes of $step are listed"
    done
fi
if [[ ${1:-} != all && ! ${EXHAUSTIVE:-} ]]; then
    mapfile -t chosen < <(printf '%s\n' "${chosen[@]}" | awk -v n="${#chosen[@]}" \
        -v sample="$sample" -v seed="$seed" '
        { at = NR + seed % n } /\/tune\./ || int(at * sample / n) > int((at - 1) * sample / n)')
fi
printf '%s\n' "${chosen[@]}" | xargs -P "$(nproc)" -I PLACE bash \
    -c 'said=$(try_mutant PLACE); echo "$said"'
