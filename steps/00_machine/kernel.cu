// Step 00: microbenchmarks. Each kernel repeats one operation, so that a clock shows its speed.
// probes.c says what each kernel measures and which instructions its loop must contain.
// build/00_machine looks for these instructions in the machine code before it measures.
//
// `rounds` is the number of iterations of the loop. The meaning of `value` depends on the kernel.
// `in` has data or a ring of pointers. `out` gets results, which keeps the compiler from dropping
// work. If not said otherwise, cycles[] gets each block's SM cycles from START to STOP.
#include <cuda_fp16.h>

#define KERNEL(NAME, THREADS) \
    extern "C" __global__ void __launch_bounds__(THREADS) \
        probe_##NAME(int rounds, unsigned value, const uint4 *in, uint4 *out, long long *cycles)

#define START \
    __syncthreads(); \
    long long start = clock64()
#define STOP \
    __syncthreads(); \
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start

#define THREAD   (blockIdx.x * blockDim.x + threadIdx.x)
#define RESULT   ((unsigned *)out)[THREAD]
#define ROUNDS   _Pragma("unroll 1") for (int round = 0; round < rounds; round++)
#define TIMES(N) _Pragma("unroll") for (int i = 0; i < (N); i++)

// --- chains: COUNT values per thread, COUNT * TURNS results per round ----------------------------
// A chain is a value, X, that STATEMENT replaces again and again. A is a constant. Y is the next
// chain's value; its use keeps the compiler from merging two statements of a chain. With one chain
// each instruction waits for the previous one; with eight chains hardly any instruction waits.
#define X chain[i % count]
#define Y chain[(i + 1) % count]
#define CHAINS(NAME, COUNT, TURNS, TYPE, OF_BITS, BITS, STATEMENT) \
    KERNEL(NAME, 1024) { \
        const int count = COUNT; \
        TYPE A __attribute__((unused)) = OF_BITS(value); \
        TYPE chain[count]; \
        for (int k = 0; k < count; k++) chain[k] = OF_BITS(value + 77 * k + threadIdx.x); \
        START; \
        ROUNDS TIMES(count *TURNS) { \
            STATEMENT; \
        } \
        STOP; \
        unsigned all = 0; \
        for (int k = 0; k < count; k++) all ^= BITS(chain[k]); \
        RESULT = all; \
    }

#define AS_IS(x)        (x)
#define FLOAT_OF(bits)  (1.0f + 1e-6f * (bits))
#define DOUBLE_OF(bits) (1.0 + 1e-6 * (bits))
#define HALF_OF(bits)   __float2half(1.0f + 1e-3f * ((bits) % 512))
#define HALF2_OF(bits)  __float2half2_rn(1.0f + 1e-3f * ((bits) % 512))
#define DOUBLE_BITS(x)  (__double2hiint(x) ^ __double2loint(x))
#define HALF_BITS(x)    __half_as_ushort(x)
#define HALF2_BITS(x)   (__half_as_ushort(__low2half(x)) ^ __half_as_ushort(__high2half(x)) << 16)

#define FP32(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, float, FLOAT_OF, __float_as_uint, STATEMENT)
#define FP64(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, double, DOUBLE_OF, DOUBLE_BITS, STATEMENT)
#define HALF(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, __half, HALF_OF, HALF_BITS, STATEMENT)
#define HALF2(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, __half2, HALF2_OF, HALF2_BITS, STATEMENT)
#define INT(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, unsigned, AS_IS, AS_IS, STATEMENT)
#define ANGLE(NAME, COUNT, TURNS, STATEMENT) \
    CHAINS(NAME, COUNT, TURNS, float, __uint_as_float, __float_as_uint, STATEMENT)

// --- throughput ----------------------------------------------------------------------------------
// An FP32 instruction that contains a constant reads fewer registers, which prevents register-bank
// conflicts.
FP32(fp32_add, 8, 16, X = X + 0.25f)
FP32(fp32_mul, 8, 16, X = X * 0.999f)
FP32(fp32_fma, 8, 16, X = fmaf(X, A, 0.5f))
FP64(fp64_add, 8, 16, X = X + A)
FP64(fp64_mul, 8, 16, X = X * A)
FP64(fp64_fma, 8, 16, X = fma(X, A, 0.5))
HALF2(half2_add, 8, 16, X = __hadd2(X, Y))
HALF2(half2_mul, 8, 16, X = __hmul2(X, Y))
HALF2(half2_fma, 8, 16, X = __hfma2(X, A, Y))

INT(int_add, 8, 16, X = X + Y)
INT(int_add_three, 8, 16, X = X + Y + A)
INT(int_mul, 8, 16, X = X * Y)
INT(int_mad, 8, 16, X = X * A + Y)
INT(int_shift, 8, 16, X = X >> (Y & 31))
INT(int_compare, 8, 16, X = (int)X < (int)Y ? A : X)
INT(int_min, 8, 16, X = min((int)X, (int)Y))
INT(int_max, 8, 16, X = max((int)X, (int)Y))
INT(int_logic, 8, 16, asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(X) : "r"(Y), "r"(A)))
INT(int_popc, 8, 16, X = __popc(X))
INT(int_brev, 8, 16, asm volatile("brev.b32 %0, %0;" : "+r"(X)))
INT(int_clz, 8, 16, X = __clz(X))
INT(int_bfe, 8, 16, asm volatile("bfe.u32 %0, %0, 3, 9;" : "+r"(X)))
INT(int_bfi, 8, 16, asm volatile("bfi.b32 %0, %1, %0, 7, 9;" : "+r"(X) : "r"(Y)))
INT(int_funnel, 8, 16, X = __funnelshift_l(X, Y, A))

// ptxas replaces the reciprocal of a reciprocal by the number itself; the addition prevents that.
FP32(rcp, 8, 16, asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(X)); X = X + 0.25f)
FP32(rsqrt, 8, 16, asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(X)))
FP32(sqrt, 8, 16, asm volatile("sqrt.approx.ftz.f32 %0, %0;" : "+f"(X)))
FP32(sin, 8, 16, asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(X)))
FP32(cos, 8, 16, asm volatile("cos.approx.ftz.f32 %0, %0;" : "+f"(X)))
FP32(exp2, 8, 16, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(X)))
FP32(log2, 8, 16, asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(X)))

// A conversion takes the bits of the previous result, whatever their type. byte_to_int also adds.
INT(byte_to_int, 8, 16, X = (int)(signed char)X + Y)
INT(int_to_float, 8, 16, X = __float_as_uint((float)(int)X))
INT(float_to_int, 8, 16, X = (int)__uint_as_float(X))
INT(float_to_half, 8, 16, X = __half_as_ushort(__float2half_rn(__uint_as_float(X))))
INT(floats_to_half2, 8, 16,
    X = HALF2_BITS(__floats2half2_rn(__uint_as_float(X), __uint_as_float(Y))))
INT(half_to_float, 8, 16, X = __float_as_uint(__half2float(__ushort_as_half((unsigned short)X))))
INT(double_to_float, 8, 16, X = __float_as_uint((float)__hiloint2double(X, Y)))
INT(float_to_double, 8, 16, X = __double2hiint((double)__uint_as_float(X)))
INT(double_to_int, 8, 16, X = (int)__hiloint2double(X, Y))
INT(int_to_double, 8, 16, X = __double2hiint((double)(int)X))

INT(shuffle, 8, 16, X = __shfl_xor_sync(~0u, X, 1))
INT(vote, 8, 16, X = __ballot_sync(~0u, X == Y))

KERNEL(barrier, 1024) {
    START;
    ROUNDS TIMES(16) __syncthreads();
    STOP;
    RESULT = value;
}

// --- latency: one warp; each statement needs the result of the previous one ----------------------
FP32(latency_fma, 1, 64, X = fmaf(X, A, 0.5f))
FP64(latency_fp64, 1, 64, X = fma(X, A, 0.5))
HALF2(latency_half2, 2, 32, X = __hfma2(X, A, Y))
INT(latency_mul, 2, 32, X = X * Y)
INT(latency_shift, 2, 32, X = __funnelshift_l(X, Y, A))
FP32(latency_rsqrt, 1, 64, asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(X)))
INT(latency_shuffle, 1, 64, X = __shfl_xor_sync(~0u, X, 1))

// A ring in shared memory: each slot has WORDS words and holds the address of the next slot. A
// round makes 64 hops.
#define RING(NAME, WORDS, LOAD) \
    KERNEL(NAME, 1024) { \
        __shared__ uint4 ring[32]; \
        const unsigned base = (unsigned)__cvta_generic_to_shared(ring); \
        if (threadIdx.x < 32) \
            ((unsigned *)ring)[WORDS * threadIdx.x] = base + 4 * WORDS * ((threadIdx.x + 1) % 32); \
        unsigned at = base, rest __attribute__((unused)); \
        START; \
        ROUNDS TIMES(64) LOAD; \
        STOP; \
        RESULT = at; \
    }
RING(latency_shared, 1, asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)))
RING(latency_shared_64, 2,
     asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%0];"
                  : "+r"(at), "=r"(rest)))
RING(latency_shared_128, 4,
     asm volatile("{ .reg .u32 a, b; ld.volatile.shared.v4.u32 {%0, %1, a, b}, [%0]; }"
                  : "+r"(at), "=r"(rest)))

// Loads from constant memory. Each offset is the result of the previous load.
__constant__ unsigned offsets[32];
KERNEL(latency_constant, 1024) {
    unsigned at = 0;
    START;
    ROUNDS TIMES(64) at = *(const unsigned *)((const char *)offsets + at);
    STOP;
    RESULT = at;
}

// A ring in global memory. `value` hops before START bring it into the caches. A LOAD with .ca may
// hit in L1; a LOAD with .cg bypasses L1.
#define CHASE(NAME, LOAD) \
    KERNEL(NAME, 1024) { \
        unsigned long long at = (unsigned long long)in; \
        for (unsigned i = 0; i < value; i++) asm volatile(LOAD " %0, [%0];" : "+l"(at)); \
        START; \
        ROUNDS TIMES(32) asm volatile(LOAD " %0, [%0];" : "+l"(at)); \
        STOP; \
        RESULT = (unsigned)at; \
    }
CHASE(latency_l1, "ld.global.ca.u64")
CHASE(latency_l2, "ld.global.cg.u64")

// --- bandwidth -----------------------------------------------------------------------------------
// Each lane loads WORDS words. Neighbouring lanes load neighbouring words, without bank conflicts.
// All loaded words are combined into one, so that the compiler drops no load. `at` changes in each
// round, so that the compiler moves no load out of the loop.
#define LOADS(NAME, WORDS, ADDRESS, LOAD1, LOAD2, LOAD4) \
    KERNEL(NAME, 1024) { \
        __shared__ unsigned words[4096]; \
        for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = i; \
        unsigned at = (threadIdx.x & 31) * 4 * WORDS, all = value; \
        START; \
        ROUNDS { \
            TIMES(16) { \
                unsigned a, b = 0, c = 0, d = 0; \
                if (WORDS == 1) asm volatile(LOAD1 : "=r"(a) : ADDRESS); \
                if (WORDS == 2) asm volatile(LOAD2 : "=r"(a), "=r"(b) : ADDRESS); \
                if (WORDS == 4) \
                    asm volatile(LOAD4 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : ADDRESS); \
                all ^= a ^ b ^ c ^ d; \
            } \
            at ^= 16 * 128 * WORDS; \
        } \
        STOP; \
        RESULT = all ^ words[all & 4095]; \
    }
#define SHARED(NAME, WORDS) \
    LOADS(NAME, WORDS, "r"((unsigned)__cvta_generic_to_shared(words) + at + 128 * WORDS * i), \
          "ld.volatile.shared.u32 %0, [%1];", "ld.volatile.shared.v2.u32 {%0, %1}, [%2];", \
          "ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];")
#define CACHED(NAME, WORDS) \
    LOADS(NAME, WORDS, "l"((const char *)in + at + 128 * WORDS * i), "ld.global.ca.u32 %0, [%1];", \
          "ld.global.ca.v2.u32 {%0, %1}, [%2];", "ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];")
// All lanes of a warp load one common word, as they load A in step 01.
#define CACHED_ONE(NAME) \
    LOADS(NAME, 1, "l"((const char *)in + (at & ~127u) + 128 * i), "ld.global.ca.u32 %0, [%1];", \
          "", "")
SHARED(shared_32, 1)
SHARED(shared_64, 2)
SHARED(shared_128, 4)
CACHED(l1_32, 1)
CACHED(l1_128, 4)
CACHED_ONE(l1_one)

// The threads walk over `value` 16-byte words and restart at the end. `value` is a power of two.
#define WALK(NAME, STATEMENT) \
    KERNEL(NAME, 1024) { \
        unsigned at = THREAD, step = gridDim.x * blockDim.x, mask = value - 1; \
        uint4 all = make_uint4(0, 0, 0, 0); \
        START; \
        ROUNDS TIMES(8) { \
            STATEMENT; \
            at += step; \
        } \
        STOP; \
        if (all.x == 1 && all.y == 2 && all.z == 3 && all.w == 4) RESULT = all.x; \
    }
#define ADD(v) (all.x ^= (v).x, all.y ^= (v).y, all.z ^= (v).z, all.w ^= (v).w)
WALK(read, const uint4 v = __ldcg(&in[at & mask]); ADD(v))
WALK(write, out[at & mask] = make_uint4(at, round, i, 0))
WALK(copy, out[at & mask] = __ldcg(&in[at & mask]))

// --- advice: two or more ways to compute a result ------------------------------------------------
FP32(divide, 4, 4, X = A / X)
FP32(divide_fast, 4, 4, X = __fdividef(A, X))
FP32(divide_reciprocal, 4, 4, X = X * A)
FP32(rsqrt_divided, 4, 4, X = 1.0f / sqrtf(X))
FP32(rsqrt_direct, 4, 4, X = rsqrtf(X))
ANGLE(sinf, 4, 1, X = sinf(X + A))
ANGLE(sinf_fast, 4, 1, X = __sinf(X + A))

// The exclusive or keeps the compiler from merging two divisions.
INT(quotient_variable, 4, 4, X = X / A ^ Y)
INT(quotient_changing, 4, 4, X = A / (X | 1) ^ Y)
INT(quotient_constant, 4, 4, X = X / 7 ^ Y)
INT(quotient_power, 4, 4, X = X / 8 ^ Y)
INT(modulo_variable, 4, 4, X = X % A ^ Y)
INT(modulo_constant, 4, 4, X = X % 7 ^ Y)
INT(modulo_power, 4, 4, X = X % 8 ^ Y)

FP32(constant_double, 8, 4, X = X * 0.999 + 0.5)
FP32(constant_float, 8, 4, X = X * 0.999f + 0.5f)
HALF(half_one, 1, 64, X = __hfma(X, A, X))
HALF(half_eight, 8, 16, X = __hfma(X, A, Y))
HALF2(half2_one, 1, 64, X = __hfma2(X, A, X))

// A branch with 64 FMA on either side. `side` changes every round, so that the branch stays in the
// loop.
#define FMA_HIGH "fma.rn.f32 %0, %0, %1, 0f3F000000;"
#define FMA_LOW  "fma.rn.f32 %0, %0, %1, 0f3E800000;"
#define BRANCH(NAME, SIDE, BODY) \
    KERNEL(NAME, 1024) { \
        const int count = 8; \
        const float A = FLOAT_OF(value); \
        float chain[count]; \
        for (int k = 0; k < count; k++) chain[k] = FLOAT_OF(k + threadIdx.x); \
        START; \
        ROUNDS { \
            const int side = SIDE + round & 1; \
            BODY \
        } \
        STOP; \
        unsigned all = 0; \
        for (int k = 0; k < count; k++) all ^= __float_as_uint(chain[k]); \
        RESULT = all; \
    }
#define TWO_WAYS \
    if (side) { \
        TIMES(64) asm volatile(FMA_HIGH : "+f"(X) : "f"(A)); \
    } else { \
        TIMES(64) asm volatile(FMA_LOW : "+f"(X) : "f"(A)); \
    }
#define PREDICATED \
    TIMES(64) \
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p " FMA_HIGH " @!p " FMA_LOW " }" \
                 : "+f"(X) \
                 : "f"(A), "r"(side));
BRANCH(branch_lane, threadIdx.x, TWO_WAYS)
BRANCH(branch_warp, threadIdx.x / 32, TWO_WAYS)
BRANCH(branch_predicated, threadIdx.x, PREDICATED)

// --- register banks ------------------------------------------------------------------------------
// 512 FFMAs per round. banks.awk makes copies of the machine code whose FFMAs use other registers.
KERNEL(bank, 256) {
    float a[8], b[8], c[64];
#pragma unroll
    for (int i = 0; i < 8; i++)
        a[i] = FLOAT_OF(value + i + threadIdx.x), b[i] = FLOAT_OF(value + 2 * i + threadIdx.x);
#pragma unroll
    for (int i = 0; i < 64; i++) c[i] = FLOAT_OF(value + 3 * i + threadIdx.x);
    START;
    ROUNDS TIMES(512) c[i % 64] = fmaf(a[i / 8 % 8], b[i % 8], c[i % 64]);
    STOP;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 64; i++) sum += c[i];
    RESULT = __float_as_uint(sum);
}

// --- the memory pipeline -------------------------------------------------------------------------
#define ADDRESS_OF(p) ((unsigned)__cvta_generic_to_shared(p))

// 128 FFMAs per round. A load of WORDS words precedes each 32 of them.
#define AMONG(NAME, WORDS, LOAD) \
    KERNEL(NAME, 1024) { \
        __shared__ uint4 words[1024]; \
        words[threadIdx.x] = make_uint4(value, value, value, value); \
        const unsigned at = ADDRESS_OF(words); \
        unsigned got[16], all = value; \
        const int count = 8; \
        float chain[count]; \
        TIMES(16) got[i] = value + i; \
        for (int k = 0; k < count; k++) chain[k] = FLOAT_OF(value + 77 * k + threadIdx.x); \
        START; \
        ROUNDS { \
            TIMES(128) { \
                if (i % 32 == 0) { \
                    unsigned *g = &got[i / 32 * 4]; \
                    LOAD; \
                } \
                asm volatile("fma.rn.f32 %0, %0, 0f3F7FBE77, 0f3F000000;" : "+f"(X)); \
            } \
            TIMES(4 * WORDS) all ^= got[i / WORDS * 4 + i % WORDS]; \
        } \
        STOP; \
        for (int k = 0; k < count; k++) all ^= __float_as_uint(chain[k]); \
        RESULT = all; \
    }
AMONG(among_32, 1, asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(g[0]) : "r"(at + i)))
AMONG(among_64, 2,
      asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                   : "=r"(g[0]), "=r"(g[1])
                   : "r"(at + i)))
AMONG(among_128, 4,
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(g[0]), "=r"(g[1]), "=r"(g[2]), "=r"(g[3])
                   : "r"(at + i)))

// Loads that hit in L1. The words of neighbouring lanes are `value` bytes apart.
KERNEL(stride, 1024) {
    unsigned at = (threadIdx.x & 31) * value, all = value;
    START;
    ROUNDS {
        TIMES(16) {
            unsigned a;
            asm volatile("ld.global.ca.u32 %0, [%1];"
                         : "=r"(a)
                         : "l"((const char *)in + at + 4 * i));
            all ^= a;
        }
        at ^= 64;
    }
    STOP;
    RESULT = all;
}

// All lanes follow one ring of `value` slots of 128 bytes; each starts at a pseudo-random slot.
KERNEL(chase_many, 1024) {
    const unsigned slot = (THREAD * 2654435761u >> 8) % value;
    unsigned long long at = (unsigned long long)in + 128ull * slot;
    START;
    ROUNDS TIMES(32) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    STOP;
    RESULT = (unsigned)at;
}

// Loads from shared memory or L1 by the warps of the first `value` schedulers. Each scheduler has
// eight warps. The empty asm statement makes the compiler assume that `scheduler` changes, so that
// the branch stays in the loop.
#define SCHEDULERS(NAME, LOAD) \
    KERNEL(NAME, 1024) { \
        __shared__ unsigned words[1024]; \
        words[threadIdx.x] = value; \
        const unsigned lane = threadIdx.x & 31, at = ADDRESS_OF(words) + 4 * lane; \
        const unsigned *there = (const unsigned *)in + lane; \
        unsigned scheduler = threadIdx.x / 32 % 4, all = value + at + (unsigned)(size_t)there; \
        START; \
        ROUNDS { \
            asm volatile("" : "+r"(scheduler)); \
            if (scheduler < value) { \
                TIMES(32) { \
                    unsigned a; \
                    LOAD; \
                    all ^= a; \
                } \
            } \
        } \
        STOP; \
        RESULT = all; \
    }
#define LOAD_SHARED \
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at + 128 * (i % 8)))
#define LOAD_L1 asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(there + 32 * i))
SCHEDULERS(schedulers_shared, LOAD_SHARED)
SCHEDULERS(schedulers_l1, LOAD_L1)

// Measures how long a warp takes to issue COUNT loads in a row, while the other three warps of its
// scheduler also issue COUNT loads. The first loads fill the load queue at the issue rate; later
// loads wait for the queue to drain. Thread `value` adds up its times over all rounds and writes
// the sum to cycles[].
#define IN_A_ROW(NAME, COUNT, LOAD) \
    KERNEL(NAME, 512) { \
        __shared__ unsigned words[1024]; \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = value; \
        const unsigned lane = threadIdx.x & 31, at = ADDRESS_OF(words) + 4 * lane; \
        unsigned all = value + at; \
        long long took = 0; \
        START; \
        ROUNDS { \
            const unsigned *there __attribute__((unused)) = \
                (const unsigned *)in + lane + (round & 1) * 1024; \
            unsigned got[COUNT]; \
            __syncthreads(); \
            const long long before = clock64(); \
            TIMES(COUNT) { \
                unsigned &a = got[i]; \
                LOAD; \
            } \
            took += clock64() - before; \
            TIMES(COUNT) all ^= got[i]; \
        } \
        STOP; \
        if (threadIdx.x == value) cycles[blockIdx.x] = took; \
        RESULT = all; \
    }
IN_A_ROW(row_4_shared, 4, LOAD_SHARED)
IN_A_ROW(row_8_shared, 8, LOAD_SHARED)
IN_A_ROW(row_12_shared, 12, LOAD_SHARED)
IN_A_ROW(row_16_shared, 16, LOAD_SHARED)
IN_A_ROW(row_4_l1, 4, LOAD_L1)
IN_A_ROW(row_8_l1, 8, LOAD_L1)
IN_A_ROW(row_16_l1, 16, LOAD_L1)

// 16 stores to shared memory per round. Neighbouring lanes store to neighbouring words.
#define STORES(NAME, WORDS, STORE) \
    KERNEL(NAME, 1024) { \
        __shared__ uint4 words[1024]; \
        words[threadIdx.x] = make_uint4(value, value, value, value); \
        const unsigned at = ADDRESS_OF(words) + 4 * WORDS * (threadIdx.x & 31); \
        START; \
        ROUNDS TIMES(16) STORE; \
        STOP; \
        RESULT = words[threadIdx.x].x; \
    }
STORES(stores_32, 1,
       asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at + 512 * (i % 8)), "r"(value)))
STORES(stores_128, 4,
       asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at + 512 * (i % 8)),
                    "r"(value)))

// A store, then an addition that overwrites the stored register. The addition waits until the store
// has read the register. The words of neighbouring threads are `value` bytes apart.
#define SOURCES(NAME, STORE) \
    KERNEL(NAME, 1024) { \
        __shared__ uint4 words[512]; \
        const unsigned at = ADDRESS_OF(words) + threadIdx.x * value; \
        uint4 x = make_uint4(value, value, value, value); \
        START; \
        ROUNDS { \
            STORE; \
            asm volatile("add.u32 %0, %0, 1;" : "+r"(x.x)); \
        } \
        STOP; \
        RESULT = x.x + words[0].x; \
    }
SOURCES(sources_32, asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(x.x)))
SOURCES(sources_128, asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at),
                                  "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)))

#if __CUDA_ARCH__ >= 800 // older devices have no cp.async
// Eight copies per round from L1 to shared memory, 16 bytes per lane. Each round ends when these
// copies are complete.
KERNEL(copies, 256) {
    __shared__ uint4 words[8][256];
    const unsigned at = ADDRESS_OF(words) + 16 * threadIdx.x;
    const uint4 *there = in + threadIdx.x;
    START;
    ROUNDS {
        TIMES(8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at + 4096 * i),
                     "l"(there + 256 * i));
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    }
    STOP;
    RESULT = rounds ? words[value % 8][threadIdx.x].x : value;
}
#endif

// Each round has eight loads from shared memory and one global load, which L2 serves and which
// fills L1. The global loads walk over `value` bytes, which fit into L2 but not into L1.
KERNEL(fills, 1024) {
    __shared__ uint4 words[1024];
    words[threadIdx.x] = make_uint4(value, value, value, value);
    const unsigned at = ADDRESS_OF(words) + 16 * (threadIdx.x & 31);
    unsigned place = 16 * threadIdx.x, all = value;
    START;
    ROUNDS {
        uint4 v, w;
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"((const char *)in + place));
        TIMES(8) {
            asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                         : "r"(at + 512 * i));
            all ^= w.x ^ w.y ^ w.z ^ w.w;
        }
        all ^= v.x ^ v.y ^ v.z ^ v.w;
        place = place + 16 * 1024 & value - 1;
    }
    STOP;
    RESULT = all;
}

// --- atomics and fences --------------------------------------------------------------------------
// Atomics in L2. Neighbouring lanes' words are `value` & 65535 bytes apart, neighbouring warps'
// words `value` >> 16 bytes. With 0, all lanes of the grid share one word. The compiler cannot know
// whether lanes share a word, so it does not add up their operands first.
#define LANE (threadIdx.x & 31)
#define WORDS_OF(SPACE) \
    ((char *)SPACE + LANE * (value & 65535) + (size_t)(THREAD / 32) * (value >> 16))
#define ATOMICS(NAME, ATOMIC) \
    KERNEL(NAME, 1024) { \
        char *at = WORDS_OF(out); \
        unsigned all = value; \
        START; \
        ROUNDS TIMES(16) { \
            unsigned old = 0; \
            ATOMIC; \
            all ^= old; \
        } \
        STOP; \
        RESULT = all; \
    }
ATOMICS(red, asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(threadIdx.x)))
ATOMICS(red_float, asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(1.0f)))
ATOMICS(atom, asm volatile("atom.global.add.u32 %0, [%1], %2;"
                           : "=r"(old)
                           : "l"(at), "r"(threadIdx.x)))
ATOMICS(cas, asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                          : "=r"(old)
                          : "l"(at), "r"(i), "r"(threadIdx.x)))

// Atomics in shared memory. The words of neighbouring lanes are `value` bytes apart.
KERNEL(atoms, 1024) {
    __shared__ unsigned words[1024];
    words[threadIdx.x] = value;
    const unsigned at = ADDRESS_OF(words) + LANE * value;
    unsigned all = value;
    START;
    ROUNDS TIMES(16) {
        unsigned old;
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(at), "r"(threadIdx.x));
        all ^= old;
    }
    STOP;
    RESULT = all;
}

// A chain of atomics: each needs the result of the previous one. `value` >> 16 lanes take part.
// Their words are `value` & 65535 bytes apart.
#define ATOMIC_CHAIN(NAME, ATOMIC) \
    KERNEL(NAME, 1024) { \
        char *at = (char *)out + LANE * (value & 65535); \
        unsigned x = value; \
        START; \
        if (threadIdx.x < value >> 16) ROUNDS TIMES(16) ATOMIC; \
        STOP; \
        RESULT = x; \
    }
ATOMIC_CHAIN(latency_atom, asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(at)))
ATOMIC_CHAIN(latency_cas, asm volatile("atom.global.cas.b32 %0, [%1], %0, %0;" : "+r"(x) : "l"(at)))

// A fence waits until the warp's earlier stores are visible to all SMs. Only latency_stored stores.
#define FENCES(NAME, STATEMENT) \
    KERNEL(NAME, 1024) { \
        unsigned *at = (unsigned *)out + threadIdx.x; \
        START; \
        ROUNDS TIMES(16) STATEMENT; \
        STOP; \
        RESULT = value + *at; \
    }
FENCES(latency_fence, asm volatile("membar.gl;" ::: "memory"))
FENCES(latency_stored, asm volatile("st.global.u32 [%0], %1; membar.gl;" ::"l"(at), "r"(value + i)
                                    : "memory"))

// --- tensor cores: mma.sync of one warp ----------------------------------------------------------
// 32 MMAs c = A * B + c per round. They use COUNT accumulators in rotation.
#define PRODUCTS(NAME, COUNT, TYPE, OPERANDS, PRODUCT) \
    KERNEL(NAME, 512) { \
        OPERANDS; \
        TYPE chain[COUNT][4]; \
        for (int k = 0; k < 4 * COUNT; k++) chain[k / 4][k % 4] = (TYPE)k; \
        START; \
        ROUNDS TIMES(32) { \
            TYPE *const c = chain[i % COUNT]; \
            PRODUCT; \
        } \
        STOP; \
        TYPE sum = 0; \
        for (int k = 0; k < 4 * COUNT; k++) sum += chain[k / 4][k % 4]; \
        RESULT = (unsigned)sum; \
    }
#define OF_BITS   const unsigned a = 0x3c003c00 + value + LANE
#define OF_DOUBLE const double a = 1e-3 * (value + LANE)
// MMA_4 reads A from 4 registers and B from 2. MMA_2 reads A from 2 registers and B from 1.
#define MMA_4(SHAPE, C) \
    asm volatile("mma.sync.aligned." SHAPE \
                 " {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};" \
                 : "+" C(c[0]), "+" C(c[1]), "+" C(c[2]), "+" C(c[3]) \
                 : "r"(a))
#define MMA_2(SHAPE, C) \
    asm volatile("mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};" \
                 : "+" C(c[0]), "+" C(c[1]), "+" C(c[2]), "+" C(c[3]) \
                 : "r"(a))
#define BOTH(NAME, TYPE, OPERANDS, PRODUCT) \
    PRODUCTS(latency_##NAME, 1, TYPE, OPERANDS, PRODUCT) \
    PRODUCTS(NAME, 4, TYPE, OPERANDS, PRODUCT)
#if __CUDA_ARCH__ >= 750
BOTH(mma_half_8, float, OF_BITS, MMA_2("m16n8k8.row.col.f32.f16.f16.f32", "f"))
#endif
#if __CUDA_ARCH__ >= 800
BOTH(mma_half_16, float, OF_BITS, MMA_4("m16n8k16.row.col.f32.f16.f16.f32", "f"))
BOTH(mma_tf32_4, float, OF_BITS, MMA_2("m16n8k4.row.col.f32.tf32.tf32.f32", "f"))
BOTH(mma_tf32_8, float, OF_BITS, MMA_4("m16n8k8.row.col.f32.tf32.tf32.f32", "f"))
BOTH(mma_byte_32, int, OF_BITS, MMA_4("m16n8k32.row.col.s32.s8.s8.s32", "r"))
BOTH(mma_double_4, double, OF_DOUBLE,
     asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
                  : "+d"(c[0]), "+d"(c[1])
                  : "d"(a)))
#endif
#if __CUDA_ARCH__ >= 900
BOTH(mma_double_16, double, OF_DOUBLE,
     asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, "
                  "%4, %4, %4, %4, %4, %4}, "
                  "{%4, %4, %4, %4}, {%0, %1, %2, %3};"
                  : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                  : "d"(a)))
#endif

// --- instruction fetch ---------------------------------------------------------------------------
// A loop with COUNT FFMAs, each of which has 16 bytes of code.
#define CODE(NAME, COUNT) \
    KERNEL(NAME, 1024) { \
        const int count = 8; \
        float chain[count]; \
        for (int k = 0; k < count; k++) chain[k] = FLOAT_OF(value + 77 * k + threadIdx.x); \
        START; \
        ROUNDS TIMES(COUNT) asm volatile("fma.rn.f32 %0, %0, 0f3F7FBE77, 0f3F000000;" : "+f"(X)); \
        STOP; \
        unsigned all = 0; \
        for (int k = 0; k < count; k++) all ^= __float_as_uint(chain[k]); \
        RESULT = all; \
    }
CODE(loop_8, 8)
CODE(loop_16, 16)
CODE(code_16, 1024)
CODE(code_32, 2048)
CODE(code_64, 4096)
CODE(code_128, 8192)

// --- the schedulers' choice of a warp ------------------------------------------------------------
// 512 FFMAs per round. cycles[] gets the cycles until warp `value` has executed all its FFMAs.
KERNEL(choice, 1024) {
    const int count = 8;
    float chain[count];
    for (int k = 0; k < count; k++) chain[k] = FLOAT_OF(77 * k + threadIdx.x);
    START;
    ROUNDS TIMES(512) asm volatile("fma.rn.f32 %0, %0, 0f3F7FBE77, 0f3F000000;" : "+f"(X));
    const long long took = clock64() - start;
    STOP;
    if (threadIdx.x == 32 * value) cycles[blockIdx.x] = took;
    unsigned all = 0;
    for (int k = 0; k < count; k++) all ^= __float_as_uint(chain[k]);
    RESULT = all;
}

// --- launches ------------------------------------------------------------------------------------
KERNEL(nothing, 1024) {
    if (rounds < 0) RESULT = value;
}

// Measures the cycles from the end of a block until the next block on its SM starts its first warp
// (turnover_first) or its last warp (turnover_last). An SM's shared memory has room for only one
// block. Each block stores the time of its end for the next block.
#define TURNOVER(NAME, THREAD_OF_WARP) \
    KERNEL(NAME, 1024) { \
        const long long start = clock64(); \
        unsigned sm; \
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); \
        volatile long long *ended = (long long *)out + sm; \
        if (threadIdx.x == THREAD_OF_WARP) cycles[blockIdx.x] = start - *ended; \
        __syncthreads(); \
        if (threadIdx.x == 0) *ended = clock64(); \
    }
TURNOVER(turnover_first, 0)
TURNOVER(turnover_last, blockDim.x - 1)
