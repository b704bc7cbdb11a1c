#!/usr/bin/env bash
# Kernels compile without a warning for every architecture from sm_75 to sm_120 that this toolkit knows: the last variant
# of each step, or all of them when VARIANTS=all (`make test-arch`). Machine code is for sm_90 alone and left out.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
known=$("$NVCC" --list-gpu-code)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile ARCH STEP VARIANT FLAGS CAPABILITY: prints its line of TAP
compile() {
    local name="$2/$3 compiles for $1" said code=${1#sm_}
    if [[ $5 == *a ]]; then
        [[ $code == "${5%a}" ]] || return 0
        code=$5
    elif ((code < $5)); then
        return 0
    fi
    if said=$("$NVCC" -O3 -std=c++17 -cubin -gencode=arch=compute_$code,code=sm_$code $4 -o "$work/$1.$2.$3" "steps/$2/kernel.cu" 2>&1) && [[ -z $said ]]; then
        pass "$name"
    else
        fail "$name" "$said"
    fi
}
export -f compile pass fail
export work NVCC

chosen=$(build/cubin_rules --table | awk -F'\t' '$4 == "compiled"')
if [[ ${VARIANTS:-last} != all ]]; then chosen=$(awk -F'\t' '{ last[$1] = $0 } END { for (s in last) print last[s] }' <<<"$chosen" | sort); fi
for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
    if grep -qx "$arch" <<<"$known"; then
        awk -F'\t' -v arch="$arch" '{ printf "%s%c%s%c%s%c%s%c%s%c", arch, 0, $1, 0, $2, 0, $5, 0, $6, 0 }' <<<"$chosen"
    else
        skip "kernels compile for $arch" 'this toolkit does not know it' >&2
    fi
done | xargs -0 -r -n 5 -P "$(nproc)" bash -c 'compile "$@"' compile
