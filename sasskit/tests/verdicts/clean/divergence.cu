// Correct kernels whose lanes diverge. `run:` is explained in ../list.awk.
#include <cooperative_groups.h>

// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg f32[256]:random:2 --arg f32[256]:zero
extern "C" __global__ void divergence_both_sides_load(const float *a, const float *b, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    float v;
    if (a[i] > 0) {
        v = b[i] + a[i ^ 1];
        for (int k = 0; k < (i & 7); k++) v += b[(i + k) & 127] * a[k];
    } else {
        v = a[i ^ 2] - b[i ^ 3];
        for (int k = 0; k < (i & 3); k++) v -= a[(i + k) & 127] / b[k];
    }
    out[i] = v;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_switch(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int v = in[i];
    switch (v & 7) {
    case 0:
        v = in[i ^ 1];
        break;
    case 1:
        v += in[i ^ 2]; // falls through
    case 2:
        v ^= in[i ^ 4];
        break;
    case 3:
        for (int k = 0; k < (v & 15); k++) v += in[k];
        break;
    case 4:
        return;
    case 5:
        v /= (in[i ^ 8] | 1);
        break;
    default:
        v = ~v;
    }
    out[i] = v;
}
// A jump table (BRX): the sums are right only if every lane jumps to its own case.
// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg i32:20
extern "C" __global__ void divergence_jump_table(float *a, int n) {
    const int i = blockIdx.x * 64 + threadIdx.x, c = threadIdx.x & 7;
    float v = a[i];
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (c == 0)
            v = v * 1.1f + 1, sum += 1;
        else if (c == 1)
            v = sqrtf(v * v + 2), sum += 2;
        else if (c == 2)
            v = v * v - 1, sum += 3;
        else if (c == 3)
            v = sinf(v), sum += 4;
        else
            v = v / 3.0f + (float)k, sum += 5;
    }
    if (sum != n * (c < 4 ? c + 1 : 5)) __trap();
    a[i] = v;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_loop_with_breaks(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 64; k++) {
        const int v = in[(i + k) & 127];
        if (v % 5 == 0) continue;
        if (v % 17 == 0) break;
        if (v % 23 == 0) {
            sum = -sum;
            if (sum > 1000) goto out_of_it;
        }
        sum += v & 31;
    }
    sum *= 2;
out_of_it:
    out[i] = sum;
}
__device__ __noinline__ int power(int x, int n) {
    return n == 0 ? 1 : x * power(x, n - 1);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_recursion(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = power(in[i], i & 7);
}
__device__ __noinline__ int twice(int x) {
    return 2 * x;
}
__device__ __noinline__ int square(int x) {
    return x * x;
}
__device__ __noinline__ int negative(int x) {
    return -x;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_function_pointers(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int (*f)(int) = i % 3 == 0 ? twice : i % 3 == 1 ? square : negative;
    out[i] = f(in[i]);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_nested(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int v = in[i];
    if (i & 1) {
        if (i & 2) {
            if (i & 4)
                v += in[i ^ 1];
            else
                v -= in[i ^ 2];
        } else
            v *= in[i ^ 3];
        v ^= in[i ^ 8];
    } else if (i & 16) {
        do {
            v += in[v & 127];
        } while ((v & 3) && v < 100000);
    }
    out[i] = v;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_collatz(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    unsigned n = ((unsigned)in[i] & 1023) + 1;
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[i] = steps;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_sync_of_half_a_warp(const int *in, int *out) {
    __shared__ int s[64];
    const int lane = threadIdx.x & 31;
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    int v = 0;
    if (lane < 16) {
        v = s[threadIdx.x ^ 1];
        __syncwarp(0x0000ffff);
        s[threadIdx.x] = v + 1;
        __syncwarp(0x0000ffff);
        v = s[threadIdx.x ^ 3];
    } else {
        v = __shfl_xor_sync(0xffff0000, in[threadIdx.x], 4);
    }
    out[blockIdx.x * 64 + threadIdx.x] = v;
}
// run: --grid 3 --block 50 --arg i32:100 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_early_return(int n, const int *in, int *out) {
    const int i = blockIdx.x * 50 + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    if (v < 0) {
        out[i] = 0;
        return;
    }
    out[i] = v % 10;
}
// run: --grid 1 --block 48 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void divergence_half_empty_warp(const int *in, int *out) {
    __shared__ int s[48];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    int v = s[threadIdx.x ^ 1];
    __syncthreads();
    v += s[47 - threadIdx.x];
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void divergence_loads_in_flight(const float *in, float *out) {
    // Both sides of the branch load into the same registers. The side that runs first waits for its
    // load only after the other side has started its own.
    const int i = threadIdx.x;
    float v = 0;
    if (i & 1) {
        const float a = in[i], b = in[i + 64];
        if (a > 0.5f)
            v = b * in[i + 128];
        else
            v = a - b;
    } else {
        const float a = in[i + 1], b = in[i + 65];
        if (a < 0.5f)
            v = b + in[i + 129];
        else
            v = a * b;
    }
    out[i] = v;
}
// Two loads into one register under opposite guards, so that each lane runs one of them. A lane has
// to wait for its own load only.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void divergence_guarded_loads(const int *in, int *out) {
    __shared__ int s[2];
    __shared__ volatile int t[64];
    if (threadIdx.x < 2) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const bool first = threadIdx.x % 32 == 0;
    const int v = first ? in[threadIdx.x] : s[threadIdx.x / 32];
    if (first) t[threadIdx.x] = v;
    out[threadIdx.x] = v;
}

// Each half of a warp synchronises by itself.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void divergence_halves_of_a_warp(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    if (lane < 16) {
        s[t] = in[t];
        __syncwarp(0xffff);
        out[t] = s[t ^ 15] + 1;
    } else {
        s[t] = in[t] * 2;
        __syncwarp(0xffff0000);
        out[t] = s[t ^ 15] - 1;
    }
}
// The halves of the warp synchronise separately, then lanes 0 and 16 with each other, then the
// halves again. This orders each half's reads after the other half's writes.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void halves_meet_by_one_lane(const int *in, int *out) {
    __shared__ int s[32];
    const int lane = threadIdx.x;
    const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    s[lane] = in[lane];
    __syncwarp(half);
    int v = s[lane ^ 15];
    if (lane % 16 == 0) __syncwarp(0x00010001u);
    __syncwarp(half);
    v += s[31 - lane];
    __syncwarp();
    s[lane ^ 16] = v;
    __syncwarp(half);
    out[lane] = v;
}
// Tiles of 4, then 8, then 16 lanes. Each tile uses only its own words.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void tiles_of_three_sizes(const int *in, int *out) {
    __shared__ int s[64];
    namespace cg = cooperative_groups;
    const auto block = cg::this_thread_block();
    const auto four = cg::tiled_partition<4>(block);
    const auto eight = cg::tiled_partition<8>(block);
    const auto sixteen = cg::tiled_partition<16>(block);
    const int t = threadIdx.x;
    s[t] = in[t];
    four.sync();
    int v = s[t ^ 3];
    four.sync();
    s[t] = v;
    eight.sync();
    v += s[t ^ 4];
    eight.sync();
    s[t] = v;
    sixteen.sync();
    v += s[t ^ 8] + sixteen.shfl_xor(v, 8);
    out[t] = v;
}

#if __CUDA_ARCH__ >= 800
// Before sm_90, test_wait compiles to a load of the mbarrier's word, which a loop polls.
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[128]:nan
extern "C" __global__ void divergence_mbarrier_of_words(const float *in, float *out) {
    __shared__ float s[128];
    __shared__ __align__(8) unsigned long long full;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&full);
    int t = threadIdx.x;
    unsigned done = 0;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(at));
    __syncthreads();
    s[t] = in[t];
    __syncwarp();
    if (t % 32 == 0) asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
    out[t] = s[127 - t];
}
#endif
