#!/usr/bin/env bash
# What the simulator and `sass lint` say of kernels that are right (tests/verdicts/clean: nothing) and of kernels that are wrong
# (tests/verdicts/faults: what the kernel's `says:` line expects). CUDA C, compiled by nvcc, and machine code. Those that are right
# once more as ptxas makes them without optimisation (some a day, all in make test-all), and some for a debugger (-G): there functions
# stand apart from their kernel.
source "$(dirname "$0")/tap.sh"
shopt -s extglob
here=build/verdicts
mkdir -p "$here"
export NVCC here

make_cubin() { # SOURCE CUBIN OPTIONS OF NVCC...
    local source=$1 cubin=$2
    shift 2
    case $source in
    *_90a.cu) cubin "$cubin" -arch=sm_90a -lineinfo "$@" "$source" ;;
    *.cu) cubin "$cubin" -arch=sm_90 -lineinfo "$@" "$source" ;;
    *.sass) build/sass asm "$source" --no-lint -o "$cubin" ;;
    esac
}

judge() { # NAME CUBIN ARGUMENTS SAYS
    local said status=0
    local -a arguments
    read -ra arguments <<<"$3"
    said=$(timeout 120 build/simrun "$2" --entry "$1" "${arguments[@]}" 2>&1) || status=$?
    if [[ $4 ]]; then
        local expected=1
        [[ $4 != 'warning: '* ]] || expected=0
        if [[ $status != "$expected" ]]; then
            fail "$1 is reported" "exit status $status, expected $expected" "$said"
        elif ! grep -qE -- "$4" <<<"$said"; then
            fail "$1 is reported" "expected: $4" "$said"
        else
            pass "$1 is reported"
        fi
    elif [[ $status != 0 || $said ]]; then
        fail "$1 is clean" "exit status $status" "$(head -5 <<<"$said")"
    else
        pass "$1 is clean"
    fi
}

one_file() { # SOURCE [OPTIONS OF NVCC, which stand in the cubin's name, too]
    local source=$1 cubin said options
    read -ra options <<<"${2-}"
    cubin=$here/$(basename "$(dirname "$source")")_$(basename "${source%.*}")${2//[^A-Za-z0-9]/}.cubin
    if ! said=$(make_cubin "$source" "$cubin" "${options[@]}" 2>&1); then
        fail "$source compiles" "$said"
        return
    fi
    awk -f tests/verdicts/list.awk "$source" | while IFS=$'\t' read -r name arguments says; do
        judge "$name" "$cubin" "$arguments" "$says"
    done
    [[ $source == */clean/* ]] || return
    if said=$(build/sass lint "$cubin" 2>&1); then pass "lint finds nothing in $source${2:+ ($2)}"; else fail "lint finds nothing in $source${2:+ ($2)}" "$said"; fi
}
export -f pass fail cubin make_cubin judge one_file

{
    printf '%s\0\0' tests/verdicts/clean/*.* tests/verdicts/faults/*.*
    printf '%s\n' tests/verdicts/clean/!(warnings).cu | draw 6 verdicts | while read -r source; do printf '%s\0-Xptxas -O0\0' "$source"; done
    printf '%s\0-G\0' tests/verdicts/clean/{programs,local,groups}.cu
} | xargs -0 -n 2 -P "$(nproc)" bash -c 'said=$(one_file "$@"); echo "$said"' one_file
