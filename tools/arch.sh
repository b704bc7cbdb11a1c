#!/usr/bin/env bash
# Prints the architectures for which kernels are compiled on this machine: sm_90, and for each GPU
# here the newest architecture that both the GPU and nvcc support. For a GPU that nvcc does not
# support it prints a line on stderr.
#
#     tools/arch.sh NVCC      if NVCC is '' (in a release), prints sm_90 alone
set -euo pipefail
export LC_ALL=C
nvcc=${1:-}
found=sm_90
if [[ $nvcc ]]; then
    known=$("$nvcc" --list-gpu-code | sed -n 's/^sm_\([0-9]*\)$/\1/p' | sort -n)
    # nvidia-smi writes its errors to stdout, too, so only lines with a number are taken.
    while read -r chip; do
        best=
        for code in $known; do
            if ((code / 10 == chip / 10 && code <= chip)); then best=$code; fi
        done
        [[ ! $best ]] || found+=" sm_$best"
        [[ $best ]] || echo \
            "tools/arch.sh: $nvcc compiles nothing for the GPU here, sm_$chip: for one older than" \
            "sm_75 take a toolkit of CUDA 12, for a newer one a newer toolkit, with its nvcc" \
            "first on PATH; without, --backend sim runs sm_90's kernels" >&2
    done < <(command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=compute_cap \
        --format=csv,noheader 2>/dev/null | sed -n 's/^\([1-9][0-9]*\)\.\([0-9]\) *$/\1\2/p' |
        sort -nu)
fi
tr ' ' '\n' <<<"$found" | sort -u | xargs
