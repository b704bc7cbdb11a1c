#!/usr/bin/env bash
# Runs the correct kernels of sasskit/tests/verdicts/clean, compiled for sm_75, 80, 89, 90 and 120,
# with 1, 2 and 4 host threads. The simulator must report nothing, in whatever order the threads run
# the blocks. Before sm_90, sources with clusters, the copy engine, mbarrier.h or float4 atomics are
# skipped. So are single kernels that a source leaves out on older chips (as with REDUX).
# Last, each instruction must write all registers that sass_touches() lists, and no others.
# Only in make test-all, with 20 runs per kernel. (verdict_test.sh draws one source for sm_75.)
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "correct kernels on five chips" || exit 0
source sasskit/tests/verdicts/compile.sh
shopt -s extglob
here=build/verdicts
rounds=${EXHAUSTIVE:+20}
export here NVCC rounds=${rounds:-1}

# left_out ARCH NAME SOURCE: true if the chip cannot run the kernel. On sm_120 multicast is a call
# into the driver. On sm_75 no shared memory is reserved for thread groups of several warps. Other
# kernels are missing in the PTX for that chip.
left_out() {
    [[ $1:$2 == 120:cluster_multicast || $1:$2 == 75:groups_tile_of_64_sync_shared ]] ||
        ! grep -q "^\.visible \.entry $2(" "$here/$(cubin_of_chip "$1" "$3").ptx"
}

judge_chip() { # ARCH SOURCE
    awk -f sasskit/tests/verdicts/list.awk "$2" | while IFS=$'\t' read -r name arguments says; do
        local said status=0 failed=
        local -a run
        [[ ! $says ]] && ! left_out "$1" "$name" "$2" || continue
        read -ra run <<<"$arguments"
        for ((round = 0; round < rounds; round++)); do
            for threads in 1 2 4; do
                said=$(timeout 120 build/simrun "$here/$(cubin_of_chip "$1" "$2").cubin" \
                    --entry "$name" "${run[@]}" --threads $threads 2>&1) || status=$?
                [[ $status == 0 && ! $said ]] || {
                    failed="$threads threads, round $round: exit status $status"
                    break 2
                }
            done
        done
        if [[ $failed ]]; then
            fail "$name is clean on sm_$1" "$failed" "$(head -3 <<<"$said")"
        else
            pass "$name is clean on sm_$1"
        fi
    done
}
cubin_of_chip() { # sm_90: the name that verdict_test.sh uses
    if [[ $1 == 90 ]]; then cubin_of "$2"; else echo "clean_$1"; fi
}
export -f pass fail verdict cubin_of cubin_of_chip left_out judge_chip

known=$("$NVCC" --list-gpu-code)
mapfile -t clean < <(clean_sources)
mapfile -t before < <(grep -LE '__cluster_dims__|mbarrier\.h|cp_async_bulk|atomic_float4' \
    "${clean[@]}")
for arch in 75 80 89 90 120; do
    grep -qx "sm_$arch" <<<"$known" || {
        skip "clean kernels on sm_$arch" 'this toolkit does not know it'
        continue
    }
    sources=("${clean[@]}")
    ((arch >= 90)) || sources=("${before[@]}")
    set=clean_$arch
    [[ $arch != 90 ]] || set=clean
    if ! said=$(compile "$set" "sm_$arch" '' "${sources[@]}" 2>&1); then
        fail "clean kernels compile for sm_$arch" "$said"
        continue
    fi
    [[ $arch != 90 ]] || {
        said=$(compile clean_90a sm_90a '' sasskit/tests/verdicts/clean/*_90a.cu 2>&1) &&
            sources+=(sasskit/tests/verdicts/clean/*_90a.cu)
    }
    printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -I SOURCE bash \
        -c 'said=$(judge_chip "$1" "$2"); echo "$said"' judge "$arch" SOURCE
done

# Each instruction must write all of its destinations and nothing else (written/written.c).
export WRITTEN=$PWD/$here/written.txt
rm -f "$WRITTEN"
for arch in 75 80 89 90 120; do
    sources=("${clean[@]}")
    ((arch >= 90)) || sources=("${before[@]}")
    for source in "${sources[@]}"; do
        awk -f sasskit/tests/verdicts/list.awk "$source" | while IFS=$'\t' read -r name \
            arguments says; do
            ! left_out "$arch" "$name" "$source" || continue
            echo "timeout 120 build/fast/written $here/$(cubin_of_chip "$arch" \
                "$source").cubin --entry $name --threads 1 $arguments >/dev/null 2>&1; true"
        done
    done
done | xargs -P "$(nproc)" -d '\n' -I COMMAND bash -c COMMAND
# The kernels of sasskit/tests/corpus and sasskit/tests/features.cu have more instructions.
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -o "$here/reference" sasskit/tests/corpus/reference.c -lm &&
    "$here/reference" inputs "$here"
for arch in 75 80 90 120; do
    sources=(sasskit/tests/corpus/*.cu)
    [[ $arch != 75 ]] || sources=(sasskit/tests/corpus/!(redux|cp_async).cu)
    said=$(compile "corpus_$arch" "sm_$arch" '' "${sources[@]}" 2>&1) ||
        fail "sasskit/tests/corpus compiles for sm_$arch" "$said"
done
said=$(compile features_90 sm_90 -std=c++17 sasskit/tests/features.cu 2>&1) ||
    fail 'sasskit/tests/features.cu compiles' "$said"
{
    for source in sasskit/tests/corpus/*.cu; do
        arguments=$(sed -n 's,^// run: ,,p' "$source")
        for arch in 75 80 90 120; do
            echo "cd $here && timeout 120 ../fast/written corpus_$arch.cubin --entry $(basename \
                "$source" .cu) --threads 1 $arguments >/dev/null 2>&1; true"
        done
    done
    for kernel in $(sed -n 's/^KERNEL \([a-z_]*\)(.*/\1/p' sasskit/tests/features.cu); do
        [[ $kernel != uniform_half ]] || arguments='--arg f16:0.37 --arg u32:123456789'
        [[ $kernel == uniform_half ]] || arguments=
        echo "timeout 120 build/fast/written $here/features_90.cubin --entry $kernel --grid 4" \
            "--block 64 --threads 1 $arguments --arg u32[192]:random:1 --arg u32[16]:zero" \
            ">/dev/null 2>&1; true"
    done
} | xargs -P "$(nproc)" -d '\n' -I COMMAND bash -c COMMAND
# Exceptions: a call into the system writes what the system returns; a generic atomic whose address
# is in another memory space sets only its predicate.
said=$(grep -vE '^(ran|CALL\.ABS|ATOM) ?' "$WRITTEN" | sort | uniq -c | head -20)
if [[ ! $said && $(grep -c '^ran ' "$WRITTEN") -gt 1000 ]]; then
    pass "what $(sort -u "$WRITTEN" |
        grep -c '^ran ') kinds of instructions say that they write is written"
else
    fail 'what instructions say that they write is written' "$said"
fi
