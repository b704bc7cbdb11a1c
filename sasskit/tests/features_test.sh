#!/usr/bin/env bash
# Instructions that other projects' kernels use, as nvcc compiles them at -O3 and at -O0:
# sasskit/tests/features.cu checks its own results on the simulator. Also calls into the driver:
# printf, assert, __trap.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "features" || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=build/features
mkdir -p "$here"

for level in 3 0; do
    cubin "$here/features$level.cubin" -arch=sm_90 -std=c++17 -lineinfo -Xptxas -O$level sasskit/tests/features.cu || exit 1
    for kernel in $(sed -n 's/^KERNEL \([a-z_]*\)(.*/\1/p' sasskit/tests/features.cu); do
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

# A 256-bit load whose result is used only in part.
cat >"$work/wide.cu" <<'CUDA'
#define OUT(i) "=r"(x[i])
#define IN(i) "r"(x[i])
#define LOAD(at) asm volatile("ld.global.nc.v8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8+32];" : OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), OUT(5), OUT(6), OUT(7) : "l"(at))
__device__ unsigned wrong_of(int words, const unsigned *at) {
    unsigned x[8], wrong = 0;
    LOAD(at);
    for (int i = 0; i < 8; i++) wrong += (words >> i & 1) && x[i] != at[8 + i];
    return wrong;
}
extern "C" __global__ void wide(const unsigned *a, unsigned *b, unsigned *wrong) {
    unsigned x[8];
    a += 8 * threadIdx.x, b += 8 * threadIdx.x;
    LOAD(a);
    asm volatile("st.global.v8.b32 [%8+64], {%0,%1,%2,%3,%4,%5,%6,%7};" :: IN(7), IN(6), IN(5), IN(4), IN(3), IN(2), IN(1), IN(0), "l"(b) : "memory");
    unsigned n = wrong_of(0x54, a + 8) + wrong_of(0x0a, a + 16) + wrong_of(0x80, a + 24);
    for (int i = 0; i < 8; i++) n += b[16 + i] != a[15 - i];
    wrong[threadIdx.x] = n;
}
CUDA
wide() { build/simrun "$1" --grid 1 --block 32 --arg u32[288]:random:1 --arg u32[272]:zero --arg "u32[32]:zero=out:$work/wrong" --counters "$work/wide.csv" >"$work/said" 2>&1; }
for arch in sm_100 sm_120; do
    if ! "$NVCC" -cubin -arch=$arch -o "$work/$arch.cubin" "$work/wide.cu" >"$work/said" 2>&1; then
        skip "256 bits on $arch" 'this toolkit does not know them'
        continue
    fi
    build/sass dis "$work/$arch.cubin" >"$work/$arch.sass"
    if wide "$work/$arch.cubin" && said=$(od -An -v -tu4 "$work/wrong" | xargs) && [[ $said =~ ^0(\ 0)*$ ]] && [[ $(grep -c 'LDG.*256.*, 0x' "$work/$arch.sass") == 3 ]] &&
        grep -qx 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,36' "$work/wide.csv"; then
        pass "256 bits on $arch"
    else
        fail "256 bits on $arch" "$(cat "$work/said")" "${said-}"
    fi
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
said=$(build/simrun "$work/calls.cubin" --json --entry asserts --grid 1 --block 32 --arg i32:1)
if [[ $? == 1 && $said == *'"kind": "trap"'*'assertion `threadIdx.x + x != 3` failed'*'"thread": [2, 0, 0]'* ]]; then pass 'assert fails'; else fail 'assert fails' "$said"; fi
said=$(build/simrun "$work/calls.cubin" --json --entry traps --grid 1 --block 32 --arg i32:5)
if [[ $? == 1 && $said == *'"kind": "trap"'*'"thread": [5, 0, 0]'* ]]; then pass '__trap' ; else fail '__trap' "$said"; fi
