// Small kernels whose faults the checks once missed: accesses past an array's end, which the
// compiler drops, and an arrival at an mbarrier by one lane only. `run:`, `says:`: see ../list.awk.
#include <cuda/barrier>

// Each thread computes eight sums, but `sum` has two elements.
// run: --grid 4 --block 32 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:random:2 --arg f32[1024]:nan
// says: warning unwritten-output gaps-in-output @ -
extern "C" __global__ void case_small_accumulator(int n, const float *a, const float *b, float *c) {
    float sum[2] = {0};
    int x = threadIdx.x, y0 = blockIdx.x * 8;
    for (int k = 0; k < n; k++) {
        float v = b[k * n + x];
        for (int r = 0; r < 8; r++) sum[r] += a[(y0 + r) * n + k] * v;
    }
    for (int r = 0; r < 8; r++) c[(y0 + r) * n + x] = sum[r];
}

__device__ unsigned addr(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
// All lanes of the warp store, but only lane 0 arrives at the mbarrier.
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[128]:zero
// says: race one-lane-arrives @ out[t] = buf[t - 32] + buf[t];
extern "C" __global__ void case_one_arrives(const float *in, float *out) {
    __shared__ float buf[128];
    __shared__ __align__(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(addr(&bar)));
    __syncthreads();
    if (t < 32) {
        for (int i = t; i < 128; i += 32) buf[i] = in[i];
        if (t == 0) asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(addr(&bar)) : "memory");
    } else {
        unsigned done = 0;
        while (!done)
            asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done)
                         : "r"(addr(&bar))
                         : "memory");
        out[t] = buf[t - 32] + buf[t];
    }
}

// Only one lane, which elect.sync chooses, arrives at the mbarrier.
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[128]:zero
// says: race one-lane-arrives @ out[t] = buf[t - 32] + buf[t];
extern "C" __global__ void case_one_is_elected(const float *in, float *out) {
    __shared__ float buf[128];
    __shared__ __align__(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(addr(&bar)));
    __syncthreads();
    if (t < 32) {
        for (int i = t; i < 128; i += 32) buf[i] = in[i];
        asm volatile(
            "{.reg .b64 s; .reg .pred e; elect.sync _|e, 0xffffffff; @e mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(
                addr(&bar))
            : "memory");
    } else {
        unsigned done = 0;
        while (!done)
            asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done)
                         : "r"(addr(&bar))
                         : "memory");
        out[t] = buf[t - 32] + buf[t];
    }
}
