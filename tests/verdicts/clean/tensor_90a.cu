// Tensor cores, mbarriers, the copy engine and clusters, used as they should be.
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init // a barrier in shared memory starts with init()

static __device__ unsigned at(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

// A product without a swizzle, from shared memory; every sum is 16.
// run: --grid 1 --block 128 --arg f32[128]:zero
extern "C" __global__ void four_warps_multiply(float *out) {
    __shared__ __align__(1024) unsigned short s[64 * 16];
    float d[4] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 128) s[i] = 0x3c00;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long a = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, 0, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a));
    if (d[0] != 16 || d[1] != 16 || d[2] != 16 || d[3] != 16) __trap();
    out[threadIdx.x] = d[0];
}
// Two blocks exchange a value through each other's shared memory.
// run: --grid 4 --block 64 --arg i32[256]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void neighbours(int *out) {
    __shared__ int s[64];
    unsigned rank, there;
    int value;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    s[threadIdx.x] = blockIdx.x;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&s[threadIdx.x])), "r"(rank ^ 1));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(there));
    if (value != (blockIdx.x ^ 1)) __trap();
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] = value;
}
// libcu++'s barrier.
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ void cuda_barrier(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[128];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round;
        bar.arrive_and_wait();
        out[threadIdx.x] = s[127 - threadIdx.x];
        bar.arrive_and_wait();
    }
}
