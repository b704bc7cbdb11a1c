#!/usr/bin/env bash
# Compiles the kernels of sasskit/tests/corpus for sm_90. `sass dis` must print the same text as
# nvdisasm 13.1 (expected/NAME.sass; compared only if nvcc is 13.0, because other versions generate
# other code). `sass asm` must turn the text back into the same file. simrun, with the arguments in
# the kernel's `run:` line, must compute the values of reference.c and report nothing.
#
#     sasskit/tests/corpus_test.sh [NAME...]
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "the corpus" || exit 0
texts=
! of_13_0 "NVIDIA's text" || texts=compared
export texts NVCC here=build/corpus corpus=sasskit/tests/corpus

text_is_nvidias() { # NAME CUBIN
    local name=$1 said
    if ! said=$(build/sass dis "$2" --kernel "$name" 2>&1 >"$here/$name.sass"); then
        fail "$name: text" "$said"
    elif [[ ! $texts ]]; then
        return
    elif said=$(awk -f "$corpus/normalise.awk" "$here/$name.sass" |
        diff - "$corpus/expected/$name.sass"); then
        pass "$name: text"
    else
        fail "$name: text" '< sass dis, > nvdisasm' "$(head -20 <<<"$said")"
    fi
}

text_goes_back() { # NAME CUBIN
    local name=$1 said
    said=$(build/sass asm "$here/$name.sass" --into "$2" -o "$here/$name.again.cubin" 2>&1) &&
        said=$(cmp "$2" "$here/$name.again.cubin" 2>&1)
    verdict $? "$name: asm of dis" "$said"
}

values_are_right() { # NAME CUBIN
    local name=$1 said run
    run=$(sed -n 's,^// run: ,,p' "$corpus/$name.cu")
    if ! said=$(cd "$here" && rm -f "$name.out" &&
        timeout 60 ../simrun "${2##*/}" --entry "$name" $run 2>&1); then
        fail "$name: values" "${said:-simrun took more than 60 seconds}" \
            "$("$here/reference" check "$name" "$here/$name.out" 2>&1)"
    elif said=$("$here/reference" check "$name" "$here/$name.out" 2>&1); then
        pass "$name: values"
    else
        fail "$name: values" "$said"
    fi
}

# apart NAME: true if the kernel must be compiled alone, because its expected text has addresses of
# variables or functions. All other kernels are compiled together.
apart() { grep -qE '__constant__|__noinline__|^__device__ ' "$corpus/$1.cu"; }

one_kernel() {
    local name=$1 cubin=$here/together.cubin said
    if apart "$name"; then
        cubin=$here/$name.cubin
        if ! said=$(cubin "$cubin" -arch=sm_90 "$corpus/$name.cu" 2>&1); then
            fail "$name compiles" "$said"
            return
        fi
    fi
    text_is_nvidias "$name" "$cubin"
    text_goes_back "$name" "$cubin"
    values_are_right "$name" "$cubin"
}
export -f pass fail skip verdict cubin apart
export -f text_is_nvidias text_goes_back values_are_right one_kernel

mkdir -p "$here"
# The reference follows IEEE 754 exactly: no contraction, and the rounding mode may change.
"$CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O1 -ffp-contract=off \
    -frounding-math -fwrapv \
    -o "$here/reference" "$corpus/reference.c" -lm && "$here/reference" inputs "$here" || exit 1
names=("$@")
if [[ $# == 0 ]]; then
    names=($(basename -s .cu "$corpus"/*.cu))
    said=$(diff <("$here/reference" list | sort) <(printf '%s\n' "${names[@]}" | sort))
    verdict $? 'every kernel has a reference' "$said"
fi
mapfile -t sources < <(for name in "${names[@]}"; do apart "$name" || echo "$corpus/$name.cu"; done)
if ((${#sources[@]})); then
    together "${sources[@]}" >"$here/together.cu"
    if ! said=$(cubin "$here/together.cubin" -arch=sm_90 -I. "$here/together.cu" 2>&1); then
        fail 'the kernels compile' "$said"
    fi
fi
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I NAME bash \
    -c 'said=$(one_kernel NAME); echo "$said"'
