#!/usr/bin/env bash
# The kernels of sasskit/examples (a PTX file, CUB's sort, Triton's softmax) must compile, run and
# give the right results.
source "$(dirname "$0")/../../tests/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# floats FILE: prints the floats of a binary file, one per line.
floats() { od -An -v -t f4 -w4 "$1" | tr -d ' '; }
ptxas=$(dirname "${NVCC:-none}")/ptxas
if [[ -x $ptxas ]]; then
    "$ptxas" -arch=sm_90 sasskit/examples/relu.ptx -o "$work/relu.cubin"
    case_is 'a PTX file: its parameters' 0 '3 parameters' build/simrun "$work/relu.cubin" --list
    case_is 'a PTX file runs' 0 '' build/simrun "$work/relu.cubin" --grid 4 --block 256 \
        --arg i32:1000 --arg "f32[1000]:random:1=out:$work/x" \
        --arg "f32[1000]:nan=out:$work/y"
    relu() {
        paste <(floats "$work/x") <(floats "$work/y") |
            awk '$2 != ($1 > 0 ? $1 : 0) { wrong++ } $1 < 0 { below++ }
                END { exit NR != 1000 || wrong || !below }'
    }
    case_is 'a PTX file computes the maximum with 0' 0 '' relu
else
    skip 'a PTX file' 'no ptxas'
fi

numbers() { od -An -v -t u4 -w4 "$1" | tr -d ' '; }
if ! needs_nvcc "CUB's sort"; then
    :
elif ! echo '#include <cub/block/block_radix_sort.cuh>' | "$NVCC" -std=c++17 -E -x cu \
    - >/dev/null 2>&1; then
    skip "CUB's sort" 'this toolkit has no CUB'
elif "$NVCC" -cubin -arch=sm_90 -std=c++17 -lineinfo -o "$work/sort.cubin" \
    sasskit/examples/sort.cu >"$work/said" 2>&1; then
    head -c 4096 /dev/urandom >"$work/keys"
    case_is "CUB's sort runs" 0 '' build/simrun "$work/sort.cubin" --grid 2 --block 128 \
        --arg "u32[1024]:file:$work/keys=out:$work/sorted"
    wanted=$(
        numbers "$work/keys" | head -n 512 | sort -n
        numbers "$work/keys" | tail -n 512 | sort -n
    )
    [[ $(numbers "$work/sorted") == "$wanted" ]]
    verdict $? "CUB's sort sorts the numbers of each block"
    case_is "CUB's sort is counted by lines of CUB's headers" 0 'block_radix_sort.cuh:' \
        build/simrun "$work/sort.cubin" --grid 1 --block 128 --arg 'u32[512]:random:1' --per-line
    case_is "CUB's sort is timed" 0 ' cycles' build/simrun "$work/sort.cubin" --grid 1 --block 128 \
        --arg 'u32[512]:random:1' --time
    case_is "CUB's sort has no hazard" 0 '0 hazards' build/sass lint "$work/sort.cubin"
else
    fail "CUB's sort compiles" "$(tail -n 5 "$work/said")"
fi

python=${TRITON_PYTHON:-python3}
if "$python" -c 'import triton' 2>/dev/null; then
    for arch in 80 89 90; do
        "$python" sasskit/examples/softmax.py "$work/softmax.cubin" $arch >/dev/null 2>&1
        case_is "Triton's softmax for sm_$arch runs" 0 '' build/simrun "$work/softmax.cubin" \
            --grid 8 --block 128 --shared 16 \
            --arg "f32[8000]:nan=out:$work/y" --arg "f32[8000]:random:1=out:$work/x" \
            --arg i32:1000 --arg i64:0 --arg i64:0
        softmax() {
            paste <(floats "$work/x") <(floats "$work/y") | awk '
                { e[NR] = exp($1); y[NR] = $2; sum[int((NR - 1) / 1000)] += e[NR] }
                END { for (i = 1; i <= NR; i++) { right = e[i] / sum[int((i - 1) / 1000)];
                d = y[i] / right - 1; if (d * d > 1e-12) exit 1 } exit NR != 8000 }'
        }
        case_is "Triton's softmax for sm_$arch is right" 0 '' softmax
    done
    case_is "Triton's softmax has lines of the .py file" 0 'softmax.py:' build/simrun \
        "$work/softmax.cubin" --grid 8 --block 128 --shared 16 \
        --arg 'f32[8000]:nan' --arg 'f32[8000]:random:1' --arg i32:1000 --arg i64:0 \
        --arg i64:0 --per-line
else
    skip "Triton's softmax" 'Python has no triton'
fi
