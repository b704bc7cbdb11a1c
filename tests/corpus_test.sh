#!/usr/bin/env bash
# The kernels of tests/corpus, compiled by nvcc for sm_90: sass dis gives NVIDIA's text (expected/NAME.sass, which
# nvdisasm 13.1 printed; compared only when nvcc is 13.0, which makes the same code), asm of that text gives the same file,
# and simrun, with the arguments of the kernel's `run:` line, gives the values of reference.c without a report.
#
#     tests/corpus_test.sh [NAME...]
source "$(dirname "$0")/tap.sh"
texts=
! of_13_0 "NVIDIA's text" || texts=compared
export texts NVCC here=build/corpus corpus=tests/corpus

text_is_nvidias() {
    local name=$1 said
    if ! said=$(build/sass dis "$here/$name.cubin" 2>&1 >"$here/$name.sass"); then
        fail "$name: text" "$said"
    elif [[ ! $texts ]]; then
        return
    elif said=$(awk -f "$corpus/normalise.awk" "$here/$name.sass" | diff - "$corpus/expected/$name.sass"); then
        pass "$name: text"
    else
        fail "$name: text" '< sass dis, > nvdisasm' "$(head -20 <<<"$said")"
    fi
}

text_goes_back() {
    local name=$1 said
    if said=$(build/sass asm "$here/$name.sass" --into "$here/$name.cubin" -o "$here/$name.again.cubin" 2>&1) &&
        said=$(cmp "$here/$name.cubin" "$here/$name.again.cubin" 2>&1); then
        pass "$name: asm of dis"
    else
        fail "$name: asm of dis" "$said"
    fi
}

values_are_right() {
    local name=$1 said run
    run=$(sed -n 's,^// run: ,,p' "$corpus/$name.cu")
    if ! said=$(cd "$here" && rm -f "$name.out" && timeout 60 ../simrun "$name.cubin" $run 2>&1); then
        fail "$name: values" "${said:-simrun took more than 60 seconds}" "$("$here/reference" check "$name" "$here/$name.out" 2>&1)"
    elif said=$("$here/reference" check "$name" "$here/$name.out" 2>&1); then
        pass "$name: values"
    else
        fail "$name: values" "$said"
    fi
}

one_kernel() {
    local name=$1 said
    if ! said=$(cubin "$here/$name.cubin" -arch=sm_90 "$corpus/$name.cu" 2>&1); then
        fail "$name compiles" "$said"
        return
    fi
    text_is_nvidias "$name"
    text_goes_back "$name"
    values_are_right "$name"
}
export -f pass fail skip cubin text_is_nvidias text_goes_back values_are_right one_kernel

mkdir -p "$here"
# The reference follows IEEE 754 to the letter: no contraction, no assumptions on the rounding mode.
"$CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O1 -ffp-contract=off -frounding-math -fwrapv \
    -o "$here/reference" "$corpus/reference.c" -lm && "$here/reference" inputs "$here" || exit 1
names=("$@")
if [[ $# == 0 ]]; then
    names=($(basename -s .cu "$corpus"/*.cu))
    if said=$(diff <("$here/reference" list | sort) <(printf '%s\n' "${names[@]}" | sort)); then
        pass 'every kernel has a reference'
    else
        fail 'every kernel has a reference' "$said"
    fi
fi
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I NAME bash -c 'said=$(one_kernel NAME); echo "$said"'
