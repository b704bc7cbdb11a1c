// Atomics of 16 to 64 bits: on shared and global memory by specific and generic addresses, on
// local memory by generic ones. Each runs 32 times, and the result is checked. See ../list.awk.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define CHECK(x) \
    if (!(x)) __trap()

// Runs `one` for t = 0 to 31 on a word set to `start`. `after` must hold for its final value, v.
#define ALL(type, start, one, after) \
    { \
        type *p = reinterpret_cast<type *>(word); \
        if (t == 0 || own) *p = start; \
        __syncthreads(); \
        if (!own || t == 5) { \
            _Pragma("unroll 1") for (int k = 0; k < (own ? 32 : 1); k++) { \
                int t = own ? k : threadIdx.x; \
                (void)t; \
                one; \
            } \
        } \
        __syncthreads(); \
        if (t == 5) { \
            type v = *p; \
            CHECK(after); \
        } \
        __syncthreads(); \
    }

template <typename T> __device__ void integers(void *word, bool own) {
    int t = threadIdx.x;
    const T big = (T)1 << (8 * sizeof(T) - 2);
    ALL(T, big, atomicAdd(p, (T)t), v == big + 496)
    ALL(T, 7, atomicMin(p, big + t - 16), v == 7)
    ALL(T, big + 99, atomicMin(p, big + t), v == big)
    ALL(T, 7, atomicMax(p, big + t), v == big + 31)
    ALL(T, ~(T)0, atomicAnd(p, ~((T)1 << t)), v == (T)(~(T)0 - (T)0xffffffffu))
    ALL(T, 0, atomicOr(p, (T)1 << (t + 8 * sizeof(T) - 32)), v == (T)((T)0xffffffffu << (8 * sizeof(T) - 32)))
    ALL(T, big, atomicXor(p, (T)1 << t), v == (T)(big ^ (T)0xffffffffu))
    ALL(T, 99, atomicExch(p, big + t), v >= big && v < big + 32)
    ALL(T, 3, atomicCAS(p, (T)3, big + t), v >= big && v < big + 32)
    ALL(
        T, 0,
        {
            T old = 0;
            T seen;
            while ((seen = atomicCAS(p, old, old + big / 8 + 1)) != old) old = seen;
        },
        v == (T)(big / 8 * 32 + 32))
}
__device__ void others(void *word, bool own) {
    int t = threadIdx.x;
    integers<unsigned>(word, own);
    integers<u64>(word, own);
    ALL(int, 7, atomicMin(p, t - 16), v == -16)
    ALL(int, -99, atomicMax(p, t - 40), v == -9)
    ALL(int, 5, atomicSub(p, t), v == 5 - 496)
    ALL(long long, 7, atomicMin(p, (long long)t - 16), v == -16)
    ALL(long long, -(1ll << 40), atomicMax(p, (long long)t - 40), v == -9)
    ALL(unsigned, 0, atomicInc(p, 10u), v == 32 % 11)
    ALL(unsigned, 3, atomicDec(p, 10u), v == 4)
    ALL(float, 0.5f, atomicAdd(p, (float)t), v == 496.5f)
    ALL(float, 0.5f, atomicExch(p, 2.0f + t), v >= 2)
    ALL(double, 0.5, atomicAdd(p, (double)t), v == 496.5)
    if (!own) { // in local memory, ptxas 13.0 wrongly adds these pairs as integers
        ALL(__half2, __float2half2_rn(1), atomicAdd(p, __floats2half2_rn(1, 2)),
            __low2float(v) == 33 && __high2float(v) == 65)
        ALL(__nv_bfloat162, __float2bfloat162_rn(1), atomicAdd(p, __floats2bfloat162_rn(1, 2)),
            __low2float(v) == 33 && __high2float(v) == 65)
    }
    ALL(__half, __float2half(1), atomicAdd(p, __float2half(2)), __half2float(v) == 65)
    ALL(__nv_bfloat16, __float2bfloat16(1), atomicAdd(p, __float2bfloat16(2)), __bfloat162float(v) == 65)
    ALL(unsigned short, 3, atomicCAS(p, (unsigned short)3, (unsigned short)(t + 40)), v >= 40)
}

// run: --grid 1 --block 32 --arg u64[4]:zero
extern "C" __global__ void atomics_shared(u64 *out) {
    __shared__ u64 word[2];
    if (threadIdx.x == 0) word[1] = 0;
    others(word, false);
    out[2] = word[0];
}
// run: --grid 1 --block 32 --arg u64[4]:zero
extern "C" __global__ void atomics_global(u64 *out) {
    others(out, false);
}
// run: --grid 1 --block 32 --arg i32:0 --arg u64[4]:zero
extern "C" __global__ void atomics_generic_shared(int which, u64 *out) {
    __shared__ u64 word[2];
    if (threadIdx.x == 0) word[1] = 0;
    others(which ? out : word, false);
}
// run: --grid 1 --block 32 --arg i32:1 --arg u64[4]:zero
extern "C" __global__ void atomics_generic_global(int which, u64 *out) {
    __shared__ u64 word[2];
    if (threadIdx.x == 0) word[1] = 0;
    others(which ? out : word, false);
}
// run: --grid 1 --block 32 --arg i32:0 --arg u64[34]:zero
extern "C" __global__ void atomics_generic_local(int which, u64 *out) {
    u64 word[2] = {0, 0};
    others(which ? out : word, true);
    out[2 + threadIdx.x] = word[0];
}
