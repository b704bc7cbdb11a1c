// Correct uses of tensor cores, mbarriers, the copy engine and clusters. `run:`: see ../list.awk.
#include "../mbarrier.h"
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
// init() constructs the shared barriers.
#pragma nv_diag_suppress static_var_with_dynamic_init

// A wgmma on shared memory without a swizzle. Every sum is 16.
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
// cuda::barrier, libcu++'s barrier, orders three rounds.
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
// One warp's MMAs. cp.async fetches tiles two stages ahead, and ldmatrix loads them.
// run: --grid 1 --block 32 --arg f16[1024]:random:1 --arg f16[1024]:random:2 --arg f32[256]:zero
extern "C" __global__ void mma_of_three_stages(const unsigned short *a, const unsigned short *b, float *c) {
    __shared__ __align__(128) unsigned short sa[3][16][16], sb[3][8][16];
    int lane = threadIdx.x;
    float d[4] = {};
    auto fetch = [&](int k) {
        __pipeline_memcpy_async(&sa[k % 3][lane / 2][(lane % 2 ^ (lane / 8 & 1)) * 8],
                                a + (lane / 2) * 64 + k * 16 + lane % 2 * 8, 16);
        if (lane < 16)
            __pipeline_memcpy_async(&sb[k % 3][lane / 2][lane % 2 * 8], b + (lane / 2) * 64 + k * 16 + lane % 2 * 8,
                                    16);
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    for (int k = 0; k < 4; k++) {
        if (k + 2 < 4)
            fetch(k + 2);
        else
            __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncwarp();
        unsigned ra[4], rb[2];
        int row = lane % 16, half = lane / 16;
        unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[k % 3][row][(half ^ (row / 4 & 1)) * 8]);
        unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[k % 3][lane % 8][(lane / 8 & 1) * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; i++) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}
// Integer MMAs with K = 16 and K = 32, repeated n times and compared with sums computed here. A has
// 16 rows of 32 bytes, and B has 8 columns of 32 bytes.
// run: --grid 1 --block 32 --arg u32[128]:random:1 --arg u32[64]:random:2 --arg i32[128]:zero --arg i32:5
extern "C" __global__ void integer_products(unsigned *in_a, const unsigned *in_b, int *out, int n) {
    unsigned a[4], b[2];
    int lane = threadIdx.x, small[4] = {}, large[4] = {}, sums[8] = {};
    for (int i = 0; i < 4; i++) a[i] = in_a[(lane / 4 + i % 2 * 8) * 8 + lane % 4 + i / 2 * 4];
    for (int i = 0; i < 2; i++) b[i] = in_b[lane / 4 * 8 + lane % 4 + i * 4];
    for (int k = 0; k < n; k++) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : "+r"(small[0]), "+r"(small[1]), "+r"(small[2]), "+r"(small[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]));
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+r"(large[0]), "+r"(large[1]), "+r"(large[2]), "+r"(large[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        const unsigned char *as = (const unsigned char *)in_a + row * 32;
        const signed char *bs = (const signed char *)in_b + column * 32;
        for (int k = 0; k < 32; k++) sums[i] += as[k] * bs[k];
        for (int k = 0; k < 16; k++) sums[i + 4] += (signed char)as[k] * bs[k];
        if (large[i] != n * sums[i] || small[i] != n * sums[i + 4]) __trap();
        out[lane * 4 + i] = small[i] + large[i];
    }
}

// wgmma with A in registers, which change between wgmmas. Sums computed here check the result.
// run: --grid 1 --block 128 --arg f16[1024]:random:1 --arg f32[512]:zero
extern "C" __global__ void factors_in_registers(const __half *in, float *out) {
    __shared__ __align__(1024) __half s[1024];
    unsigned a[4];
    float d[4] = {};
    for (int i = threadIdx.x; i < 1024; i += 128) s[i] = in[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 4; i++) a[i] = ((const unsigned *)in)[threadIdx.x * 4 + i];
    unsigned long long b = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    for (int k = 0; k < 4; k++) {
        asm volatile(
            "wgmma.fence.sync.aligned;\n"
            "{.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1, "
            "0;}\n"
            "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(k % 2));
        for (int i = 0; i < 4 && k % 2 == 0; i++) a[i] ^= 0x80008000u * (k == 0);
    }
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        float sum = 0;
        for (int k = 0; k < 16; k++) {
            int register_of = row / 8 + k / 8 * 2, other = warp * 32 + row % 8 * 4 + k % 8 / 2;
            sum -= __half2float(in[(other * 4 + register_of) * 2 + k % 2]) *
                   __half2float(in[k / 8 * 64 + column * 8 + k % 8]);
        }
        if (fabsf(2 * sum - d[i]) > 1e-2f) __trap();
        out[threadIdx.x * 4 + i] = d[i];
    }
}

// FP16 sums by mma and by wgmma. The values are small integers, so every sum is exact.
// run: --grid 1 --block 128 --arg f32[512]:zero
extern "C" __global__ void half_sums(float *out) {
    __shared__ __align__(1024) __half s[64 * 16];
    unsigned lane = threadIdx.x % 32, a[4], b[2], small[2] = {}, deep[2] = {}, wide[2] = {};
    for (int i = threadIdx.x; i < 64 * 16; i += 128) { // core matrices of 8 rows x 8 columns (k)
        int row = i / 128 * 8 + i % 64 / 8, k = i / 64 % 2 * 8 + i % 8;
        s[i] = __float2half((row * 3 + k * 5) % 7 - 3);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    auto pair = [&](int row, int k) {
        __half2 h = __floats2half2_rn((row * 3 + k * 5) % 7 - 3, (row * 3 + k * 5 + 5) % 7 - 3);
        return *(unsigned *)&h;
    };
    int row = lane / 4, k = lane % 4 * 2;
    for (int i = 0; i < 4; i++) a[i] = pair(threadIdx.x / 32 * 16 + row + i % 2 * 8, k + i / 2 * 8);
    for (int i = 0; i < 2; i++) b[i] = pair(row, k + i * 8);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(deep[0]), "+r"(deep[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 2; i++)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                     : "+r"(small[0]), "+r"(small[1])
                     : "r"(a[2 * i]), "r"(a[2 * i + 1]), "r"(b[i]));
    unsigned long long at_s = 16ull << 32 | 8ull << 16 | (at(s) & 0x3ffff) / 16;
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %2, 0, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+r"(wide[0]), "+r"(wide[1])
                 : "l"(at_s));
    for (int i = 0; i < 4; i++) {
        int r = threadIdx.x / 32 * 16 + row + i / 2 * 8, c = k + i % 2, sum = 0;
        for (int j = 0; j < 16; j++) sum += ((r * 3 + j * 5) % 7 - 3) * ((c * 3 + j * 5) % 7 - 3);
        for (unsigned d : {small[i / 2], deep[i / 2], wide[i / 2]})
            if (__half2float(__ushort_as_half(d >> i % 2 * 16 & 0xffff)) != sum) __trap();
        out[threadIdx.x * 4 + i] = sum;
    }
}

// A matrix of 16-bit values, transposed in registers by movmatrix. For some results nvcc waits only
// on the scoreboard of a later shuffle or movmatrix.
// run: --grid 1 --block 32 --arg i32[32]:zero
extern "C" __global__ void transposed_in_registers(unsigned *out) {
    unsigned t = threadIdx.x, row = t / 4, column = t % 4 * 2, d[4];
    for (int i = 0; i < 4; i++) {
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                     : "=r"(d[i])
                     : "r"((row * 8 + column + 1 + i) << 16 | (row * 8 + column + i)));
        if (i == 1) d[1] ^= __shfl_xor_sync(~0u, t, 3) ^ t ^ 3;
    }
    for (int i = 0; i < 4; i++)
        if (d[i] != (((column + 1) * 8 + row + i) << 16 | (column * 8 + row + i))) __trap();
    out[t] = d[0] ^ d[1] ^ d[2] ^ d[3];
}
