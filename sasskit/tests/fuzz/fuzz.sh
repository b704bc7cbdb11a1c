#!/usr/bin/env bash
# Fuzzes the readers of untrusted input under AddressSanitizer and UndefinedBehaviorSanitizer, RUNS
# executions of each harness:
#
#     sasskit/tests/fuzz/fuzz.sh RUNS ['HARNESS...']    cubin text arguments assembler reuse run options
#                                              samples time machine step tune gpus; default: all
#
# Inputs start from cubins of the build and grow in build/fuzz/NAME. A finding is left there as
# crash-* and ends the run with status 1. Requires clang and its fuzzer runtime (Debian: clang,
# libclang-rt-14-dev).
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
runs=${1:?how many executions}
all='cubin text arguments assembler reuse run options samples time machine step tune gpus'
harnesses=${2:-$all}
here=build/fuzz
clang=$(command -v clang || command -v clang-14)
mkdir -p "$here"

echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n > 3 ? 0 : 0; }' >"$here/probe.c"
if [[ -z $clang ]] || ! "$clang" -fsanitize=fuzzer,address,undefined "$here/probe.c" -o "$here/probe" 2>/dev/null; then
    echo 'fuzz: skipped: clang with the fuzzer runtime is missing (apt-get install clang libclang-rt-14-dev)' >&2
    exit 77
fi

build() { # NAME SOURCE...
    "$clang" -std=c11 -D_GNU_SOURCE -g -O2 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
        -Wall -Werror -Wno-unknown-pragmas -Wno-unused-function -Wno-unused-but-set-variable -Icommon -Isasskit -Icommon/harness -Ibuild -o "$here/fuzz_$1" "${@:2}" -lm || exit 1
}

# The smallest cubins, and their texts.
seeds() {
    for name in $all; do mkdir -p "$here/$name"; done
    for name in int_add branch_if memory_constant call memory_variable texture_fetch transpose stride_loop; do
        cubin=$here/seed_$name.cubin
        [[ -s $cubin ]] || "${NVCC:-nvcc}" -cubin -arch=sm_90 -lineinfo -o "$cubin" "sasskit/tests/corpus/$name.cu" || exit 1
        for to in cubin reuse run time tune; do cp "$cubin" "$here/$to/$name"; done
        build/sass dis "$cubin" --raw >"$here/text/$name" || exit 1
    done
    for kernel in sasskit/tests/corpus/*.cu; do
        sed -n 's,^// run: ,x.cubin ,p' "$kernel" | tr ' ' '\n' | sed 's/:file:.*/:random:7/' \
            >"$here/arguments/$(basename "$kernel" .cu)"
    done
    cp sasskit/tests/assembler/*.sass sasskit/tests/assembler/errors/*.sass "$here/assembler"
    rm -f "$here"/assembler/runaway_* # slow by design
    awk '!seen[$0]++' sasskit/tests/corpus/expected/*.sass | split -l 5 - "$here/text/lines."
    grep -ohE 'build/ladder --[^#;|`]*' README.md docs/*.md steps/*/*.md | sed 's/^[^ ]* //' | sort -u | split -l 1 - "$here/options/line."
    sed -i 's/ *$//; s/ /\n/g' "$here"/options/line.*
    cp "$here"/options/line.* "$here/gpus"
    grep -ohE 'build/14_several_gpus --[^#;|`]*' README.md docs/*.md steps/*/*.md | sed 's/^[^ ]* //; s/ *$//; s/ /\n/g' | split -l 4 - "$here/gpus/words."
    build/simrun --machine list | awk -v FS='[ :]+' '$1 { print (NR % 2 ? "h200," : "a100,") $1 "=" $2 }' | split -l 1 - "$here/machine/line."
    printf 'step 5\nto 0x40\nback 2\nwarp 1\nothers\nblock 1\nwarps\nregisters R4\nshared 400\nas float\ncsv\ncode\nreplay 1:9\nhelp\n' >"$here/step/all"
    for csv in docs/results/h200/order.csv docs/results/h200/results.csv; do head -n 12 "$csv" >"$here/samples/$(basename "$csv")"; done
}

seeds
export FUZZ_CUBIN=$here/seed_int_add.cubin FUZZ_STEPPED=$here/seed_transpose.cubin
sass=(sasskit/base/*.c sasskit/{isa,asm,lint,reuse}/*.c)
# Clang 14 miscompiles it
sim=(sasskit/sim/{checks,counts,machine,ops,run}/*.c -fno-sanitize=alignment)
for name in $harnesses; do
    files=("${sass[@]}") longest=512
    case $name in
    options) files=(common/harness/{matrix,parse,say}.c) ;;
    samples) files=(common/harness/{csv,result,say}.c) longest=2048 ;;
    arguments) files+=(sasskit/sim/programs/arguments.c "${sim[@]}") ;;
    gpus) files=(common/harness/{matrix,parse,say}.c) ;;
    step) files+=(sasskit/sim/programs/stepper.c "${sim[@]}") ;;
    machine) files+=("${sim[@]}" sasskit/model/*.c) ;;
    run | time) files+=("${sim[@]}" sasskit/model/*.c) longest=16384 ;;
    tune) files+=("${sim[@]}" sasskit/model/*.c sasskit/sim/programs/arguments.c sasskit/tune/{moves,tune}.c) longest=16384 ;;
    assembler) longest=2048 ;;
    cubin | reuse) longest=16384 ;;
    esac
    build "$name" "tests/fuzz/fuzz_$name.c" "${files[@]}"
    echo "fuzz: $name, $runs executions"
    "$here/fuzz_$name" -runs="$runs" -max_len=$longest -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$here/crash-$name-" "$here/$name" >"$here/$name.log" 2>&1 || { tail -40 "$here/$name.log"; exit 1; }
    grep -E 'Done|average_exec' "$here/$name.log"
done
