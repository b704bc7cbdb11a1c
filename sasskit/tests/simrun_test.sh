#!/usr/bin/env bash
# Tests simrun and sass on users' own cubins: kernels named as in the source, arguments of every
# type, variables set by name, unknown instructions, many sections.
source "$(dirname "$0")/../../tests/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pictures of a wgmma's operands (--picture): 8 rows of 16 bytes must use every bank once.
ring=build/cubin/sm_90/13_tensor_cores/ring.cubin
if needs_built "a picture of a wgmma's operand" $ring; then
    product=(build/simrun "$ring" --entry sgemm_tensor_cores --grid 1 --block 384 --shared 198656
        --arg i32:128 --arg i32:128 --arg i32:64 --arg f32:1 --arg 'f32[8192]:zero' --arg i32:64
        --arg 'f32[8192]:zero' --arg i32:128
        --arg f32:0 --arg 'f32[16384]:zero' --arg i32:128 --arg 'u8[400000]:zero')
    address=$("${product[@]}" --per-line | awk '/HGMMA/ && !found++ { print $1 }')
    for skip in 0 1 2; do # request 0: A; 1: A's next 8 values of k; 2: B
        "${product[@]}" --picture "$address" --skip $skip --picture-file "$work/picture.csv"
        banks=$(awk -F, 'NR > 1 && NR < 10 { print $4 }' "$work/picture.csv" | sort -n | xargs)
        if [[ $banks == '0 4 8 12 16 20 24 28' ]]; then
            pass "8 rows of a wgmma's operand meet all banks, request $skip"
        else
            fail 'a picture of wgmma' "$banks"
        fi
    done
fi

# After a run without a mistake, simrun prints the output's first elements, but only to a terminal.
build/sass asm sasskit/tests/assembler/saxpy.sass -o "$work/saxpy.cubin" >/dev/null
saxpy="build/simrun $work/saxpy.cubin --entry saxpy --grid 4 --block 256 --arg i32:1000 --arg f32:2"
saxpy+=' --arg f32[1000]:zero --arg f32[1000]:zero'
if [[ ! $($saxpy 2>&1) ]]; then
    pass 'a pipe is told nothing'
else
    fail 'a pipe is told nothing' "$($saxpy 2>&1)"
fi
needs 'a terminal is told that nothing was found' script &&
    case_is 'a terminal is told that nothing was found' 0 'argument 3 begins with 0 0 0 0 0' \
        script -qec "$saxpy" /dev/null

needs_nvcc 'kernels that users bring' && needs 'kernels that users bring' python3 || exit 0
cat >"$work/k.cu" <<'CUDA'
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct pair { char tag; double weight; short count; const float *in; };
extern "C" __global__ void narrow(signed char a, unsigned char b, short c, unsigned short d,
                                  __half e, __nv_bfloat16 f, float *out) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
    out[4] = __half2float(e), out[5] = __bfloat162float(f);
}
extern "C" __global__ void halves(const __half *in, const __nv_bfloat16 *more, const char *bytes,
                                  float *out) {
    out[threadIdx.x] =
        __half2float(in[threadIdx.x]) + __bfloat162float(more[threadIdx.x]) + bytes[threadIdx.x];
}
extern "C" __global__ void structure(struct pair p, float3 v, float *out) {
    out[threadIdx.x] = p.tag + p.weight + p.count + p.in[threadIdx.x] + v.x + v.y + v.z;
}
__constant__ float table[4];
__device__ int counter = 7;
namespace ns { __device__ float zeros[8]; }
extern "C" __global__ void variables(float *out) {
    out[threadIdx.x] = table[threadIdx.x] + counter + ns::zeros[threadIdx.x];
    if (threadIdx.x == 0) counter = 99;
}
template <class T, int N> __global__ void scale(T *out) { out[threadIdx.x] = T(N); }
template __global__ void scale<float, 3>(float *);
template __global__ void scale<int, -4>(int *);
namespace ns { __global__ void inside(float *out) { out[0] = 5; } }
static __global__ void hidden(float *out) { out[0] = 6; }
void *keep() { return (void *)hidden; }
extern "C" __global__ void nan_maker(float *out) { out[threadIdx.x] = out[threadIdx.x] * 0 / 0.f; }
extern "C" __global__ void two_arrays(float *out, int works, int apart) {
    extern __shared__ float first[];
    float *second = first + (apart ? blockDim.x : 0);
    if (!works) return;
    first[threadIdx.x] = out[threadIdx.x];
    __threadfence_block();
    second[threadIdx.x] = 2 * out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = first[31 - threadIdx.x] + second[31 - threadIdx.x];
}
extern "C" __global__ void stopper(int *p) { p[0] = 1; }
extern "C" __global__ void three_reals(const float *a, const float *b, float *c, int n,
                                       float alpha, float beta, float rate) {
    c[0] = alpha * a[0] * b[0] + beta * rate * n;
}
CUDA
"$NVCC" -cubin -arch=sm_90 -o "$work/k.cubin" "$work/k.cu" || exit 1

floats() { od -An -v -tf4 "$1" | xargs; }
run() { # WHAT EXPECTED_FLOATS ARGUMENT...
    local what=$1 expected=$2 said
    shift 2
    rm -f "$work/out"
    if ! said=$(build/simrun "$work/k.cubin" --grid 1 "$@" 2>&1); then
        fail "$what" "$said"
    elif [[ $(floats "$work/out") == "$expected" ]]; then
        pass "$what"
    else
        fail "$what" "expected $expected" "got $(floats "$work/out")"
    fi
}
says() { # WHAT STATUS PATTERN COMMAND...
    local what=$1 status=$2 pattern=$3 said got=0
    shift 3
    said=$("$@" 2>&1) || got=$?
    [[ $got == "$status" ]] && grep -qE -- "$pattern" <<<"$said"
    verdict $? "$what" "status $got, expected $status and: $pattern" "$said"
}
out='=out:'$work/out

run 'scalars of one and two bytes' '-5 250 -300 65000 1.5 -0.25' --entry narrow --block 1 \
    --arg i8:-5 --arg u8:250 --arg i16:-300 \
    --arg u16:65000 --arg f16:1.5 --arg bf16:-0.25 --arg "f32[6]:zero$out"
says 'a number that its type does not hold' 2 'out of range for i8' build/simrun "$work/k.cubin" \
    --entry narrow --grid 1 --block 1 \
    --arg i8:128 --arg u8:1 --arg i16:1 --arg u16:1 --arg f16:1 --arg bf16:1 --arg 'f32[6]:zero'
says 'a half that is too large' 2 'out of range for f16' build/simrun "$work/k.cubin" \
    --entry narrow --grid 1 --block 1 \
    --arg i8:1 --arg u8:1 --arg i16:1 --arg u16:1 --arg f16:65520 --arg bf16:1 --arg 'f32[6]:zero'
says 'a factor that gemm does not have' 2 'gemm: the kernel has 3 real arguments' build/simrun \
    "$work/k.cubin" --entry three_reals --grid 1 --block 1 --arg 'f32[1]:zero' --arg 'f32[1]:zero' \
    --arg 'f32[1]:zero' --arg i32:1 --arg f32:1 --arg f32:0 --arg f32:2 --expect gemm
printf '\x00\x3c\xff\x7b' >"$work/f16" # the numbers 1 and 65504
printf '\x80\x3f\x00\xc0' >"$work/bf16" # the numbers 1 and -2
printf '\x02\xfe' >"$work/i8"
run 'buffers of halves and bytes' '4 65500' --entry halves --block 2 --arg "f16[2]:file:$work/f16" \
    --arg "bf16[2]:file:$work/bf16" \
    --arg "i8[2]:file:$work/i8" --arg "f32[2]:zero$out"
run 'structures, aligned as C does, with a buffer' '17.5 17.5' --entry structure --block 2 \
    --arg '{i8:1,f64:2.5,i16:3,f32[2]:zero}' --arg '{f32:2,f32:4,f32:5}' --arg "f32[2]:zero$out"
says 'a structure of another size' 2 'has 12 bytes, .*parameter 0 .*32$' build/simrun \
    "$work/k.cubin" --entry structure --grid 1 \
    --block 2 --arg '{i32:1,i32:2,i32:3}' --arg '{f32:2,f32:4,f32:5}' --arg 'f32[2]:zero'
says 'a brace that is missing' 2 'brace' build/simrun "$work/k.cubin" --entry structure \
    --grid 1 --block 2 \
    --arg '{i8:1,f64:2.5' --arg '{f32:2,f32:4,f32:5}' --arg 'f32[2]:zero'

printf '\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40' >"$work/table"
run 'variables as the cubin has them' '7 7 7 7' --entry variables --block 4 --arg "f32[4]:zero$out"
run 'variables set by name' '21 22 23 24' --entry variables --block 4 --arg "f32[4]:zero$out" \
    --set "table=f32[4]:file:$work/table" \
    --set counter=i32:20
says 'a __device__ variable is saved' 0 '^$' build/simrun "$work/k.cubin" --entry variables \
    --grid 1 --block 4 --arg 'f32[4]:zero' \
    --set "counter=i32[1]:zero=out:$work/counter"
if [[ $(od -An -td4 "$work/counter" | xargs) == 99 ]]; then
    pass 'with what the kernel wrote'
else
    fail 'with what the kernel wrote' "$(od -An -td4 "$work/counter")"
fi
says 'a variable that is not there' 2 'variable tabel: .* table' build/simrun "$work/k.cubin" \
    --entry variables --grid 1 --block 4 \
    --arg 'f32[4]:zero' --set tabel=i32:1
says 'a cubin without variables' 2 'variable tabel: .* none$' "${product[@]}" --set tabel=i32:1
says 'a variable of another size' 2 'has 4 bytes, .* 16$' build/simrun "$work/k.cubin" \
    --entry variables --grid 1 --block 4 \
    --arg 'f32[4]:zero' --set table=i32:1

run 'a template by its arguments' '3 3' --entry 'scale<float, 3>' --block 2 --arg "f32[2]:zero$out"
run 'a kernel as a debugger prints it' '3 3' --entry 'void scale<float, 3>(float*)' --block 2 \
    --arg "f32[2]:zero$out"
says 'several kernels of one name' 2 'several kernels are called scale: .*scale<float, 3>' \
    build/simrun "$work/k.cubin" --entry scale --grid 1 --block 2 \
    --arg 'f32[2]:zero'
run 'a kernel in a namespace' 5 --entry ns::inside --block 1 --arg "f32[1]:zero$out"
run 'a kernel in a namespace, named without it' 5 --entry inside --block 1 --arg "f32[1]:zero$out"
run 'a static kernel' 6 --entry hidden --block 1 --arg "f32[1]:zero$out"
says 'no such kernel' 2 'kernel insid: .*ns::inside' build/simrun "$work/k.cubin" --entry insid \
    --grid 1 --block 1

# finds WHAT FINDING SIMRUN_ARGUMENT...: the first finding of the run must be FINDING, as
# sasskit/tools/findings.py prints it.
finds() {
    local found
    build/simrun "$work/k.cubin" --json="$work/lines" "${@:3}" 2>/dev/null
    found=$(sasskit/tools/findings.py <"$work/lines" | head -n 1)
    [[ $found == "$2" ]]
    verdict $? "$1" "expected: $2" "found: $found"
}
finds 'NaN from finite inputs' 'warning nan nan-from-finite @ -' --entry nan_maker --grid 1 \
    --block 2 --arg 'f32[2]:zero'
finds 'an output of which a part is not written' 'warning unwritten-output not-covered @ -' \
    --entry variables --grid 1 --block 4 --arg 'f32[5]:nan'

# two_arrays has 256 bytes of shared memory for two arrays of 128. simrun notes unused shared memory
# if the arrays overlap (apart 0), but not if the kernel accesses none at all (works 0).
for arguments in '1 0 1' '1 1 0' '0 0 0'; do
    read -r works apart expected <<<"$arguments"
    build/simrun "$work/k.cubin" --json --entry two_arrays --grid 1 --block 32 --shared 256 \
        --arg 'f32[32]:random:1' --arg "i32:$works" \
        --arg "i32:$apart" >"$work/lines"
    found=$(grep -c '"kind": "unused-shared"' "$work/lines")
    what="unused shared memory: works $works, apart $apart"
    if [[ $found == "$expected" ]]; then pass "$what"; else fail "$what" "$(<"$work/lines")"; fi
done

# Replaces the NOP after a kernel's code by a word that is no instruction.
build/sass dis "$work/k.cubin" |
    awk '/^\.kernel /{ mine = $2 == "stopper" }
        mine && / NOP ;/ { print ".word 0x0000000000007fff 0x000fc00000000000"; mine = 0;
        next } 1' >"$work/k.sass"
build/sass asm "$work/k.sass" --into "$work/k.cubin" || exit 1
says '--needs: nothing' 0 '^$' build/simrun "$work/k.cubin" --entry narrow --needs
says '--needs: what is lacking' 1 'stopper: .0x0000000000007fff' build/simrun "$work/k.cubin" \
    --entry stopper --needs
says 'dis goes on past an unknown word' 1 'EXIT' build/sass dis "$work/k.cubin" --kernel stopper
says 'dis counts the unknown words' 1 'kernel stopper: 1 instruction is not known' build/sass dis \
    "$work/k.cubin" --kernel stopper
says 'lint goes on past an unknown word' 1 'stopper: 0 hazards, 1 instructions' build/sass lint \
    "$work/k.cubin" --kernel stopper

for i in {1..420}; do
    echo "__global__ void many$i(int *p) { p[threadIdx.x] = $i; }"
done >"$work/many.cu"
"$NVCC" -cubin -arch=sm_90 -Xptxas -O1 -o "$work/k.cubin" "$work/many.cu" || exit 1
sections=$(od -An -tu2 -j60 -N2 "$work/k.cubin" | xargs)
says "a cubin of $sections sections" 0 '^$' build/simrun "$work/k.cubin" --entry many420 --grid 1 \
    --block 2 --arg "i32[2]:zero$out"
((sections > 1024))
verdict $? 'more than 1,024' "$sections"

# The report of a deadlock over a lock must name the lock's word: its memory, its size in bytes and
# the index of the kernel argument.
cat >"$work/lock.cu" <<'CUDA'
extern "C" __global__ void keeps(int *out, int *lock) {
    if (threadIdx.x == 0) while (atomicCAS(&lock[3], 0, 1)) continue;
    out[blockIdx.x] = 1;
}
CUDA
"$NVCC" -cubin -arch=sm_90 -lineinfo "$work/lock.cu" -o "$work/lock.cubin" || exit 1
build/simrun "$work/lock.cubin" --entry keeps --grid 2 --block 32 --arg 'i32[2]:zero' \
    --arg 'i32[8]:zero' --json="$work/lock.json" >/dev/null 2>&1
grep -q '"kind": "endless".*"space": "global".*"bytes": 4.*"argument": 1' "$work/lock.json"
verdict $? 'a deadlock over a lock names its word' "$(cat "$work/lock.json")"
echo '__device__ int nothing;' >"$work/none.cu"
"$NVCC" -cubin -arch=sm_90 "$work/none.cu" -o "$work/none.cubin" || exit 1
says 'a cubin without a kernel' 2 'no kernel' build/simrun "$work/none.cubin" --grid 1 --block 1

# Local memory, spills and divergence. The expected numbers were computed by hand:
#   - local_4: lane i accesses element i, which lies in line i. So a request takes 32 sectors.
#   - local_16, all lanes on element 0: one request per 4 bytes of the element, with 4 sectors each.
#   - L1's bound for local_4: per warp, the longer of two times, at 4 lines or sectors per cycle. A
#     load takes at least 4 lines: 4 + 32 lines take 9 cycles. Two load requests take 2 cycles, and
#     4 + 32 stored sectors take 9: 11 cycles. An SM runs 10 of the 1,320 warps: 110 cycles.
"$NVCC" -cubin -arch=sm_90 -o "$work/local.cubin" sasskit/tests/local.cu || exit 1
local_is() { # NAME PATTERN ARGUMENT...: simrun's output must contain the pattern
    local said
    said=$(build/simrun "$work/local.cubin" "${@:3}" 2>&1)
    grep -qE "$2" <<<"$said"
    verdict $? "$1" "expected: $2" "$said"
}
of_array=(--block 32 --arg i32:1 --arg i32:1 --arg i32:32 --arg i32:0)
local_is 'a line per lane' 'sectors_pipe_lsu_mem_local_op_ld.sum,32$' --entry local_4 --grid 1 \
    "${of_array[@]}" --arg 'f32[64]:zero' --counters -
local_is 'a line per lane is one request' 'requests_pipe_lsu_mem_local_op_st.sum,1$' \
    --entry local_4 --grid 1 "${of_array[@]}" --arg 'f32[64]:zero' --counters -
of_array[2]='--arg' of_array[3]=i32:0
local_is '16 bytes per lane are four requests' 'requests_pipe_lsu_mem_local_op_ld.sum,4$' \
    --entry local_16 --grid 1 "${of_array[@]}" --arg 'f32[256]:zero' --counters -
local_is 'one element for all: 4 sectors per request' 'sectors_pipe_lsu_mem_local_op_ld.sum,16$' \
    --entry local_16 --grid 1 "${of_array[@]}" --arg 'f32[256]:zero' --counters -
local_is 'local memory in the bound of L1' 'L1 +110.0' --entry local_4 --grid 1320 --block 32 \
    --arg i32:1 --arg i32:1 --arg i32:32 --arg i32:0 --arg 'f32[64]:zero' --per-line

# Warp 0 of branch_if diverges once, warp 1 not at all. The counter and the branch's line say so.
divides() {
    build/simrun "$work/local.cubin" --entry branch_if --grid 1 --block 64 --arg i32:5 \
        --arg 'i32[256]:zero' --per-line --json="$work/lines" >/dev/null
    cat "$work/lines"
}
said=$(divides | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
branches = [line for line in lines if line["type"] == "line" and line["divergent"] is not None]
print(sum(line["divergent"] for line in branches),
      all("BRA" in line["place"]["instruction"] for line in branches),
      [line["value"] for line in lines if line["type"] == "counter" and
       line["name"] == "smsp__sass_branch_targets_threads_divergent.sum"])')
if [[ $said == '1 True [1.0]' || $said == '1 True [1]' ]]; then
    pass 'divergence: the counter and the line'
else
    fail 'divergence' "$said"
fi

# ptxas prints how many bytes it spills. simrun must find the same numbers from the spills that the
# cubin lists.
"$NVCC" -cubin -arch=sm_90 -Xptxas -v -o "$work/local.cubin" sasskit/tests/local.cu 2>&1 |
    tr -d '\n' | sed 's/.*properties for spills//' | grep -oE '[0-9]+ bytes spill' | head -2 |
    tr -dc '0-9\n' | xargs >"$work/spilled"
kinds() { sed -nE 's/.*"kind": "(debug-build|spills|local-memory)".*/\1/p' "$work/notes" | xargs; }
noted() { # NAME KINDS ARGUMENT...: the run must have notes of exactly these kinds
    build/simrun "$work/local.cubin" "${@:3}" --json="$work/notes" >"$work/said" 2>&1
    [[ $(kinds) == "$2" ]]
    verdict $? "$1" "expected: $2" "$(cat "$work/said")"
}
spilling=(--entry spills --grid 1 --block 64 --arg i32:64 --arg 'f32[256]:zero'
    --arg 'f32[256]:zero')
of_13_0 'spilled registers' && {
    noted 'a note of spilled registers' spills "${spilling[@]}" --per-line
    if said=$(grep -o '"message": "spills[^"]*' "$work/notes" | grep -oE '[0-9]+' | tail -2 |
        xargs) && [[ $said && $said == "$(cat "$work/spilled")" ]]; then
        pass 'spilled bytes are those that ptxas prints'
    else
        fail 'spilled bytes' "ptxas: $(cat "$work/spilled"), simrun: $said"
    fi
}
noted 'a note of a local array' local-memory --entry local_4 --grid 1 --block 32 --arg i32:1 \
    --arg i32:1 --arg i32:32 --arg i32:0 --arg 'f32[64]:zero' --time
noted 'no note of other kernels' '' --entry branch_if --grid 1 --block 64 --arg i32:5 \
    --arg 'i32[256]:zero' --per-line
"$NVCC" -cubin -arch=sm_90 -G -o "$work/local.cubin" sasskit/tests/local.cu || exit 1
noted 'a note of code for a debugger' debug-build --entry branch_if --grid 1 --block 64 \
    --arg i32:5 --arg 'i32[256]:zero' --counters -
local_is 'the list says so too' 'nvcc -G' --list

# A NOP replaces the kernel's EXIT, so the kernel runs on into the branch to itself that nvcc puts
# after the code.
cat >"$work/exit.cu" <<'CUDA'
extern "C" __global__ void ends(int *p) { p[threadIdx.x] = 1; }
CUDA
"$NVCC" -cubin -arch=sm_90 "$work/exit.cu" -o "$work/exit.cubin" || exit 1
build/sass dis "$work/exit.cubin" | sed 's/ EXIT ;/ NOP ;/' >"$work/exit.sass"
build/sass asm "$work/exit.sass" --into "$work/exit.cubin" >/dev/null 2>&1
build/simrun "$work/exit.cubin" --grid 1 --block 32 --limit 10000 --arg 'i32[32]:zero' \
    --json="$work/exit.json" >"$work/said" 2>&1
[[ $(sasskit/tools/findings.py <"$work/exit.json") == 'endless missing-exit @ BRA'* ]]
verdict $? 'a missing EXIT is named before the loop that it leads to' "$(cat "$work/said")"
build/sass lint "$work/exit.cubin" --json >"$work/said"
grep -q '"missing-exit".*after instruction 0x' "$work/said"
verdict $? 'and lint names it without a run' "$(cat "$work/said")"

echo 'extern "C" __global__ void loops(int *p) { // warp 0 waits for warp 1
    if (threadIdx.x > 31) for (int k = 0; k != 1; k += 2) p[k & 31] = k;
    __syncthreads(); }' >"$work/loops.cu"
"$NVCC" -cubin -arch=sm_90 "$work/loops.cu" -o "$work/loops.cubin" || exit 1
build/simrun "$work/loops.cubin" --grid 1 --block 64 --limit 10000 --arg 'i32[32]:zero' --json \
    >"$work/said" 2>&1
grep -q '"message": "warp 1 met .*; the limit came before .*"place": .*"warp": 1' "$work/said"
verdict $? 'an endless loop: one warp in message and place' "$(cat "$work/said")"
