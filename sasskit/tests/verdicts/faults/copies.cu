// Asynchronous copies that no thread, or not every thread, waits for.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#pragma nv_diag_suppress static_var_with_dynamic_init // init() constructs the shared barriers

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = s[threadIdx.x];
extern "C" __global__ void copy_never_waited_for(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race missing-barrier @ __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
extern "C" __global__ void copy_without_barrier(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[128]:random:1 --arg f32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = s[1][63 - threadIdx.x];
extern "C" __global__ void copy_one_group_too_few(const float *in, float *out) {
    __shared__ float s[2][64];
    for (int t = 0; t < 2; t++) {
        __pipeline_memcpy_async(&s[t][threadIdx.x], &in[t * 64 + threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = s[1][63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = s[threadIdx.x];
extern "C" __global__ void copy_not_committed(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race copy-not-waited @ s[threadIdx.x] = 0;
extern "C" __global__ void copy_overwritten(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    s[threadIdx.x] = 0;
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// Each warp has its own stage, but its lanes do not synchronise between their reads and the next
// copies.
// run: --grid 1 --block 32 --arg f32[64]:random:1 --arg f32[32]:zero
// says: race missing-syncwarp @ __pipeline_memcpy_async(&s[threadIdx.x], &in[t * 32 + threadIdx.x], 4);
extern "C" __global__ void copy_over_what_lanes_read(const float *in, float *out) {
    __shared__ float s[32];
    float sum = 0;
    for (int t = 0; t < 2; t++) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[t * 32 + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
        sum += s[31 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg i32:1 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = from[threadIdx.x];
extern "C" __global__ void copy_read_by_generic_pointer(int which, const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    const float *from = which ? s : in;
    out[threadIdx.x] = from[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[512]:random:1 --arg f32[64]:zero
// says: race missing-barrier @ __pipeline_memcpy_async(&s[threadIdx.x], &in[t * 64 + threadIdx.x], 4);
extern "C" __global__ void copy_into_what_others_read(const float *in, float *out) {
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < 8; t++) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[t * 64 + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg f32[63]:random:1 --arg f32[64]:zero
// says: address guard-missing @ __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
extern "C" __global__ void copy_beyond_the_source(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}

// run: --grid 1 --block 32 --arg f16[1024]:random:1 --arg f16[1024]:random:2 --arg f32[256]:zero
// says: race copy-not-waited @ asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
extern "C" __global__ void copy_mma_one_group_too_few(const unsigned short *a, const unsigned short *b, float *c) {
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
        __pipeline_wait_prior(3);
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

// run: --grid 1 --block 32 --arg f16[1024]:random:1 --arg f16[1024]:random:2 --arg f32[256]:zero
// says: race missing-syncwarp @ asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
extern "C" __global__ void copy_mma_no_syncwarp(const unsigned short *a, const unsigned short *b, float *c) {
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

// The copies arrive at an mbarrier, but no thread waits for it before the read.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race mbarrier-not-waited @ out[threadIdx.x] = s[threadIdx.x];
extern "C" __global__ void copy_arrives_unwaited(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(float), bar);
    auto token = bar.arrive();
    out[threadIdx.x] = s[threadIdx.x];
    bar.wait(std::move(token));
}

// run: --grid 1 --block 64 --arg f32[256]:random:1 --arg f32[64]:zero
// says: race mbarrier-not-waited @ sum += s[t % 2][threadIdx.x];
extern "C" __global__ void copy_arrives_without_count(const float *in, float *out) {
    __shared__ float s[2][64];
    __shared__ unsigned long long bars[2];
    const unsigned bar = (unsigned)__cvta_generic_to_shared(bars);
    if (threadIdx.x < 2) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar + threadIdx.x * 8) : "memory");
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < 4; t++) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&s[t % 2][threadIdx.x]), full = bar + t % 2 * 8;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t * 64 + threadIdx.x) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(full) : "memory");
        __syncthreads();
        sum += s[t % 2][threadIdx.x];
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over)
                         : "r"(full), "r"(t / 2 % 2)
                         : "memory");
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
