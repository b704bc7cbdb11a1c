// Kernels that ptxas compiles to working code for this hardware, though no rule guarantees it. Each
// gets a warning. NVIDIA's synccheck also reports those whose threads reach barriers at different
// places (on an H200: docs/results/h200/sanitizer.csv). `run:` is explained in ../list.awk.
#include <cooperative_groups.h>

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: of 13.0: barrier barrier-in-branches @ asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bar.sync 0; }" ::"r"(threadIdx.x & 1) : "memory");
extern "C" __global__ void barrier_half_of_a_warp(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bar.sync 0; }" ::"r"(threadIdx.x & 1) : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[2]:zero
// warns: race looks-before-atomic @ if (v > *(volatile int *)&most) atomicMax(&most, v);
extern "C" __global__ void stranger_look_before_the_maximum(const int *in, int *out) {
    __shared__ int most;
    if (threadIdx.x == 0) most = -2147483647 - 1;
    __syncthreads();
    int v = in[threadIdx.x];
    if (v > *(volatile int *)&most) atomicMax(&most, v);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = most;
}

// A step of a breadth-first search. Whichever thread stores first, the level is the same.
// run: --grid 1 --block 64 --arg i32:1 --arg i32[64]:zero --arg i32[1]:zero
// warns: global-race warps-not-ordered @ if (level[next] == 0) level[next] = depth, *changed = 1;
extern "C" __global__ void search_step(int depth, int *level, int *changed) {
    int next = threadIdx.x % 32;
    if (level[next] == 0) level[next] = depth, *changed = 1;
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: barrier barrier-in-branches @ __syncthreads();
extern "C" __global__ void barrier_two_places(const int *in, int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = s[threadIdx.x + 32];
    } else {
        s[threadIdx.x] = in[threadIdx.x] * 2;
        __syncthreads();
        out[threadIdx.x] = s[threadIdx.x - 32] / 3;
    }
}
// Both calls of block.sync() are inlined from one line of the header.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: barrier barrier-in-branches @ block.sync();
extern "C" __global__ void barrier_two_places_of_a_group(const int *in, int *out) {
    __shared__ int s[64];
    auto block = cooperative_groups::this_thread_block();
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 32) {
        block.sync();
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        out[threadIdx.x] = s[threadIdx.x] + 1;
        block.sync();
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: barrier barrier-in-branches @ __syncthreads();
extern "C" __global__ void stranger_producer_and_consumer(const int *in, int *out) {
    __shared__ int s[2][32];
    if (threadIdx.x < 32) {
        for (int k = 0; k < 4; k++) {
            s[k & 1][threadIdx.x] = in[threadIdx.x] + k;
            __syncthreads();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < 4; k++) {
            __syncthreads();
            sum += s[k & 1][threadIdx.x - 32];
        }
        out[threadIdx.x - 32] = sum;
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: barrier barrier-in-branches @ __syncthreads();
extern "C" __global__ void stranger_odd_and_even_lanes(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    if (t & 1) { // loops in both branches keep compilers from using predicates
#pragma unroll 1
        for (int k = 0; k < 3; k++) {
            s[t] = in[t] + k;
            __syncthreads();
            sum += s[t - 1];
            __syncthreads();
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < 3; k++) {
            s[t] = in[t] - k;
            __syncthreads();
            sum += s[t + 1] * 3;
            __syncthreads();
        }
    }
    out[t] = sum;
}
