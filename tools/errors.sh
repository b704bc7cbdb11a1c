#!/usr/bin/env bash
# Measures the errors of correct and of wrong kernels on a GPU and writes $RESULTS/errors.csv, the
# source of the table in docs/checking.md. Run `make` first.
#
#     tools/errors.sh         steps 01 to 12 and shapes on 60 random and 47 fixed shapes (fewer
#                             variants on the large and the deep ones); and two wrong kernels: step
#                             01 with inputs rounded to TF32 and to BF16
#     tools/errors.sh wrong   only builds the two wrong kernels, in build/wrong (needs nvcc, no GPU)
#
# Environment: RESULTS (default docs/results/h200); SECONDS_EACH, the time limit of each part (600).
# Exit status: 0 success, 1 a correct kernel failed or a wrong one passed, 2 wrong usage, 77 no GPU.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source tools/put.sh
results=${RESULTS:-docs/results/h200} each=${SECONDS_EACH:-600}
failed=0

# build_wrong NAME HALF MASK: builds step 01 with inputs rounded to the bits in MASK. HALF is half a
# unit of the last bit in MASK.
build_wrong() {
    local at=build/wrong/$1
    mkdir -p "$at/cubin/sm_90/01_naive"
    sed -e "1i #define ROUND(x) __uint_as_float((__float_as_uint(x) + $2) & $3)" \
        -e 's/A\[(size_t)row \* lda + k\] \* B\[(size_t)k \* ldb + col\]/'\
'ROUND(A[(size_t)row * lda + k]) * ROUND(B[(size_t)k * ldb + col])/' \
        steps/01_naive/kernel.cu >"$at/kernel.cu"
    grep -q 'ROUND(A' "$at/kernel.cu" || {
        echo "tools/errors.sh: steps/01_naive/kernel.cu: no product A * B to change" >&2
        exit 1
    }
    "$(tools/nvcc.sh)" -O3 -std=c++17 -cubin -arch=sm_90 -DROW_FASTEST=0 \
        -o "$at/cubin/sm_90/01_naive/coalesced.cubin" "$at/kernel.cu" && cp build/01_naive "$at/"
}

wrong() { build_wrong tf32 0x1000u 0xffffe000u && build_wrong bf16 0x8000u 0xffff0000u; }

# part NAME OPTION...: runs the ladder for at most $SECONDS_EACH and keeps its rows.
part() {
    local status=0
    timeout -s INT "$each" build/ladder --backend gpu --rounds 1 --csv "$work/errors.csv" \
        "${@:2}" >"$work/output" 2>&1 || status=$?
    if [[ $status == 77 ]]; then
        echo 'tools/errors.sh: no GPU here' >&2
        exit 77
    fi
    if [[ $status == 1 ]]; then
        failed=1
        grep -vE ' pass$' "$work/output" | tail -20
    fi
    echo "$1: status $status, $(grep -cE ' pass$' "$work/output") rows passed"
}

# part_wrong NAME OPTION...: runs the wrong kernel NAME, which must fail. In errors.csv its variant
# is "NAME inputs".
part_wrong() {
    local status=0
    timeout -s INT "$each" "build/wrong/$1/01_naive" --backend gpu --rounds 1 --variant coalesced \
        --baseline off \
        --csv "$work/$1.csv" "${@:2}" >"$work/output" 2>&1 || status=$?
    if [[ $status != 1 ]] || grep -qE ' pass$' "$work/output"; then
        failed=1
        echo "$1: status $status, a wrong kernel passed"
    fi
    sed -e 1d -e "s/,coalesced,/,$1 inputs,/" "$work/$1.csv" >>"$work/errors.csv"
}

measure() {
    local deep=() shapes=() k
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    [[ -x build/wrong/tf32/01_naive && -x build/wrong/bf16/01_naive ]] || wrong || exit 1
    mkdir -p "$results"
    for k in 16 64 256 1024 4096 16384 65536 262144 1048576; do deep+=(--shape "128x128x$k"); done
    # 60 random shapes with sides from 1 to 2000, uniform over the logarithm; awk draws the same
    # shapes in every run.
    mapfile -t shapes < <(awk 'BEGIN { srand(10); for (i = 0; i < 60; i++)
        printf "--shape\n%dx%dx%d\n", exp(rand() * 7.6), exp(rand() * 7.6), exp(rand() * 7.6) }')
    part 'deep' --step 01-12,shapes \
        --variant coalesced,last,hand_16x8,thin,64x64,stream_16x8,dispatch,textures "${deep[@]}"
    part_wrong tf32 "${deep[@]}"
    part_wrong bf16 "${deep[@]}"
    part '60 shapes' --step 01-12,shapes "${shapes[@]}" --ld %4,+1,%4 --alpha -1.3 --beta 0.7
    part '38 shapes, those to 3001' --step 01-12,shapes \
        --size 127,128,255,256,384,511,512,768,1023,1024,1025,1280,1536,1792 \
        --size 2047,2048,2049,2560,3001 \
        --shape 1x8192x8192 \
        --shape 64x8192x8192 --shape 8192x64x8192 --shape 16384x1024x1024 --shape 8192x8192x64 \
        --shape 128x128x65536
    part '38 shapes, the others' --step 08-10,shapes \
        --variant last,hand_16x8,hand_16x8_row,64x64,stream_16x8,dispatch \
        --size 3072,3584,4095,4096,4097,5001,5120,6144,7168,8191,8192,8193 --shape 4096x11008x4096
    tools/rows.py --keep time:10,commit,m,n,k,step,variant,error_ratio,error_rms \
        "$work/errors.csv" >"$work/kept.csv" &&
        put "$work/kept.csv" "$results/errors.csv"
    return "$failed"
}

case ${1:-measure} in
measure | wrong) "${1:-measure}" ;;
*)
    echo 'usage: tools/errors.sh [wrong]' >&2
    exit 2
    ;;
esac
