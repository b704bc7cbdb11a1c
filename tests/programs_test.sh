#!/usr/bin/env bash
# Each program consists of sources of permitted folders only, by its debug information. sasskit
# requires nothing but a C compiler.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kit=$(echo sasskit/{base,isa,sim/{machine,checks,counts,ops,run}})
course="$kit sasskit/model common/harness common/backend"

# sources PROGRAM: prints the C files that it was linked from.
sources() {
    readelf --debug-dump=info "$1" 2>/dev/null |
        awk '/DW_TAG_compile_unit/ { unit = 1 } unit && /DW_AT_name/ { print $NF; unit = 0 }' |
        sort -u
}
# strangers PROGRAM FOLDER...: prints the folders of its sources other than FOLDERs.
strangers() { sources "$1" | sed 's,/[^/]*$,,' | sort -u | grep -vxF "$(printf '%s\n' "${@:2}")"; }
contains_only() { # PROGRAM FOLDER...
    local found
    if [[ ! -e $1 ]]; then
        skip "$1" 'it is not built'
        return
    fi
    if ! sources "$1" | grep -q '^sasskit/'; then
        skip "$1" 'built without debug information'
        return
    fi
    found=$(strangers "$@")
    [[ ! $found ]]
    verdict $? "$1 contains only its rooms" "$found"
}

# shellcheck disable=SC2086 # one folder a word
{
    contains_only build/simrun $kit sasskit/model sasskit/sim/programs
    # `sass tune` may use a GPU as its judge if CUDA's headers exist. It needs the driver alone for
    # that.
    contains_only build/sass $kit sasskit/model sasskit/sim/programs sasskit/programs sasskit/asm \
        sasskit/lint sasskit/reuse sasskit/tune \
        common/judge common/backend
    contains_only build/ladder $course $(ls -d steps/*/ library/shapes/ | sed 's,/$,,')
    contains_only build/cubin_rules sasskit/base common/harness $(ls -d steps/*/ library/shapes/ |
        sed 's,/$,,')
    contains_only build/exercise exercises sasskit/base
    contains_only build/gpurun $kit sasskit/sim/programs tools/latency common/backend
    for step in steps/*/step.c library/*/step.c; do
        step=${step%/step.c}
        needs=$(sed -n "s,^needs_of_${step##*/} *:= *,,p" build/cubins.mk | tr ' ' '\n' |
            sed 's,^build/obj/\(.*\)/step.o$,\1,')
        contains_only "build/${step##*/}" $course "$step" $needs
    done
}
none_of() { ! strings -a "$1" | grep -iE "$2"; }
case_is 'the assembler knows no cuBLAS and no NCCL' 0 '' none_of build/sass 'cublas|nccl'
case_is 'the simulator knows no GPU' 0 '' none_of build/simrun 'cublas|nccl|libcuda'
of_backend=$(sources build/sass | grep '^common/backend/' |
    grep -vxE 'common/backend/(driver|error)\.c')
[[ ! $of_backend ]]
verdict $? 'the assembler uses the driver alone' "$of_backend"
[[ $(strangers build/sass sasskit/isa) == *sasskit/asm* ]]
verdict $? 'the check sees a stranger'

# sasskit builds from its folder, the Makefile's rules and a C compiler, without nvcc and CUDA.
mkdir "$work/alone"
cp -r Makefile mk sasskit tools "$work/alone/"
mkdir -p "$work/alone/library" "$work/alone/web/engine" "$work/alone/tests"
cp tests/{run,tap}.sh tests/longest.txt "$work/alone/tests"
# The Makefile includes them
touch "$work/alone/library/library.mk" "$work/alone/web/engine/engine.mk"
alone() {
    NVCC=/nonexistent CUDA_HOME=/nonexistent make -j"$(nproc)" -s -C "$work/alone" \
        CFLAGS='-O0 -g1' "$@"
}
case_is 'sasskit builds of its folder alone' 0 '' alone sasskit
case_is 'sasskit is installed' 0 "$work/root/usr/bin" alone DESTDIR="$work/root" \
    PREFIX=/usr install-sasskit
case_is 'the installed programs work elsewhere' 0 'saxpy' bash \
    -c "cd '$work/root' &&
    usr/bin/sass asm '$PWD/sasskit/tests/assembler/saxpy.sass' -o a.cubin &&
    usr/bin/simrun a.cubin --list"
case_is 'its tests run' 0 ', 0 failed, ' alone test-sasskit TESTS=sasskit/tests/tune_test.sh
[[ $(sources "$work/alone/build/sass" | grep -c '^common') == 0 ]]
verdict $? 'nothing of common/ is in it'
