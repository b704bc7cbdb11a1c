#!/usr/bin/env bash
# Tests predicted times. Expected values come from three sources, never from the model itself:
#  - work counted by hand: if one unit limits a launch, slowing the unit costs exactly its work;
#  - bounds: a launch takes at least as long as its busiest unit, and at most as long as if nothing
#    overlapped;
#  - measurements on an H200 or H100.
# Also: predicted rows are marked as such, and messages name wrong figures (a machine's parameters).
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
NVCC=${NVCC:-$(tools/nvcc.sh)}
cubin=build/cubin/sm_90/05_float4/both.cubin
run=(build/simrun $cubin --entry sgemm_float4 --grid 16 --block 256 --arg i32:512 --arg i32:512
    --arg i32:512 --arg f32:1
    --arg 'f32[262144]:zero' --arg i32:512 --arg 'f32[262144]:zero' --arg i32:512 --arg f32:0
    --arg 'f32[262144]:zero' --arg i32:512)

# json MEMBER COMMAND...: prints a member of the prediction's JSON line, rounded to a whole number.
json() {
    "${@:2}" --json | sed -n 's/.*"type": "prediction".*"'"$1"'": \([0-9.]*\)[,}].*/\1/p' |
        awk '{ printf "%.0f", $1 }'
}
# cycles FIGURES: predicts the SM cycles of step 05 on an H200 with changed FIGURES, as in
# ",l2_port=1".
cycles() { json cycles "${run[@]}" --time --machine "h200$1"; }
# between NAME VALUE LEAST MOST: passes if the value is in the range.
between() {
    (($2 >= $3 && $2 <= $4))
    verdict $? "$1" "$2 is not between $3 and $4"
}
# costs NAME WORK A B: passes if B - A is WORK, within 1 %.
costs() { between "$1" $(($4 - $3)) $(($2 * 99 / 100)) $(($2 * 101 / 100)); }

plain=$(cycles '')
again=$(cycles '')
between 'a prediction is the same every time' "$again" "$plain" "$plain"
# The clock does not matter if all rates and latencies, in cycles, stay as they are.
figures=(l2_gbytes l2_sector_gbytes l2_store_gbytes dram_gbytes dram_write_gbytes dram_copy_gbytes)
twice=clock_ghz=3.96,tensor_clock_ghz=3.58,memory_latency=693
for figure in "${figures[@]}"; do
    twice+=,$figure=$((2 * $(build/simrun --machine list | awk -v name="$figure" \
        '$1 == name { print $2 }')))
done
between 'twice the clock and twice every rate: as many cycles' "$(cycles ",$twice")" "$plain" \
    "$plain"
# Step 05 at K = 512 has 64 tiles along K. So its loop jumps back over 10 KB of code 63 times, and
# the warps wait at most once per tile for the latency of device memory.
costs 'a jump from the end of a loop of 10 KB to its start waits for code' $((63 * 2000)) \
    "$(cycles ,long_branch=2000)" "$(cycles ,long_branch=4000)"
between 'the caches hold the code: no branch waits for distant code' "$(cycles ,far_branch=4800)" \
    "$plain" "$plain"
between 'latency of device memory: exposed for the first tile, at most for every tile' \
    "$(cycles ,memory_latency=1386)" $((plain + 693)) $((plain + 64 * 693))
# Shared memory at a hundredth of its rate limits the launch. The simulator counts its wavefronts.
# Any other memory instruction takes the data banks for one wavefront, too.
read -r shared others < <("${run[@]}" --counters - |
    awk -F, '/^smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op/ { shared += $2 }
        /^smsp__inst_executed_op_(global|shared)|^smsp__sass_inst_executed_op_(global|shared)/ {
        all += $2 } END { print shared / 16, all / 16 }')
slope=$((($(cycles ,shared_wavefronts=0.005) - $(cycles ,shared_wavefronts=0.01)) / 100))
between 'wavefronts of shared memory' "$slope" "$shared" $((shared + others + shared / 50))

# With K = 1 the kernel does little but read and write C. Reading 64 MiB takes 67.1 ms at 1 GB/s.
stream() { # FIGURES: predicts the microseconds of a stream
    build/simrun build/cubin/sm_90/01_naive/coalesced.cubin --entry sgemm_naive --grid 128,128 \
        --block 1024 --time --machine "h200$1" --json \
        --arg i32:4096 --arg i32:4096 --arg i32:1 --arg f32:1 --arg 'f32[4096]:zero' --arg i32:1 \
        --arg 'f32[4096]:zero' --arg i32:4096 \
        --arg f32:1 --arg 'f32[16777216]:zero' --arg i32:4096 |
        sed -n 's/.*"milliseconds": \([0-9.]*\),.*/\1/p' | awk '{ printf "%.0f", 1000 * $1 }'
}
costs 'a stream reads device memory once' 6711 "$(stream ,dram_gbytes=10)" \
    "$(stream ,dram_gbytes=5)"

# N just beyond a power of two: compared with the shortest launch measured on an H200.
measured() { # STEP VARIANT: prints its milliseconds at N = 2049 in results.csv
    awk -F, -v s="$1" -v v="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["step"] == s && $c["variant"] == v && $c["m"] == 2049 && $c["mode"] == "burst" {
        ms = $c["ms_min"] } END { print ms }' docs/results/h200/results.csv
}
for pair in 01_naive/uncoalesced 08_double_buffer/wide; do
    step=${pair%/*} variant=${pair#*/}
    build/ladder --backend sim --time --check off --step "$step" --variant "$variant" --size 2049 \
        --csv "$work/odd.csv" >/dev/null
    predicted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { print $c["ms_min"] }' "$work/odd.csv")
    rm -f "$work/odd.csv"
    if awk -v p="$predicted" -v m="$(measured "$step" "$variant")" \
        'BEGIN { exit !(m > 0 && p / m > 0.92 && p / m < 1.08) }'; then
        pass "$pair at 2049 within 8 % of the measured time"
    else fail "$pair at 2049 within 8 % of the measured time" \
        "predicted $predicted ms, measured $(measured "$step" "$variant")"; fi
done

# A prediction does not depend on what ran before it, such as the check or another size. The kernel
# tried here has variables in device memory, which such runs could change.
time_after() { # OPTION...: prints the milliseconds at N = 512
    build/ladder --backend sim --time --step 09 --variant hand_16x8_row "$@" \
        --csv "$work/after.csv" >/dev/null
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { ms = $c["ms_median"] }
        END { print ms }' "$work/after.csv"
    rm -f "$work/after.csv"
}
alone=$(time_after --check off --size 512)
for options in '--check small --size 512' '--check on --size 512' '--check off --size 256,512'; do
    after=$(time_after $options)
    [[ $alone && $after == "$alone" ]]
    verdict $? "the same time with $options" "alone $alone ms, here $after"
done

# --time names the kind of each problem, and the error known for this kind (validate_test.sh
# compares these figures with measurements). kinds OPTION...: prints the kinds that the ladder
# names, each with "as measured" if its figure is that of accuracy.def.
kinds() {
    build/ladder --backend sim --time --check off --step 05 --variant both "$@" | awk -F': ' '
        FILENAME != "-" { if (split($0, a, "[\",) ]+") && match($0, /"[^"]*"/)) known[substr($0,
            RSTART + 1, RLENGTH - 2)] = $0; next }
        $1 in known { split($2, said, " ");
        print $1, index(known[$1],
            said[3]) ? "as measured" : "otherwise" }' sasskit/model/accuracy.def -
}
expected='small as measured
rectangle as measured'
[[ $(kinds --size 128 --shape 64x96x32) == "$expected" ]] &&
    pass '--time names the error of each kind of problem' ||
    fail '--time names the error of each kind of problem' "$(kinds --size 128 --shape 64x96x32)"
[[ ! $(kinds --size 128 --machine h200,shared_wavefronts=2) ]] &&
    pass 'a changed machine has no known error' ||
    fail 'a changed machine has no known error' \
        "$(kinds --size 128 --machine h200,shared_wavefronts=2)"

# Step 13's code is larger than the far_kbytes of code that an SM keeps. A branch into the rest of
# the code waits far_branch cycles.
tf32() { # FIGURES: predicts the SM cycles
    json cycles build/simrun build/cubin/sm_90/13_tensor_cores/tf32.cubin \
        --entry sgemm_tensor_cores --grid 1 --block 256 --shared 107520 --time --machine "h200$1" \
        --arg i32:128 --arg i32:128 --arg i32:32 --arg f32:1 --arg 'f32[4096]:zero' --arg i32:32 \
        --arg 'f32[4096]:zero' --arg i32:128 --arg f32:0 \
        --arg 'f32[16384]:zero' --arg i32:128
}
# At most one branch waits per element of C that a thread stores (64), and two at the ends.
waits=$((($(tf32 ,far_branch=1920) - $(tf32 ,far_branch=960)) / 960))
between 'branches into code beyond 64 KB wait' "$waits" 1 66
costs 'each of them as long as the figure says' $((waits * 1920)) "$(tf32 ,far_branch=1920)" \
    "$(tf32 ,far_branch=3840)"
near=$(tf32 ,far_kbytes=1000)
between 'no branch waits if the SM keeps all code' "$(tf32 ,far_kbytes=1000,far_branch=1920)" \
    "$near" "$near"

# wgmma VARIANT FIGURES: predicts the cycles of step 13 at N = 512. Each of 16 blocks has an SM of
# its own. A block has 8 tiles of 64 k's. For each tile it copies 64 KB, and each of its two
# warpgroups runs 12 wgmmas of 128 columns.
wgmma() {
    rm -f "$work/wgmma.csv"
    build/ladder --backend sim --time --check off --step 13 --variant "$1" --size 512 \
        --machine "h200$2" --csv "$work/wgmma.csv" >/dev/null
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
        NR == 2 { printf "%.0f", 1.79e6 * $c["ms_min"] }' "$work/wgmma.csv"
}
columns=$((8 * 2 * 12 * 128)) bytes=$((8 * 65536))
costs 'wgmmas take the tensor cores for their columns' $((columns * 8)) \
    "$(wgmma ring ,hgmma_columns=0.125)" "$(wgmma ring ,hgmma_columns=0.0625)"
ring=$(($(wgmma ring ,l2_port=0.5) - $(wgmma ring ,l2_port=1)))
cluster=$(($(wgmma cluster ,l2_port=0.5) - $(wgmma cluster ,l2_port=1)))
between "a block's copies wait for its SM's way from L2" "$ring" "$bytes" $((bytes * 3 / 2))
costs 'a cluster shares a quarter of the copies' $((bytes / 4)) "$cluster" "$ring"

# An H200 executed 14.4 divisions per cycle and SM.
build/00_machine --backend model --group advice --csv "$work/advice.csv" >/dev/null
if awk -F, '$8 == "by 7" && $7 == "unsigned division" { ok = $9 > 13.2 && $9 < 15.6 }
    END { exit !ok }' "$work/advice.csv"; then
    pass 'divisions by 7 within 8 % of the measured rate'
else
    fail 'divisions by 7 within 8 % of the measured rate' "$(grep 'by 7' "$work/advice.csv")"
fi
# The shares of the warp states add up to all of the warps' time; exactly one warp is selected per
# issue.
states=$("${run[@]}" --time --stalls |
    awk 'NF == 3 && $1 ~ /^[a-z_]+$/ && $2 ~ /^[0-9.]+$/ { share += $2;
            if ($1 == "selected") one = $3; n++ } END { printf "%d %.0f %.3f", (n > 5), share,
                one }')
[[ $states == '1 100 1.000' ]]
verdict $? 'the warp states add up' "$states"

# naive BLOCKS: predicts the SM cycles of step 01. The busiest SM has BLOCKS blocks, two at a time.
naive() {
    local rows=$((32 * $1))
    json cycles build/simrun build/cubin/sm_90/01_naive/coalesced.cubin --entry sgemm_naive \
        --grid 132,"$1" --block 1024 --time --arg i32:$rows \
        --arg i32:4224 --arg i32:64 --arg f32:1 --arg "f32[$((rows * 64))]:zero" --arg i32:64 \
        --arg 'f32[270336]:zero' --arg i32:4224 \
        --arg f32:0 --arg "f32[$((rows * 4224))]:zero" --arg i32:4224
}
even=$(naive 8)
between 'a ninth block takes at most its own time' "$(naive 9)" $((even + 1)) $((even + $(naive 1)))

# Small kernels whose work can be counted.
cat >"$work/kernels.cu" <<'END'
// Each load needs the result of the load before, and reads another cache line. `a` is all zeros.
extern "C" __global__ void chase(const int *a, int *b, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) i += 64 + a[i];
    b[threadIdx.x] = i;
}
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
// Exchanges values with the next warp: two barriers per round.
extern "C" __global__ void exchanges(float *b, int rounds) {
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
// The last 17 blocks do half of the work, and two blocks share an SM's FP64 pipe.
extern "C" __global__ void __launch_bounds__(1024, 2) halves_at_end(double *x, int n) {
    double s = x[threadIdx.x], t = s + 1;
    const int rounds = blockIdx.x >= gridDim.x - 17 ? n / 2 : n;
    for (int i = 0; i < rounds; i++) s = s * 1.5 + 0.25, t = t * 1.25 + 0.5;
    x[blockIdx.x * blockDim.x + threadIdx.x] = s + t;
}
// Warp 1 waits for warp 0.
extern "C" __global__ void follows(float *b, int threads) {
    float x = b[threadIdx.x];
    const int warp = threadIdx.x / 32;
    for (int i = 0; i < 1000 && warp == 0; i++) x = fmaf(x, 0.999f, 0.5f);
    asm volatile("bar.sync %0, %1;" ::"r"(warp / 2 + 1), "r"(threads) : "memory");
    for (int i = 0; i < 1000 && warp == 1; i++) x = fmaf(x, 0.999f, 0.5f);
    b[threadIdx.x] = x;
}
// A barrier of the whole grid in each round.
extern "C" __global__ void meets(int *count, float *b, int rounds) {
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
// The first warp polls shared memory for the second, which computes n FMAs first.
extern "C" __global__ void hands_over(float *b, int n) {
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
        for (int i = 0; i < n; i++) x = fmaf(x, 0.999f, 0.5f);
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
    for (int i = 0; i < 16; i++)
        s += atomicCAS(&d[(threadIdx.x & mask) * stride], (unsigned long long)i, s + 1);
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
// Four independent MMAs of 16 x 8 x 8 TF32 numbers per iteration.
extern "C" __global__ void products(float *c, int n) {
    float sum[4][4] = {};
    const unsigned a = threadIdx.x, b = threadIdx.x + 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                         : "+f"(sum[k][0]), "+f"(sum[k][1]), "+f"(sum[k][2]), "+f"(sum[k][3])
                         : "r"(a), "r"(b));
    for (int k = 0; k < 4; k++)
        c[k * blockDim.x + threadIdx.x] = sum[k][0] + sum[k][1] + sum[k][2] + sum[k][3];
}
// Eight dependent chains per thread. Each iteration runs 64 instructions, or 64 of each of two
// kinds.
#define CHAINS(name, ...) \
    extern "C" __global__ void name(unsigned *b, int n) { \
        unsigned x[8], m = threadIdx.x | 3; \
        float y[8], f = m + n; \
        for (int k = 0; k < 8; k++) y[k] = x[k] = threadIdx.x + k; \
        for (int i = 0; i < n; i++) \
            _Pragma("unroll") for (int k = 0; k < 64; k++) { __VA_ARGS__; } \
        for (int k = 0; k < 8; k++) \
            b[k * blockDim.x + threadIdx.x] = x[k] + __float_as_uint(y[k] + f); \
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
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                         : "+f"(sum[k][0]), "+f"(sum[k][1]), "+f"(sum[k][2]), "+f"(sum[k][3])
                         : "r"(a), "r"(b));
            asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x[k]) : "r"(a), "r"(b));
        }
    for (int k = 0; k < 4; k++)
        c[k * blockDim.x + threadIdx.x] = sum[k][0] + sum[k][1] + sum[k][2] + sum[k][3] + x[k];
}
// Each iteration loads from an array in local memory, and the next iteration needs the result.
extern "C" __global__ void keeps(float *b, int n) {
    float v[64];
    for (int i = 0; i < 64; i++) v[i] = i;
    for (int i = 0; i < n; i++) v[(i * 7 + threadIdx.x) & 63] += v[i & 63];
    b[threadIdx.x] = v[n & 63];
}
// One block in eight runs n iterations, the others ten.
extern "C" __global__ void some_do_more(float *b, int which, int n) {
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
cubin "$work/kernels.cubin" -arch=sm_90 "$work/kernels.cu" || exit 1
time_of() { json cycles build/simrun "$work/kernels.cubin" --time --entry "$@"; }

# 1000 dependent loads of device memory.
chase() {
    time_of chase --grid 1 --block 1 --machine "h200,memory_latency=$1" --arg 'i32[65536]:zero' \
        --arg 'i32[1]:zero' --arg i32:1000
}
costs 'each of 1000 dependent loads waits for device memory' $((1000 * 1000)) \
    "$(chase 1000)" "$(chase 2000)"
passes() { # FIGURES COUNT
    time_of passes --grid 1 --block 1024 --machine "h200$1" --arg 'f32[262144]:zero' \
        --arg 'f32[1024]:zero' --arg i32:262144 --arg i32:"$2"
}
once=$(passes ,memory_latency=5000 1)
between 'a second pass finds its data in L2' "$(passes ,memory_latency=5000 2)" $((once + 1)) \
    $((once + $(passes ,memory_latency=283 1) * 11 / 10))
costs 'without L2 it takes as long as the first' "$once" "$once" \
    "$(passes ,memory_latency=5000,l2_mbytes=0.1 2)"
# Blocks that fetch tiles: 32 tiles per SM, each fetched by an atomic, at worst in the far half of
# L2.
tiles=(--block 256 --arg 'f32[1048576]:zero' --arg i32:4096)
dealt=$(time_of dealt --grid 132 "${tiles[@]}")
between 'tiles that blocks fetch are shared among the SMs like dealt ones' \
    "$(time_of fetched --grid 132 "${tiles[@]}" --arg 'i32[1]:zero')" "$dealt" \
    $((dealt + 32 * (277 + 180)))
# A copy of 64 MiB moves 128 MiB, at worst at 3978 GB/s (the rate of copies). At best it moves all
# but the 50 MB that L2 may keep, at 4578 GB/s (the rate of reads). 1980 cycles are a microsecond.
copy=$(time_of copied --grid 16384 --block 256 --arg 'f32[16777216]:zero' \
    --arg 'f32[16777216]:zero')
between 'a copy of 64 MiB goes at the rate of device memory and L2' "$copy" \
    $(((134218 - 50000) * 1980 / 4578)) $((134218 * 1980 / 3978 + 2000))
# An H200 took 19,100 and 55,700 cycles (a_sync in held_out.csv).
exchange() { time_of exchanges --grid 132 --block "$1" --arg 'f32[135168]:zero' --arg i32:300; }
between 'barriers of two warps within 3 % of the measured time' "$(exchange 64)" 18527 19673
between 'barriers of 32 warps within 3 % of the measured time' "$(exchange 1024)" 54029 57371
# 24 rounds are 16 more than 8. These have 16 loads each in each of 32 warps, 8192 loads in all.
# strides.csv has the measured cycles of one load.
"$NVCC" -cubin -arch=sm_90 -o "$work/strides.cubin" sasskit/tests/strides.cu
while IFS=, read -r words measured; do
    for rounds in 8 24; do
        build/simrun "$work/strides.cubin" --entry strides --grid 1 --block 1024 --time --json \
            --arg 'i32[262144]:zero' --arg "i32:$words" --arg "i32:$rounds" --arg 'u8[8]:zero' \
            --arg 'f32[1024]:zero' | sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' | head -n 1
    done >"$work/strides"
    between "a load of lanes $words words apart takes $measured cycles in the L1, within 0.1" \
        "$(awk 'NR == 1 { few = $1 } END { print ($1 - few) }' "$work/strides")" \
        "$(awk -v m="$measured" 'BEGIN { printf "%d", (m - 0.105) * 8192 }')" \
        "$(awk -v m="$measured" 'BEGIN { printf "%d", (m + 0.105) * 8192 }')"
done < <(tail -n +2 docs/results/h200/strides.csv | draw 3 strides)
between 'a barrier whose number and threads are in one register' \
    "$(time_of follows --grid 1 --block 64 --arg 'f32[64]:zero' --arg i32:64)" \
    $((2 * 1000 * 4)) 16000
# A round has 100 FMAs and a barrier of the grid. It takes at least the FMAs, a fence, an atomic, a
# load from L2 and a fence. At most it also takes two more polls, the way to the far half of L2 for
# each access, and all blocks' atomics in series.
round_of() {
    local one many
    one=$(time_of meets --grid "$1" --block 64 --arg 'i32[1]:zero' --arg 'f32[67584]:zero' \
        --arg i32:1)
    many=$(time_of meets --grid "$1" --block 64 --arg 'i32[1]:zero' --arg 'f32[67584]:zero' \
        --arg i32:11)
    echo $(((many - one) / 10))
}
for blocks in 132 1056; do
    between "a barrier of $blocks blocks takes the sum of its parts" "$(round_of $blocks)" \
        $((100 * 4 + 257 + 277 + 283 + 257)) \
        $((100 * 4 + 2 * (257 + 132) + 277 + 3 * 283 + 4 * 180 + blocks * 145 / 100 + 100))
done
# Each block polls the next one's flag. A link of this chain takes at least an atomic, and at most a
# poll (an atomic, too), a sleep, a fence and an atomic that sets the flag, in series.
between 'a chain of 49 blocks that wait for the next one' \
    "$(time_of waits_for_the_next --grid 50 --block 32 --arg 'i32[50]:zero' --arg 'i32[50]:zero')" \
    $((49 * 277)) $((49 * (277 + 100 + 257 + 132 + 277) + 2000))
hands_over() { time_of hands_over --grid 1 --block 64 --arg 'f32[32]:zero' --arg i32:"$1"; }
least=$(hands_over 1000)
between 'a warp that polls waits for every FMA of the other' $(($(hands_over 2000) - least)) \
    $((1000 * 4)) $((least))
# Blocks with different work: the SM that ends last determines the time, whichever blocks it has.
more() {
    time_of some_do_more --grid "$1" --block 256 --arg 'f32[256]:zero' --arg i32:"$2" --arg i32:1000
}
for blocks in 100 2000 9000; do
    first=$(more $blocks 0)
    between "$blocks blocks: it does not matter which eighth is longer" "$(more $blocks 5)" \
        $((first * 9 / 10)) $((first * 11 / 10))
done
long=$(time_of some_do_more --grid 1 --block 32 --arg 'f32[32]:zero' --arg i32:0 --arg i32:9900)
between 'a triangle of blocks takes as long as its longest block' \
    "$(time_of triangle --grid 100 --block 32 --arg 'f32[32]:zero' --arg i32:100)" \
    $((long * 97 / 100)) $((long * 103 / 100))

# Atomics of 42,240 lanes: on one word, or on one word per lane.
at_one_word() {
    time_of counts --grid 1320 --block 32 --machine "h200,atomic_lane=$1" --arg 'i32[1]:zero' \
        --arg i32:0
}
costs 'atomics at one word take turns' $((42240 * 10)) "$(at_one_word 10)" "$(at_one_word 20)"
between 'atomics at many words do not' \
    "$(time_of counts --grid 1320 --block 32 --arg 'i32[42240]:zero' --arg i32:1)" 1 42240
# CYCLES is the time of 16 rounds measured on an H100, without the launch. In the last call of
# contended it is twice the time measured for eight rounds.
contended() { # NAME KERNEL MASK STRIDE CYCLES
    between "$1, within 12 % of the measured time" \
        "$(time_of "$2" --machine h100 --grid 132 --block 256 --arg 'u32[8192]:zero' \
            --arg i32:"$3" --arg i32:"$4")" \
        $(($5 * 88 / 100)) $(($5 * 112 / 100))
}
contended 'atomics on the 8 words of a sector' adds 7 1 79016
contended 'atomics on the 32 words of a line' adds 31 1 83016
contended 'atomics on 32 sectors' adds 31 8 369232
contended 'atomics on 32 lines' adds 31 32 102063
contended 'atomics on 8 lines' adds 255 1 38873
contended 'a histogram of 16 bins' histogram 15 1 129354
contended 'a histogram of 256 bins' histogram 255 1 275709
contended 'compare-and-swap on 32 words' swaps 31 1 314308
contended 'compare-and-swap on one word' swaps 0 1 785526
# Shared memory: 64 atomics in each of 8 warps, each taking 32 wavefronts at one bank.
banks=$(time_of bins --grid 1 --block 256 --arg 'i32[1]:zero' --arg i32:255)
between 'atomics in shared memory at one bank take turns' \
    "$(time_of bins --grid 1 --block 256 --arg 'i32[1]:zero' --arg i32:32)" \
    $((64 * 8 * 32)) $((64 * 8 * 32 + banks))
keeps() {
    time_of keeps --grid 1 --block 32 --machine "h200,l1_latency=$1" --arg 'f32[32]:zero' \
        --arg i32:1000
}
costs 'each of 1000 dependent loads of local memory waits for L1' $((1000 * 34)) \
    "$(keeps 34)" "$(keeps 68)"

# Pipes: 1024 MMAs in each warp, one warp per tensor core; 6400 instructions in each of a
# scheduler's four warps.
products() {
    time_of products --grid 1 --block 128 --machine "h200,hmma_wide_cycles=$1" \
        --arg 'f32[512]:zero' --arg i32:256
}
costs 'an MMA of a warp takes its tensor core as long as the figure says' $((1024 * 50)) \
    "$(products 50)" "$(products 100)"
chains() {
    time_of "$1" --grid 1 --block 512 --machine "h200$2" --arg 'u32[4096]:zero' --arg i32:100
}
costs 'a multiplication takes its pipe as long as the figure says' $((4 * 6400 * 20)) \
    "$(chains low ,fma_cycles=20)" "$(chains low ,fma_cycles=40)"
costs 'a wide multiplication takes its pipe as long as the figure says' $((4 * 6400 * 20)) \
    "$(chains high ,wide_multiply_cycles=20)" "$(chains high ,wide_multiply_cycles=40)"
# FMAs and multiplications share two pipes: together they take at least half of their sum, at most
# all of it.
low=$(chains low '')
between 'FMAs beside multiplications use both pipes' "$(chains fma_beside '')" $((4 * 6400 * 3)) \
    $((low + 4 * 6400 * 2))
share_of() { # STATE ENTRY: prints per mille of the warps' time
    build/simrun "$work/kernels.cubin" --entry "$2" --grid 1 --block 512 --arg 'u32[4096]:zero' \
        --arg i32:100 --time --stalls |
        awk -v state="$1" '$1 == state { share = 10 * $2 } END { print share + 0 }'
}
between 'two kinds that compete for a pipe: dispatch stalls, at least ten times those of one kind' \
    "$(share_of dispatch_stall fma_beside)" $((10 * $(share_of dispatch_stall low) + 1)) 1000
# Four warps per scheduler, each with 4000 MMAs and 4000 logic instructions: the logic's time is
# added.
products=$(time_of products --grid 1 --block 512 --arg 'f32[2048]:zero' --arg i32:1000)
logic=$(time_of products_and_logic --grid 1 --block 512 --arg 'f32[2048]:zero' --arg i32:1000)
between 'logic beside MMAs adds its time' $((logic - products)) $((4 * 4000 * 2 * 9 / 10)) \
    $((4 * 4000 * 2 * 14 / 10))
case_is 'a launch with a barrier of the grid has states and a timeline' 0 long_scoreboard \
    build/simrun "$work/kernels.cubin" --entry meets --grid 264 --block 64 \
    --arg 'i32[1]:zero' --arg 'f32[16896]:zero' --arg i32:3 --time --stalls \
    --timeline "$work/meets.json"
# The two blocks that share an SM's pipe end at different times. So each of the last 25 of 289
# blocks gets an SM of its own. There it takes half as long as a block that shares the pipe.
halves() { # BLOCKS [OPTION...]
    time_of halves_at_end --grid "$1" --block 1024 --arg 'f64[295936]:zero' --arg i32:200 "${@:2}"
}
whole=$(halves 264) more=$(halves 289)
between 'blocks of the last round have an SM of their own' $((more - whole)) 1 $((whole / 2))
drawn=$(halves 289 --timeline "$work/halves.json")
[[ $drawn == "$more" ]]
verdict $? 'a timeline leaves the predicted time as it is' "$drawn and $more cycles"

# Each chip of the tables takes only machine code of its own architecture. One block per SM runs
# 8192 FFMAs per warp, with 4 warps per scheduler. A T4's scheduler issues one FFMA every second
# cycle, the others one per cycle.
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
    got=$(json cycles build/simrun "$work/ffma_$arch.cubin" --time --machine "$name" \
        --entry many_ffma --grid "$sms" --block 512 --arg f32:0.5 --arg "f32[$((sms * 512))]:zero")
    between "$name: cycles of 32768 FFMAs per scheduler" "$got" $((32768 * each)) \
        $((32768 * each * 106 / 100))
done

# Refused options: the messages name these values.
names 'an RTX 5090 does not take code of a T4' 2 sm_75 sm_120 -- build/simrun \
    "$work/ffma_75.cubin" --time --machine rtx-5090 --entry many_ffma --grid 1 --block 512 \
    --arg f32:0.5 --arg 'f32[512]:zero'
names 'an unknown machine: names those there are' 2 b200 h200 h100 -- "${run[@]}" \
    --time --machine b200
names 'an unknown figure' 2 shared_speed -- "${run[@]}" --time --machine h200,shared_speed=2
names 'a figure that is no number' 2 queue=x -- "${run[@]}" --time --machine h200,queue=x
for figure in l1_tags l2_port store_port l2_sector_gbytes l2_store_gbytes dram_write_gbytes \
    dram_copy_gbytes tensor_clock_ghz; do
    names "a figure that would stop time: $figure" 2 $figure=0 -- "${run[@]}" --time \
        --machine "h200,$figure=0"
done
names 'stalls require the model' 2 --time -- "${run[@]}" --stalls
names 'counters require all blocks' 2 --time counters -- "${run[@]}" --time --counters -
names 'a GPU is not predicted' 2 --time sim -- build/ladder --time --backend gpu
names 'the model has no power' 2 --time sustained -- build/ladder --time \
    --backend sim --mode sustained
# Every figure has a value and names its source in parentheses.
bare=$(build/simrun --machine list | awk '/^[a-z0-9_]+ +[0-9.]+ / && !/\([^()]+.*\)$/ { print $1 }')
[[ ! $bare ]]
verdict $? 'every figure has a source' "$bare"

"${run[@]}" --time --timeline "$work/t.json" --cycles 3000,500 >/dev/null
if ! needs 'a timeline is JSON' python3; then
    :
elif python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
slots = [(e["pid"], e["ts"]) for e in events if e.get("cat") == "issue"]
assert len(slots) > 100 and len(slots) == len(set(slots)), "two instructions in one issue slot"' \
    "$work/t.json" 2>"$work/why"; then
    pass 'a timeline is JSON, and no scheduler issues twice a cycle'
else
    fail 'a timeline is JSON, and no scheduler issues twice a cycle' "$(cat "$work/why")"
fi

build/ladder --backend sim --time --check off --step 05,09 --variant last --size 1024 \
    --csv "$work/model.csv" >/dev/null
[[ $(cut -d, -f3 "$work/model.csv" | sort -u | tr '\n' ' ') == 'backend model ' ]]
verdict $? 'predicted rows say model' "$(cat "$work/model.csv")"

# The model's counters of stall reasons are warp cycles per issued instruction. For `selected` this
# is exactly one; the sum over all reasons is the number of active warps per issue.
build/ladder --backend sim --time --check off --step 09 --variant last --size 512 \
    --csv "$work/states.csv" --counters "$work/states_counters.csv" >/dev/null
awk -F, '$3 == "model" { sum += $10; if ($9 ~ /selected_per/ && $9 !~ /not_sel/) one = $10 }
    END { exit !(one == 1 && sum > 1.5 && sum < 4) }' "$work/states_counters.csv"
verdict $? 'the states of the warps are counters of the model' \
    "$(cat "$work/states_counters.csv")"

if needs 'the ladder as predicted, and its chart' python3 gnuplot; then
    case_is 'the ladder as predicted stands beside the measured one' 0 \
        'Predicted, not measured: a model of the H200, N = 256' tools/predict.py "$work" 256
    [[ $(cut -d, -f3 "$work/predicted.csv" | sort -u | tr '\n' ' ') == 'backend model ' ]] &&
        grep -q 'hollow: predicted' "$work/predicted.svg"
    verdict $? 'its rows and its chart say so' "$(head -3 "$work/predicted.csv")"
fi
mkdir "$work/bin"
(IFS=:; for folder in $PATH; do cp -sn "$folder"/* "$work/bin/" 2>/dev/null; done)
rm -f "$work/bin/gnuplot"
case_is 'the prediction without gnuplot' 0 $'\n09_reuse_sass                hand_16x8_row ' env \
    PATH="$work/bin" tools/predict.py "$work" 256
one_line_is 'a folder that is none' 2 'expected a folder' tools/predict.py "$work/none"
needs 'issue slots are drawn' gnuplot || exit 0
case_is 'issue slots are drawn' 0 '' plots/slots.py "$work/t.json" "$work/t.svg" 3000,500
[[ $(grep -c 'warp [0-9]' "$work/t.svg") == 2 ]] && pass 'a line for each warp of a scheduler' ||
    fail 'a line for each warp of a scheduler' \
        "$(grep -o 'warp [0-9]*' "$work/t.svg" | tr '\n' ' ')"
one_line_is 'cycles in which nothing runs' 1 'no warp of scheduler 0' plots/slots.py \
    "$work/t.json" "$work/t.svg" 900000,5
