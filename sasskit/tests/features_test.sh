#!/usr/bin/env bash
# Runs the kernels of sasskit/tests/features.cu on the simulator, compiled at -O3 and at -O0. They
# use instructions that occur in other projects' kernels, and check their own results. More kernels
# are below: 256-bit accesses, FFMA2, and calls of printf, assert and __trap.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "features" || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=build/features
mkdir -p "$here"

for level in 3 0; do
    cubin "$here/features$level.cubin" -arch=sm_90 -std=c++17 -lineinfo -Xptxas -O$level \
        sasskit/tests/features.cu || exit 1
    for kernel in $(sed -n 's/^KERNEL \([a-z_]*\)(.*/\1/p' sasskit/tests/features.cu); do
        extra=()
        [[ $kernel == uniform_half ]] && extra=(--arg f16:0.37 --arg u32:123456789)
        for seed in 1 2; do
            if ! said=$(build/simrun "$here/features$level.cubin" --entry "$kernel" --grid 4 \
                --block 64 "${extra[@]}" \
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

# 256-bit loads, three of which use only part of the result, and a 256-bit store.
cat >"$work/wide.cu" <<'CUDA'
#define OUT(i) "=r"(x[i])
#define IN(i) "r"(x[i])
#define LOAD(at) \
    asm volatile("ld.global.nc.v8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8+32];" \
                 : OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), OUT(5), OUT(6), OUT(7) : "l"(at))
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
    asm volatile("st.global.v8.b32 [%8+64], {%0,%1,%2,%3,%4,%5,%6,%7};"
                 :: IN(7), IN(6), IN(5), IN(4), IN(3), IN(2), IN(1), IN(0), "l"(b) : "memory");
    unsigned n = wrong_of(0x54, a + 8) + wrong_of(0x0a, a + 16) + wrong_of(0x80, a + 24);
    for (int i = 0; i < 8; i++) n += b[16 + i] != a[15 - i];
    wrong[threadIdx.x] = n;
}
CUDA
wide() {
    build/simrun "$1" --grid 1 --block 32 --arg u32[288]:random:1 --arg u32[272]:zero \
        --arg "u32[32]:zero=out:$work/wrong" --counters "$work/wide.csv" >"$work/said" 2>&1
}
for arch in sm_100 sm_120; do
    if ! "$NVCC" -cubin -arch=$arch -o "$work/$arch.cubin" "$work/wide.cu" >"$work/said" 2>&1; then
        skip "256 bits on $arch" 'this toolkit does not know them'
        continue
    fi
    build/sass dis "$work/$arch.cubin" >"$work/$arch.sass"
    wide "$work/$arch.cubin" && said=$(od -An -v -tu4 "$work/wrong" | xargs) &&
        [[ $said =~ ^0(\ 0)*$ ]] && [[ $(grep -c 'LDG.*256.*, 0x' "$work/$arch.sass") == 3 ]] &&
        grep -qx 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,36' "$work/wide.csv"
    verdict $? "256 bits on $arch" "$(cat "$work/said")" "${said-}"
done

# FFMA2, FMUL2 and FADD2 compute two numbers at once. An operand is either a register pair, with a
# sign for each number and in either order, or one register for both numbers. The results must be
# those of the single instructions.
cat >"$work/pairs.cu" <<'CUDA'
struct pair { float low, high; };
#define OP(name, code) \
    __device__ pair name(pair a, pair b, pair c) { \
        pair d; \
        asm("{.reg .b64 a, b, c, d; mov.b64 a, {%2, %3}; mov.b64 b, {%4, %5}; " \
            "mov.b64 c, {%6, %7};" code \
            "mov.b64 {%0, %1}, d;}" : "=f"(d.low), "=f"(d.high) \
            : "f"(a.low), "f"(a.high), "f"(b.low), "f"(b.high), "f"(c.low), "f"(c.high)); \
        return d; \
    }
OP(fma2, "fma.rn.f32x2 d, a, b, c;")
OP(zero2, "fma.rz.f32x2 d, a, b, c;")
OP(mul2, "mul.rn.f32x2 d, a, b;")
OP(add2, "add.rn.f32x2 d, a, b;")
__device__ int differ(pair d, float low, float high) {
    return (__float_as_int(d.low) != __float_as_int(low)) +
           (__float_as_int(d.high) != __float_as_int(high));
}
extern "C" __global__ void pairs(const float *x, int *wrong) {
    x += 6 * threadIdx.x;
    const pair a = {x[0], x[1]}, b = {x[2], x[3]}, c = {x[4], x[5]};
    int n = 0;
#define CHECK(p, q, r) \
    n += differ(fma2(p, q, r), fmaf(p.low, q.low, r.low), fmaf(p.high, q.high, r.high)) + \
         differ(zero2(p, q, r), __fmaf_rz(p.low, q.low, r.low), \
                __fmaf_rz(p.high, q.high, r.high)) + \
         differ(mul2(p, q, r), __fmul_rn(p.low, q.low), __fmul_rn(p.high, q.high)) + \
         differ(add2(p, q, r), __fadd_rn(p.low, q.low), __fadd_rn(p.high, q.high))
    const pair swapped = {a.high, a.low}, first = {-a.low, a.high}, second = {a.low, -a.high};
    const pair all = {-a.low, -a.high}, one = {b.high, b.high};
    const pair half = {0.5f, 0.5f}, zero = {0, 0}, other = {-c.high, c.low};
    CHECK(a, b, c); CHECK(swapped, b, c); CHECK(first, b, c); CHECK(second, b, c); CHECK(all, b, c);
    CHECK(a, one, other); CHECK(a, half, c); CHECK(a, b, half); CHECK(a, b, zero);
    CHECK(swapped, one, c);
    wrong[threadIdx.x] = n;
}
CUDA
if "$NVCC" -cubin -arch=sm_100 -o "$work/pairs.cubin" "$work/pairs.cu" >"$work/said" 2>&1; then
    case_is 'FFMA2: lint finds nothing' 0 ': 0 hazards' build/sass lint "$work/pairs.cubin"
    case_is 'FFMA2 and the like run' 0 '' build/simrun "$work/pairs.cubin" --grid 1 --block 32 \
        --arg f32[192]:random:1 --arg "u32[32]:zero=out:$work/wrong" --counters "$work/pairs.csv"
    said=$(od -An -v -tu4 "$work/wrong" | xargs)
    [[ $said =~ ^0(\ 0){31}$ ]]
    verdict $? 'their results are those of single instructions' "$said"
    case_is 'each FFMA2 of a thread is counted once' 0 \
        "op_ffma2_pred_on.sum,$((32 * $(build/sass dis "$work/pairs.cubin" | grep -c FFMA2)))" \
        cat "$work/pairs.csv"
    for kind in '.NP' 'LO_HI' '.F32,' 'FADD2' 'FMUL2' 'FFMA2.RZ'; do
        case_is "the test has $kind" 0 "$kind" build/sass dis "$work/pairs.cubin"
    done
    printf '%s\n' '.kernel pair' '.threads 32' \
        '--:-:-:Y:3  FFMA2 R4, R6.F32x2.HI_LO, R8.F32x2.HI_LO, R10.F32x2.HI_LO ;' \
        '--:-:-:-:5  FADD R2, R5, R12 ;' '--:-:-:-:5  EXIT ;' >"$work/soon.sass"
    case_is 'the upper word of FFMA2 after 3 cycles' 1 'R5: read too soon' build/sass asm \
        "$work/soon.sass" --arch sm_100 -o "$work/soon.cubin"
    # outer FIRST SECOND LINE: prints lint's figures for a loop of 64 products, as a row of the
    # table in ffma2.md. LINE is a function that prints one instruction, given i from the list FIRST
    # and j from the list SECOND.
    outer() {
        local i j
        { printf '.kernel loop\n.threads 32\ntop:\n'
            for i in $1; do for j in $2; do $3; done; done
            printf -- '--:-:-:Y:5  BRA `(top) ;\n'; } >"$work/loop.sass"
        build/sass asm "$work/loop.sass" --arch sm_100 -o "$work/loop.cubin" >/dev/null 2>&1
        build/sass lint "$work/loop.cubin" | joined |
            sed -nE 's/.* ([0-9]*) instructions, 64 FFMA.* ([0-9.]*) issue cycles per FFMA, '\
'([0-9.]*) where.*/| \1 | \2 | \3 |/p' | grep . || echo 'no loop'
    }
    single() {
        printf -- '--:-:-:-:1  FFMA R%d, R%d.reuse, R%d, R%d ;\n' $((8 * i + j)) $((64 + i)) \
            $((80 + j)) $((8 * i + j))
    }
    rows() {
        printf -- '--:-:-:-:2  FFMA2 R%d, R%d.reuse.F32, R%d.F32x2.HI_LO, R%d.F32x2.HI_LO ;\n' \
            $((8 * i + j)) $((64 + i)) $((80 + j)) $((8 * i + j))
    }
    columns() {
        printf -- '--:-:-:-:2  FFMA2 R%d, R%d.reuse.F32x2.HI_LO, R%d.F32, R%d.F32x2.HI_LO ;\n' \
            $((8 * j + i)) $((80 + i)) $((64 + j)) $((8 * j + i))
    }
    case_is 'FFMA, row by row' 0 "$(outer '0 1 2 3 4 5 6 7' '0 1 2 3 4 5 6 7' single)" grep \
        '^| FFMA, row' sasskit/docs/ffma2.md
    case_is 'FFMA2, row by row' 0 "$(outer '0 1 2 3 4 5 6 7' '0 2 4 6' rows)" grep '^| FFMA2, row' \
        sasskit/docs/ffma2.md
    case_is 'FFMA2, column by column' 0 "$(outer '0 2 4 6' '0 1 2 3 4 5 6 7' columns)" grep \
        '^| FFMA2, column' sasskit/docs/ffma2.md
else
    skip 'FFMA2' 'this toolkit does not know sm_100'
fi

cat >"$work/calls.cu" <<'CUDA'
#include <cassert>
#include <cstdio>
extern "C" __global__ void prints(float x) {
    if (threadIdx.x < 2)
        printf("%d %5.2f %s %lld %x %c%%\n", threadIdx.x - 1, x, "text", 1ll << 40, 255u, 'q');
}
extern "C" __global__ void asserts(int x) { assert(threadIdx.x + x != 3); }
extern "C" __global__ void traps(int x) { if (threadIdx.x == x) __trap(); }
CUDA
"$NVCC" -cubin -arch=sm_90 -o "$work/calls.cubin" "$work/calls.cu" || exit 1
said=$(build/simrun "$work/calls.cubin" --entry prints --grid 1 --block 32 --arg f32:2.5 2>&1)
expected=$'-1  2.50 text 1099511627776 ff q%\n0  2.50 text 1099511627776 ff q%'
[[ $said == "$expected" ]]
verdict $? 'printf' "expected: $expected" "$said"
for what in 'asserts i32:7' 'traps i32:99'; do
    read -r kernel argument <<<"$what"
    said=$(build/simrun "$work/calls.cubin" --entry "$kernel" --grid 1 --block 32 \
        --arg "$argument" 2>&1) && [[ ! $said ]]
    verdict $? "$kernel passes" "$said"
done
said=$(build/simrun "$work/calls.cubin" --json --entry asserts --grid 1 --block 32 --arg i32:1)
[[ $? == 1 && $said == *'"kind": "trap"'*'assertion `threadIdx.x + x != 3` failed'* &&
    $said == *'"kind": "trap"'*'"thread": [2, 0, 0]'* ]]
verdict $? 'assert fails' "$said"
said=$(build/simrun "$work/calls.cubin" --json --entry traps --grid 1 --block 32 --arg i32:5)
[[ $? == 1 && $said == *'"kind": "trap"'*'"thread": [5, 0, 0]'* ]]
verdict $? '__trap' "$said"
