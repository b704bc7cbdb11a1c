#!/usr/bin/env bash
# The GPU backend's own declarations of cuBLAS agree with NVIDIA's headers, if they are installed.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# declared OUT OPTION...: compiles tests/headers/cublas.c without a warning and prints its values.
declared() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Wno-uninitialized "${@:2}" -o "$work/$1" \
        tests/headers/cublas.c && "$work/$1" >"$work/$1.txt"
}

if [[ ! -e $CUDA/include/cublasLt.h ]]; then
    skip 'declarations of cuBLAS' "no cublasLt.h in ${CUDA:-a toolkit}/include"
elif ! said=$(declared ours -Icommon -Isasskit 2>&1 &&
    declared theirs -DTHEIRS -isystem "$CUDA/include" 2>&1); then
    fail 'declarations of cuBLAS compile' "$said"
elif said=$(diff "$work/ours.txt" "$work/theirs.txt"); then
    pass "declarations of cuBLAS: $(wc -l <"$work/ours.txt") values, sizes and calls"
else
    fail 'declarations of cuBLAS are those of its headers' "$said"
fi
