#!/usr/bin/env bash
# Fuzzes the toolkit's readers of untrusted input with AddressSanitizer and
# UndefinedBehaviorSanitizer. Each harness is executed RUNS times:
#
#     sasskit/tests/fuzz/fuzz.sh RUNS ['HARNESS...']
#
# Harnesses: cubin text arguments assembler reuse run time machine step tune; default: all.
#
# The first inputs come from cubins and sources of the tests; new ones are kept in build/fuzz/NAME.
# A failing input is left as build/fuzz/crash-NAME-* and ends the script with status 1. Requires
# clang and its fuzzer runtime (Debian: clang, libclang-rt-14-dev).
cd "$(dirname "$0")/../../.." || exit 1
source sasskit/tests/fuzz/harness.sh
runs=${1:?how many executions}
all='cubin text arguments assembler reuse run time machine step tune'

# seeds: writes the first inputs of each harness to its folder. Cubins are small ones of the corpus.
seeds() {
    for name in $all; do mkdir -p "$here/$name"; done
    for name in int_add branch_if memory_constant call memory_variable texture_fetch \
        transpose stride_loop; do
        cubin=$here/seed_$name.cubin
        [[ -s $cubin ]] || "${NVCC:-nvcc}" -cubin -arch=sm_90 -lineinfo -o "$cubin" \
            "sasskit/tests/corpus/$name.cu" || exit 1
        for to in cubin reuse run time tune; do cp "$cubin" "$here/$to/$name"; done
        build/sass dis "$cubin" --raw >"$here/text/$name" || exit 1
    done
    for kernel in sasskit/tests/corpus/*.cu; do
        sed -n 's,^// run: ,x.cubin ,p' "$kernel" | tr ' ' '\n' | sed 's/:file:.*/:random:7/' \
            >"$here/arguments/$(basename "$kernel" .cu)"
    done
    cp sasskit/tests/assembler/*.sass sasskit/tests/assembler/errors/*.sass "$here/assembler"
    rm -f "$here"/assembler/runaway_* # slow: they test the limits of expansion
    awk '!seen[$0]++' sasskit/tests/corpus/expected/*.sass | split -l 5 - "$here/text/lines."
    build/simrun --machine list | awk -v FS='[ :]+' \
        '$1 { print (NR % 2 ? "h200," : "a100,") $1 "=" $2 }' | split -l 1 - "$here/machine/line."
    printf '%s\n' 'step 5' 'to 0x40' 'back 2' 'warp 1' others 'block 1' warps 'registers R4' \
        'shared 400' 'as float' csv code 'replay 1:9' help >"$here/step/all"
}

seeds
export FUZZ_CUBIN=$here/seed_int_add.cubin FUZZ_STEPPED=$here/seed_transpose.cubin
sass=(sasskit/base/*.c sasskit/{isa,asm,lint,reuse}/*.c)
# Without the check of alignment, which clang 14 compiles wrongly.
sim=(sasskit/sim/{checks,counts,machine,ops,run}/*.c -fno-sanitize=alignment)
for name in ${2:-$all}; do
    files=("${sass[@]}") longest=512
    case $name in
    arguments) files+=(sasskit/sim/programs/arguments.c "${sim[@]}") ;;
    step) files+=(sasskit/sim/programs/stepper.c "${sim[@]}") ;;
    machine) files+=("${sim[@]}" sasskit/model/*.c) ;;
    run | time) files+=("${sim[@]}" sasskit/model/*.c) longest=16384 ;;
    tune) files+=("${sim[@]}" sasskit/model/*.c sasskit/sim/programs/arguments.c
        sasskit/tune/{moves,tune}.c) longest=16384 ;;
    assembler) longest=2048 ;;
    cubin | reuse) longest=16384 ;;
    esac
    fuzz "$runs" $longest "sasskit/tests/fuzz/fuzz_$name.c" "${files[@]}"
done
