#!/usr/bin/env bash
# Instructions that kernels of other people have, as nvcc makes them at -O3 and at -O0: tests/features.cu checks itself, on the
# simulator. And what a kernel calls that the driver adds: printf, assert, __trap.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=build/features
mkdir -p "$here"

for level in 3 0; do
    cubin "$here/features$level.cubin" -arch=sm_90 -std=c++17 -lineinfo -Xptxas -O$level tests/features.cu || exit 1
    for kernel in $(sed -n 's/^KERNEL \([a-z_]*\)(.*/\1/p' tests/features.cu); do
        extra=()
        [[ $kernel == uniform_half ]] && extra=(--arg f16:0.37 --arg u32:123456789)
        for seed in 1 2; do
            if ! said=$(build/simrun "$here/features$level.cubin" --entry "$kernel" --grid 4 --block 64 "${extra[@]}" \
                --arg "u32[192]:random:$seed" --arg "u32[16]:zero=out:$work/wrong" 2>&1); then
                fail "$kernel, -O$level" "$said"
            elif said=$(od -An -v -tu4 "$work/wrong" | xargs) && [[ $said =~ ^0(\ 0)*$ ]]; then
                pass "$kernel, -O$level"
            else
                fail "$kernel, -O$level" "wrong results by check: $said"
            fi
        done
    done
done

cat >"$work/calls.cu" <<'CUDA'
#include <cassert>
#include <cstdio>
extern "C" __global__ void prints(float x) {
    if (threadIdx.x < 2) printf("%d %5.2f %s %lld %x %c%%\n", threadIdx.x - 1, x, "text", 1ll << 40, 255u, 'q');
}
extern "C" __global__ void asserts(int x) { assert(threadIdx.x + x != 3); }
extern "C" __global__ void traps(int x) { if (threadIdx.x == x) __trap(); }
CUDA
"$NVCC" -cubin -arch=sm_90 -o "$work/calls.cubin" "$work/calls.cu" || exit 1
said=$(build/simrun "$work/calls.cubin" --entry prints --grid 1 --block 32 --arg f32:2.5 2>&1)
expected=$'-1  2.50 text 1099511627776 ff q%\n0  2.50 text 1099511627776 ff q%'
if [[ $said == "$expected" ]]; then pass 'printf'; else fail 'printf' "expected: $expected" "$said"; fi
for what in 'asserts i32:7' 'traps i32:99'; do
    read -r kernel argument <<<"$what"
    if said=$(build/simrun "$work/calls.cubin" --entry "$kernel" --grid 1 --block 32 --arg "$argument" 2>&1) && [[ ! $said ]]; then
        pass "$kernel passes"
    else
        fail "$kernel passes" "$said"
    fi
done
said=$(build/simrun "$work/calls.cubin" --entry asserts --grid 1 --block 32 --arg i32:1 2>&1)
if [[ $? == 1 && $said == trap:*'assertion `threadIdx.x + x != 3` failed'*'thread (2, 0, 0)'* ]]; then pass 'assert fails'; else fail 'assert fails' "$said"; fi
said=$(build/simrun "$work/calls.cubin" --entry traps --grid 1 --block 32 --arg i32:5 2>&1)
if [[ $? == 1 && $said == trap:*'thread (5, 0, 0)'* ]]; then pass '__trap' ; else fail '__trap' "$said"; fi
