// Wrong uses of wgmma. `run:` and `says:` are explained in ../list.awk.
static __device__ unsigned at(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ void product(float d[4], unsigned long long a, unsigned long long b) {
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
}

// run: --grid 1 --block 128 --arg f32[128]:zero
// says: address descriptor @ : "l"(a), "l"(b));
extern "C" __global__ void descriptor_outside(float *out) {
    __shared__ __align__(1024) unsigned short s[64 * 16];
    float d[4] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 128) s[i] = 0x3c00;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long a =
        // 256 bytes to the next 8 rows, 128 bytes to the next 8 columns (k)
        16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    product(d, a, a | 0x3f00);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// run: --grid 1 --block 128 --arg f32[128]:zero
// says: fence missing-fence @ : "l"(a), "l"(b));
extern "C" __global__ void operands_without_fence(float *out) {
    __shared__ __align__(1024) unsigned short s[64 * 16];
    float d[4] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 128) s[i] = 0x3c00;
    __syncthreads();
    unsigned long long a = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    product(d, a, a);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// run: --grid 1 --block 128 --arg f32[128]:zero
// says: lane absent-warp @ : "l"(a), "l"(b));
extern "C" __global__ void product_of_three_warps(float *out) {
    __shared__ __align__(1024) unsigned short s[64 * 16];
    float d[4] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 128) s[i] = 0x3c00;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long a = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    if (threadIdx.x < 96) product(d, a, a);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// run: --grid 1 --block 96 --arg f32[128]:zero
// says: lane absent-warp @ : "l"(a), "l"(b));
extern "C" __global__ void product_in_a_block_of_three_warps(float *out) {
    __shared__ __align__(1024) unsigned short s[64 * 16];
    float d[4] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 96) s[i] = 0x3c00;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long a = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    product(d, a, a);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
