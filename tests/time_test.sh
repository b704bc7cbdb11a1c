#!/usr/bin/env bash
# Predicted times: that they stand beside the measured ones, never among them, follow the machine, and name what is wrong.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cubin=build/cubin/sm_90/05_float4/both.cubin
run=(build/simrun $cubin --entry sgemm_float4 --grid 16 --block 256 --arg i32:512 --arg i32:512 --arg i32:512 --arg f32:1
     --arg 'f32[262144]:zero' --arg i32:512 --arg 'f32[262144]:zero' --arg i32:512 --arg f32:0 --arg 'f32[262144]:zero' --arg i32:512)

# running: of what simrun prints, the SM cycles in which the launch runs
running() { sed -n 's/.*: \([0-9]*\) in which it runs.*/\1/p'; }
# cycles FIGURES: predicted SM cycles on an H200 with these figures changed
cycles() { "${run[@]}" --time --machine "h200$1" | running; }
# longer NAME FIGURES LEAST MOST: the cycles are between LEAST and MOST per cent of the H200's
longer() {
    local changed
    changed=$(cycles "$2")
    if ((changed > 0 && changed * 100 >= plain * $3 && changed * 100 <= plain * $4)); then pass "$1"; else fail "$1" "$plain cycles, with $2 $changed"; fi
}
plain=$(cycles '')
again=$(cycles '')
[[ -n $plain && $plain == "$again" ]] && pass 'a prediction is the same every time' || fail 'a prediction is the same every time' "$plain $again"
longer 'memory twice as far away takes longer' ,memory_latency=1386 110 200
longer 'shared memory at a quarter of its rate takes longer' ,shared_wavefronts=0.25 110 400
longer 'with memory as many cycles away a faster clock takes as many' ,clock_ghz=4,l2_gbytes=19060,memory_latency=693 97 103
# One FMA for each element of C, 64 MB of it read and written: at 100 GB/s that takes at least 0.64 ms.
stream=$(build/simrun build/cubin/sm_90/01_naive/coalesced.cubin --entry sgemm_naive --grid 128,128 --block 1024 --time --machine h200,dram_gbytes=100 \
    --arg i32:4096 --arg i32:4096 --arg i32:1 --arg f32:1 --arg 'f32[4096]:zero' --arg i32:1 --arg 'f32[4096]:zero' --arg i32:4096 \
    --arg f32:1 --arg 'f32[16777216]:zero' --arg i32:4096 | sed -n 's/.*h200: \([0-9.]*\) ms.*/\1/p')
if awk -v ms="$stream" 'BEGIN { exit !(ms > 0.64 && ms < 0.8) }'; then pass 'what streams waits for device memory'; else fail 'what streams waits for device memory' "$stream ms"; fi
# Sizes just past a power of two: lanes of step 01's `uncoalesced` spread over the tag banks, and tiles at the edges hold little.
# measured STEP VARIANT: the shortest launch of an H200 at N = 2049, in results.csv.
measured() { awk -F, -v s="$1" -v v="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["step"] == s && $c["variant"] == v && $c["m"] == 2049 && $c["mode"] == "burst" { ms = $c["ms_min"] } END { print ms }' docs/results/h200/results.csv; }
for pair in 01_naive/uncoalesced 08_double_buffer/wide; do
    step=${pair%/*} variant=${pair#*/}
    build/ladder --backend sim --time --check off --step "$step" --variant "$variant" --size 2049 --csv "$work/odd.csv" >/dev/null
    predicted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["ms_min"] }' "$work/odd.csv")
    rm -f "$work/odd.csv"
    if awk -v p="$predicted" -v m="$(measured "$step" "$variant")" 'BEGIN { exit !(m > 0 && p / m > 0.92 && p / m < 1.08) }'; then pass "$pair at 2049"
    else fail "$pair at 2049" "predicted $predicted ms, measured $(measured "$step" "$variant")"; fi
done
longer 'of code that the caches hold no branch waits for a line from afar' ,far_branch=4800 100 100
longer 'but from one end of a loop of 10 KB to the other it waits for a near one' ,long_branch=212 105 150
# Branches over what is not needed, in code beyond 64 KB: step 13's sums are stored one by one, with a way out of each.
tf32() {
    build/simrun build/cubin/sm_90/13_tensor_cores/tf32.cubin --entry sgemm_tensor_cores --grid 1 --block 256 --shared 107520 --time --machine "h200$1" \
        --arg i32:128 --arg i32:128 --arg i32:32 --arg f32:1 --arg 'f32[4096]:zero' --arg i32:32 --arg 'f32[4096]:zero' --arg i32:128 --arg f32:0 \
        --arg 'f32[16384]:zero' --arg i32:128 | running
}
beyond=$(($(tf32 '') - $(tf32 ,far_kbytes=1000)))
if ((beyond > 62 * 400 && beyond < 70 * 480)); then pass 'beyond them it waits, 62 times'; else fail 'beyond them it waits, 62 times' "$beyond cycles"; fi
# wgmma VARIANT FIGURES: microseconds of step 13's products of four warps at N = 512: 16 blocks, each of 8 tiles of 64 k's, in which either
# warpgroup does 12 products of 128 columns, and 64 KB are copied
wgmma() {
    rm -f "$work/wgmma.csv"
    build/ladder --backend sim --time --check off --step 13 --variant "$1" --size 512 --machine "h200$2" --csv "$work/wgmma.csv" >/dev/null
    awk -F, 'NR == 2 { printf "%d", 1000 * $19 }' "$work/wgmma.csv"
}
of_two=$(wgmma ring '') of_half=$(wgmma ring ,hgmma_columns=0.5) narrow=$(wgmma ring ,l2_port=8) shared=$(wgmma cluster ,l2_port=8)
if ((of_half - of_two >= 12 && of_half - of_two <= 19)); then # 8 x 2 x 12 x (256 - 64) cycles are 18.6 us; some were waited for other things
    pass 'products of four warps wait for the tensor cores'
else
    fail 'products of four warps wait for the tensor cores' "$of_two us, at a quarter of the rate $of_half"
fi
if ((narrow - of_two >= 25 && narrow - of_two <= 40)); then # 8 x 64 KB, 8 bytes a cycle, are 33 us
    pass 'and for their copies, at barriers in shared memory'
else
    fail 'and for their copies, at barriers in shared memory' "$narrow us at 8 bytes a cycle"
fi
if ((shared <= narrow - 8 && shared >= narrow - 14)); then pass 'a cluster shares a quarter of the copies'; else fail 'a cluster shares a quarter of the copies' "$shared us, without $narrow"; fi
slow_banks=$(wgmma ring ,shared_wavefronts=0.5)
if ((slow_banks - of_two >= 3 && slow_banks - of_two <= 8)); then # 8 x 24 x (96 - 64) cycles are 3.1 us, 8 x 512 x 2 for the copies 4.1
    pass 'and for what they read in shared memory, beside the copies'
else
    fail 'and for what they read in shared memory, beside the copies' "$of_two us, at half the rate $slow_banks"
fi
# IMAD.WIDE R, R, constant, RZ reads RZ: without that the division by 7 would be 21 % too fast.
build/00_machine --backend model --group advice --csv "$work/advice.csv" >/dev/null
if awk -F, '$8 == "by 7" && $7 == "unsigned division" { ok = $9 > 13.2 && $9 < 15.6 } END { exit !ok }' "$work/advice.csv"; then
    pass 'a division by 7 waits for registers'
else
    fail 'a division by 7 waits for registers' "$(grep 'by 7' "$work/advice.csv") (14.4 results a cycle and SM were measured)"
fi
case_is 'what the warps wait for has names' 0 long_scoreboard "${run[@]}" --time --stalls
case_is 'it says how much was run' 0 'run: 1 of the 1 blocks' "${run[@]}" --time
# naive BLOCKS: predicted SM cycles of step 01 with so many blocks for the busiest SM, two of them side by side
naive() {
    local rows=$((32 * $1))
    build/simrun build/cubin/sm_90/01_naive/coalesced.cubin --entry sgemm_naive --grid 132,"$1" --block 1024 --time --arg i32:$rows \
        --arg i32:4224 --arg i32:64 --arg f32:1 --arg "f32[$((rows * 64))]:zero" --arg i32:64 --arg 'f32[270336]:zero' --arg i32:4224 \
        --arg f32:0 --arg "f32[$((rows * 4224))]:zero" --arg i32:4224 | running
}
even=$(naive 8) odd=$(naive 9)
if ((odd * 100 > even * 105 && odd * 100 < even * 125)); then
    pass 'of many blocks, an odd one more takes the time of one more'
else
    fail 'of many blocks, an odd one more takes the time of one more' "8 blocks $even cycles, 9 blocks $odd"
fi
# Kernels whose time is known relative to another's: the second pass over 1 MB finds it in L2; tiles that blocks fetch are shared
# among the SMs as those that are dealt out.
cat >"$work/kernels.cu" <<'END'
extern "C" __global__ void passes(const float *a, float *b, int n, int count) {
    float sum = 0;
    for (int p = 0; p < count; p++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i];
    b[threadIdx.x] = sum;
}
__device__ void work_on(float *b, int tile) {
    float x = tile;
    for (int i = 0; i < 200; i++) x = fmaf(x, 0.999f, 0.5f);
    b[tile * 256 + threadIdx.x] = x;
}
extern "C" __global__ void fetched(float *b, int tiles, int *next) {
    __shared__ int tile;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(next, 1);
        __syncthreads();
        if (tile >= tiles) return;
        work_on(b, tile);
    }
}
extern "C" __global__ void dealt(float *b, int tiles) {
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) work_on(b, tile);
}
extern "C" __global__ void copied(const float4 *a, float4 *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}
extern "C" __global__ void exchanges(float *b, int rounds) { // with the next warp, two barriers a round
    __shared__ float s[1024];
    float x = b[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < rounds; i++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x += s[(threadIdx.x + 33) % blockDim.x];
        __syncthreads();
    }
    b[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
extern "C" __global__ void meets(int *count, float *b, int rounds) { // a barrier of the whole grid each round
    float x = threadIdx.x;
    for (int r = 1; r <= rounds; r++) {
        for (int i = 0; i < 100; i++) x = fmaf(x, 0.999f, 0.5f);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (*(volatile int *)count < r * gridDim.x) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    b[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
extern "C" __global__ void waits_for_the_next(int *flag, int *out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) __nanosleep(100);
        out[blockIdx.x] = 1;
        __threadfence();
        atomicExch(&flag[blockIdx.x], 1);
    }
}
extern "C" __global__ void hands_over(float *b) { // the first warp waits in shared memory for the second
    __shared__ volatile int ready;
    __shared__ volatile float s[32];
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (!ready) {
        }
        __threadfence_block();
        b[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
    } else {
        float x = threadIdx.x;
        for (int i = 0; i < 1000; i++) x = fmaf(x, 0.999f, 0.5f);
        s[threadIdx.x - 32] = x;
        __threadfence_block();
        __syncwarp();
        if (threadIdx.x == 32) ready = 1;
    }
}
extern "C" __global__ void counts(int *count, int apart) {
    atomicAdd(&count[(blockIdx.x * blockDim.x + threadIdx.x) * apart], threadIdx.x);
}
extern "C" __global__ void adds(unsigned *d, int mask, int stride) {
    for (int i = 0; i < 16; i++) atomicAdd(&d[(threadIdx.x & mask) * stride], i + 1);
}
extern "C" __global__ void swaps(unsigned long long *d, int mask, int stride) {
    unsigned long long s = 0;
    for (int i = 0; i < 16; i++) s += atomicCAS(&d[(threadIdx.x & mask) * stride], (unsigned long long)i, s + 1);
    if (s == 12345) d[1] = 1;
}
extern "C" __global__ void histogram(unsigned *d, int mask, int stride) {
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    for (int i = 0; i < 16; i++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&d[(x >> 16 & mask) * stride], 1u);
    }
}
extern "C" __global__ void bins(int *count, int mask) {
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 64; i++) atomicAdd(&s[threadIdx.x & mask], threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *count = s[0];
}
extern "C" __global__ void products(float *c, int n) { // of 16 x 8 x 8 TF32 numbers, four that do not wait for each other
    float sum[4][4] = {};
    const unsigned a = threadIdx.x, b = threadIdx.x + 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                         : "+f"(sum[k][0]), "+f"(sum[k][1]), "+f"(sum[k][2]), "+f"(sum[k][3])
                         : "r"(a), "r"(b));
    for (int k = 0; k < 4; k++) c[k * blockDim.x + threadIdx.x] = sum[k][0] + sum[k][1] + sum[k][2] + sum[k][3];
}
// Eight chains a thread, one instruction of a kind, or two, for each of them.
#define CHAINS(name, ...)                                                                                                \
    extern "C" __global__ void name(unsigned *b, int n) {                                                                \
        unsigned x[8], m = threadIdx.x | 3;                                                                              \
        float y[8], f = m + n;                                                                                           \
        for (int k = 0; k < 8; k++) y[k] = x[k] = threadIdx.x + k;                                                       \
        for (int i = 0; i < n; i++)                                                                                      \
            _Pragma("unroll") for (int k = 0; k < 64; k++) { __VA_ARGS__; }                                              \
        for (int k = 0; k < 8; k++) b[k * blockDim.x + threadIdx.x] = x[k] + __float_as_uint(y[k] + f);                  \
    }
#define MULTIPLY asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x[k & 7]) : "r"(m))
#define FMA asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y[k & 7]) : "f"(f))
CHAINS(low, MULTIPLY)
CHAINS(high, asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x[k & 7]) : "r"(m)))
CHAINS(fma_beside, MULTIPLY; FMA)
extern "C" __global__ void products_and_logic(float *c, int n) {
    float sum[4][4] = {};
    unsigned a = threadIdx.x, b = threadIdx.x + 1, x[4] = {a, b, a, b};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                         : "+f"(sum[k][0]), "+f"(sum[k][1]), "+f"(sum[k][2]), "+f"(sum[k][3])
                         : "r"(a), "r"(b));
            asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x[k]) : "r"(a), "r"(b));
        }
    for (int k = 0; k < 4; k++) c[k * blockDim.x + threadIdx.x] = sum[k][0] + sum[k][1] + sum[k][2] + sum[k][3] + x[k];
}
extern "C" __global__ void keeps(float *b, int n) { // an array in local memory
    float v[64];
    for (int i = 0; i < 64; i++) v[i] = i;
    for (int i = 0; i < n; i++) v[(i * 7 + threadIdx.x) & 63] += v[i & 63];
    b[threadIdx.x] = v[n & 63];
}
extern "C" __global__ void some_do_more(float *b, int which, int n) { // one block of eight
    float v = b[threadIdx.x];
    for (int i = 0; i < ((blockIdx.x & 7) == which ? n : 10); i++) v = v * 1.01f + 0.5f;
    b[threadIdx.x] = v;
}
extern "C" __global__ void triangle(float *b, int n) {
    float v = b[threadIdx.x];
    for (int i = 0; i < n * (int)blockIdx.x; i++) v = v * 1.01f + 0.5f;
    b[threadIdx.x] = v;
}
END
"$NVCC" -cubin -arch=sm_90 -o "$work/kernels.cubin" "$work/kernels.cu"
time_of() { build/simrun "$work/kernels.cubin" --time --entry "$@" | running; }
# between NAME VALUE LEAST MOST
between() { if (($2 >= $3 && $2 <= $4)); then pass "$1"; else fail "$1" "$2 is not between $3 and $4"; fi; }
pass_of=(passes --grid 1 --block 1024 --machine h200,memory_latency=5000 --arg 'f32[262144]:zero' --arg 'f32[1024]:zero' --arg i32:262144)
once=$(time_of "${pass_of[@]}" --arg i32:1) twice=$(time_of "${pass_of[@]}" --arg i32:2)
between 'a second pass finds its data in L2' "$twice" $((once * 101 / 100)) $((once * 16 / 10))
tiles=(--block 256 --arg 'f32[1048576]:zero' --arg i32:4096)
dealt=$(time_of dealt --grid 132 "${tiles[@]}") fetched=$(time_of fetched --grid 132 "${tiles[@]}" --arg 'i32[1]:zero')
between 'work that blocks fetch is shared among the SMs' "$fetched" "$dealt" $((dealt * 3))
copy=$(time_of copied --grid 16384 --block 256 --arg 'f32[16777216]:zero' --arg 'f32[16777216]:zero')
between 'a copy of 64 MB goes as fast as one was measured that stays in L2 in part' "$copy" 59000 63000
# Measured on an H200: 19,100 and 55,700 cycles (a_sync in held_out.csv).
exchange() { time_of exchanges --grid 132 --block "$1" --arg 'f32[135168]:zero' --arg i32:300; }
between 'barriers of two warps' "$(exchange 64)" 18500 19700
between 'barriers of 32 warps' "$(exchange 1024)" 54600 56800
# Blocks that wait for each other: a barrier of the grid costs each round a fence, an atomic and a load or some of L2, however many
# blocks meet; what a warp asks while it waits is not counted.
round_of() {
    local one many
    one=$(time_of meets --grid "$1" --block 64 --arg 'i32[1]:zero' --arg 'f32[67584]:zero' --arg i32:1)
    many=$(time_of meets --grid "$1" --block 64 --arg 'i32[1]:zero' --arg 'f32[67584]:zero' --arg i32:11)
    echo $(((many - one) / 10))
}
between 'a barrier of 132 blocks' "$(round_of 132)" 1500 4000
between 'a barrier of 1056 blocks' "$(round_of 1056)" 1500 5000
between 'a block that waits for a later one' "$(time_of waits_for_the_next --grid 200 --block 32 --arg 'i32[200]:zero' --arg 'i32[200]:zero')" 1000 20000
between 'a warp that waits for a later one' "$(time_of hands_over --grid 1 --block 64 --arg 'f32[32]:zero')" 4000 8000
# Blocks that do different work: the SM that ends last counts, whichever blocks it has.
more() { time_of some_do_more --grid "$1" --block 256 --arg 'f32[256]:zero' --arg i32:"$2" --arg i32:1000; }
first=$(more 100 0) sixth=$(more 100 5)
between 'a guard by blockIdx: any block may be the longest' "$sixth" $((first * 97 / 100)) $((first * 103 / 100))
first=$(more 2000 0) sixth=$(more 2000 5)
between 'some rounds of blocks: an SM with many long ones' "$sixth" $((first * 9 / 10)) $((first * 11 / 10))
first=$(more 9000 0) sixth=$(more 9000 5)
between 'many rounds: as many of each kind as there are' "$sixth" $((first * 97 / 100)) $((first * 103 / 100))
between 'the last block of a triangle is the longest' "$(time_of triangle --grid 100 --block 32 --arg 'f32[32]:zero' --arg i32:100)" 39600 60000
same=$(time_of counts --grid 1320 --block 32 --arg 'i32[1]:zero' --arg i32:0) apart=$(time_of counts --grid 1320 --block 32 --arg 'i32[42240]:zero' --arg i32:1)
between 'atomics at one word take turns' "$same" 42240 70000
between 'and at many words do not' "$apart" 500 $((same / 2))
# Measured on an H100, without the launch; the last one is twice what eight rounds took.
contended() { # NAME KERNEL MASK STRIDE CYCLES
    between "$1" "$(time_of "$2" --machine h100 --grid 132 --block 256 --arg 'u32[8192]:zero' --arg i32:"$3" --arg i32:"$4")" $(($5 * 88 / 100)) $(($5 * 112 / 100))
}
contended 'atomics: a sector serves a lane of each of its words at once' adds 7 1 79016
contended 'and a line one sector after the other' adds 31 1 83016
contended 'each lane a sector, of two chunks of memory' adds 31 8 369232
contended 'each lane a line, four of a chunk' adds 31 32 102063
contended 'eight lines in two chunks' adds 255 1 38873
contended 'a histogram of 16 bins' histogram 15 1 129354
contended 'one of 256 bins' histogram 255 1 275709
contended 'compare and swap takes twice as long' swaps 31 1 314308
contended 'but not where lanes have one word' swaps 0 1 785526
bank=$(time_of bins --grid 1 --block 256 --arg 'i32[1]:zero' --arg i32:32) banks=$(time_of bins --grid 1 --block 256 --arg 'i32[1]:zero' --arg i32:255)
between 'atomics in shared memory at one bank take turns' "$bank" $((banks * 3)) $((banks * 40))
kept=$(time_of keeps --grid 1 --block 32 --arg 'f32[32]:zero' --arg i32:1000)
between 'local memory is read from L1' "$kept" 34000 120000
product=$(time_of products --grid 1 --block 128 --arg 'f32[512]:zero' --arg i32:256)
between 'a product of a warp takes its tensor core for six cycles' "$product" 6144 9000
chains() { time_of "$1" --grid 1 --block 512 --arg 'u32[4096]:zero' --arg i32:100; } # 6400 a warp, four warps a scheduler
low=$(chains low) high=$(chains high) beside=$(chains fma_beside)
between 'a multiplication takes its pipe for two cycles' "$low" 51200 54000
between 'one that is wide takes twice as long' "$high" 102400 106000
# An H200 takes 76,800. The model takes more since its banks are one read behind (docs/notes/timing.md).
between 'FMAs take turns in two pipes, also where multiplications keep one of them busy' "$beside" 76800 93000
share_of() { # STATE ENTRY: per mille of the warps' time
    build/simrun "$work/kernels.cubin" --entry "$2" --grid 1 --block 512 --arg 'u32[4096]:zero' --arg i32:100 --time --stalls |
        awk -v state="$1" '$1 == state { share = 10 * $2 } END { print share + 0 }'
}
between 'what waits for the other kind in their pipe was picked' "$(share_of dispatch_stall fma_beside)" 150 400
between 'multiplications among themselves are not' "$(share_of dispatch_stall low)" 0 20
logic=$(time_of products_and_logic --grid 1 --block 512 --arg 'f32[2048]:zero' --arg i32:1000) # 4000 a warp, each with some logic
between 'nobody reads registers while a product reads its own' "$logic" 128000 140000
case_is 'a launch that waits has states and a timeline' 0 long_scoreboard build/simrun "$work/kernels.cubin" --entry meets --grid 264 --block 64 \
    --arg 'i32[1]:zero' --arg 'f32[16896]:zero' --arg i32:3 --time --stalls --timeline "$work/meets.json"
# Each chip of the tables takes machine code of its own architecture alone. A block per SM does 8192 FFMAs per warp, 16 warps per
# scheduler: a T4's scheduler starts one every second cycle, the others one per cycle.
cat >"$work/ffma.cu" <<'END'
extern "C" __global__ void many_ffma(float a, float *out) {
    float x[8];
    for (int j = 0; j < 8; j++) x[j] = threadIdx.x + j;
    for (int i = 0; i < 64; i++)
#pragma unroll
        for (int j = 0; j < 128; j++) x[j % 8] = x[j % 8] * a + a;
    for (int j = 1; j < 8; j++) x[0] += x[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[0];
}
END
for row in t4,75,40,2 l4,89,58,1 rtx-5080,120,84,1 rtx-5090,120,170,1; do
    IFS=, read -r name arch sms each <<<"$row"
    cubin "$work/ffma_$arch.cubin" "-arch=sm_$arch" "$work/ffma.cu" || exit 1
    got=$(build/simrun "$work/ffma_$arch.cubin" --time --machine "$name" --entry many_ffma --grid "$sms" --block 512 --arg f32:0.5 --arg "f32[$((sms * 512))]:zero" | running)
    between "$name: cycles of 32768 FFMAs per scheduler" "$got" $((32768 * each)) $((32768 * each * 106 / 100))
done
one_line_is 'an RTX 5090 does not take code of a T4' 2 'sm_120' build/simrun "$work/ffma_75.cubin" --time --machine rtx-5090 --entry many_ffma --grid 1 --block 512 \
    --arg f32:0.5 --arg 'f32[512]:zero'
case_is 'an unknown machine' 2 'known: h200, h100' "${run[@]}" --time --machine b200
case_is 'an unknown figure' 2 'there is no figure shared_speed' "${run[@]}" --time --machine h200,shared_speed=2
case_is 'a figure that is none' 2 'expected a number' "${run[@]}" --time --machine h200,queue=x
for figure in l1_tags l2_port store_port l2_sector_gbytes l2_store_gbytes dram_write_gbytes dram_copy_gbytes tensor_clock_ghz; do
    case_is "a figure that would stop time: $figure" 2 'must be positive' "${run[@]}" --time --machine "h200,$figure=0"
done
case_is 'stalls need the model' 2 'go with --time' "${run[@]}" --stalls
case_is 'counters need all blocks' 2 'leave one out' "${run[@]}" --time --counters -
case_is 'the figures have sources' 0 '00: latency/shared memory' build/simrun --machine list
case_is 'the GPU is timed anyway' 2 '--backend sim' build/ladder --time --backend gpu
case_is 'the model has no power' 2 'no power' build/ladder --time --backend sim --mode sustained

"${run[@]}" --time --timeline "$work/t.json" --cycles 3000,500 >/dev/null
if ! needs 'a timeline is JSON' python3; then
    :
elif python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
slots = [(e["pid"], e["ts"]) for e in events if e.get("cat") == "issue"]
assert len(slots) > 100 and len(slots) == len(set(slots)), "two instructions in one issue slot"' "$work/t.json" 2>"$work/why"; then
    pass 'a timeline is JSON, and no scheduler issues twice a cycle'
else
    fail 'a timeline is JSON, and no scheduler issues twice a cycle' "$(cat "$work/why")"
fi

build/ladder --backend sim --time --check off --step 05,09 --variant last --size 1024 --csv "$work/model.csv" >/dev/null
[[ $(cut -d, -f3 "$work/model.csv" | sort -u | tr '\n' ' ') == 'backend model ' ]] &&
    pass 'predicted rows say model' || fail 'predicted rows say model' "$(cat "$work/model.csv")"

# All that warps do in a cycle is in one state or another: a warp instruction is selected once, and takes as many warp cycles as there are.
build/ladder --backend sim --time --check off --step 09 --variant last --size 512 --csv "$work/states.csv" --counters "$work/states_counters.csv" >/dev/null
if awk -F, '$3 == "model" { sum += $10; if ($9 ~ /selected_per/ && $9 !~ /not_sel/) one = $10 } END { exit !(one == 1 && sum > 1.5 && sum < 4) }' "$work/states_counters.csv"; then
    pass 'the states of the warps are counters of the model'
else
    fail 'the states of the warps are counters of the model' "$(cat "$work/states_counters.csv")"
fi

if needs 'the ladder as predicted, and its chart' sqlite3 gnuplot; then
    case_is 'the ladder as predicted stands beside the measured one' 0 'Predicted, not measured: a model of the H200, N = 256' tools/predict.sh "$work" 256
    [[ $(cut -d, -f3 "$work/predicted.csv" | sort -u | tr '\n' ' ') == 'backend model ' ]] && grep -q 'hollow: predicted' "$work/predicted.svg" &&
        pass 'its rows and its chart say so' || fail 'its rows and its chart say so' "$(head -3 "$work/predicted.csv")"
fi
mkdir "$work/bin"
(IFS=:; for folder in $PATH; do cp -sn "$folder"/* "$work/bin/" 2>/dev/null; done)
rm -f "$work/bin/sqlite3" "$work/bin/gnuplot"
case_is 'the prediction without sqlite3' 0 $'\n09_reuse_sass                hand_16x8_row ' env PATH="$work/bin" tools/predict.sh "$work" 256
one_line_is 'a folder that is none' 2 'expected a folder' tools/predict.sh "$work/none"
needs 'issue slots are drawn' gnuplot || exit 0
case_is 'issue slots are drawn' 0 '' plots/slots.sh "$work/t.json" "$work/t.svg" 3000,500
[[ $(grep -c 'warp [0-9]' "$work/t.svg") == 2 ]] && pass 'a line for each warp of a scheduler' ||
    fail 'a line for each warp of a scheduler' "$(grep -o 'warp [0-9]*' "$work/t.svg" | tr '\n' ' ')"
one_line_is 'cycles in which nothing runs' 1 'no warp of scheduler 0' plots/slots.sh "$work/t.json" "$work/t.svg" 900000,5
