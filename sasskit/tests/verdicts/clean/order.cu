// Accesses are no races if partial barriers, mbarriers or bulk groups order them (see ../list.awk).
#pragma nv_diag_suppress static_var_with_dynamic_init
#include "../mbarrier.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>

// run: --grid 2 --block 64 --arg i32[512]:random:1 --arg i32[1024]:zero
extern "C" __global__ void order_full_and_empty(const int *in, int *out) {
    __shared__ int s[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 8; i++) {
            if (i >= 2) {
                if (i & 1)
                    SYNC(4, 64);
                else
                    SYNC(3, 64);
            }
            s[i & 1][lane] = in[i * 32 + lane];
            if (i & 1)
                ARRIVE(2, 64);
            else
                ARRIVE(1, 64);
        }
    } else {
        for (int i = 0; i < 8; i++) {
            if (i & 1)
                SYNC(2, 64);
            else
                SYNC(1, 64);
            out[blockIdx.x * 256 + i * 32 + lane] = s[i & 1][31 - lane];
            if (i < 6) {
                if (i & 1)
                    ARRIVE(4, 64);
                else
                    ARRIVE(3, 64);
            }
        }
    }
}
// run: --grid 2 --block 128 --arg i32[128]:random:1 --arg i32[256]:zero
extern "C" __global__ void order_pairs_of_warps(const int *in, int *out) {
    __shared__ int s[128];
    const int pair = threadIdx.x / 64;
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
    const int got = s[threadIdx.x ^ 63];
    asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
    s[threadIdx.x] = got + 1;
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}
// run: --grid 2 --block 96 --arg i32[96]:random:1 --arg i32[192]:zero
extern "C" __global__ void order_through_a_third_warp(const int *in, int *out) {
    __shared__ int s[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        s[lane] = in[lane];
        ARRIVE(1, 64);
    } else if (warp == 1) {
        SYNC(1, 64);
        ARRIVE(2, 64);
    } else {
        SYNC(2, 64);
        out[blockIdx.x * 96 + threadIdx.x] = s[31 - lane];
    }
}
// run: --grid 2 --block 96 --arg i32[1024]:random:1 --arg i32[1024]:zero
extern "C" __global__ void order_ring_of_mbarriers(const int *in, int *out) {
    __shared__ int s[3][64];
    __shared__ unsigned long long full[3], empty[3];
    if (threadIdx.x == 0)
        for (int i = 0; i < 3; i++) init(&full[i], 32), init(&empty[i], 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            if (k >= 3) wait(&empty[k % 3], (k / 3 - 1) & 1);
            s[k % 3][threadIdx.x] = in[k * 64 + threadIdx.x];
            s[k % 3][threadIdx.x + 32] = in[k * 64 + threadIdx.x + 32];
            arrive(&full[k % 3]);
        }
    } else {
        for (int k = 0; k < 8; k++) {
            wait(&full[k % 3], k / 3 & 1);
            out[blockIdx.x * 512 + k * 64 + threadIdx.x - 32] = s[k % 3][95 - threadIdx.x];
            arrive(&empty[k % 3]);
        }
    }
}
// run: --grid 2 --block 96 --arg i32[512]:random:1 --arg i32[1024]:zero
extern "C" __global__ void order_ring_of_bulk_copies(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) init(&full[i], 1), init(&empty[i], 2);
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8 && threadIdx.x == 0; k++) {
            if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) & 1);
            expect(&full[k % 2], 256);
            copy(s[k % 2], in + k * 64, 256, &full[k % 2]);
        }
    } else {
        for (int k = 0; k < 8; k++) {
            wait(&full[k % 2], k / 2 & 1);
            out[blockIdx.x * 512 + k * 64 + threadIdx.x - 32] = s[k % 2][95 - threadIdx.x];
            __syncwarp();
            if (threadIdx.x % 32 == 0) arrive(&empty[k % 2]);
        }
    }
}
// run: --grid 2 --block 64 --arg i32[512]:random:1 --arg i32[1024]:zero
extern "C" __global__ void order_copies_that_arrive(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) init(&full, 64);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[threadIdx.x])),
                     "l"(in + k * 64 + threadIdx.x)
                     : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
        wait(&full, k & 1);
        out[blockIdx.x * 256 + k * 64 + threadIdx.x] = s[63 - threadIdx.x];
        __syncthreads();
    }
}
// run: --grid 2 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero
extern "C" __global__ void order_cuda_barriers(const int *in, int *out) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier ready[2], filled[2];
    __shared__ int s[2][64];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() < 2) {
        init(ready + block.thread_rank(), 128);
        init(filled + block.thread_rank(), 128);
    }
    block.sync();
    if (threadIdx.x < 64) {
        for (int k = 0; k < 6; k++) {
            ready[k & 1].arrive_and_wait();
            s[k & 1][threadIdx.x] = in[k * 64 + threadIdx.x];
            barrier::arrival_token token = filled[k & 1].arrive();
            (void)token;
        }
    } else {
        barrier::arrival_token t1 = ready[0].arrive(), t2 = ready[1].arrive();
        (void)t1, (void)t2;
        for (int k = 0; k < 6; k++) {
            filled[k & 1].arrive_and_wait();
            out[blockIdx.x * 512 + k * 64 + threadIdx.x - 64] = s[k & 1][127 - threadIdx.x];
            barrier::arrival_token token = ready[k & 1].arrive();
            (void)token;
        }
    }
}
// run: --grid 2 --block 64 --arg f32[512]:random:1 --arg f32[1024]:zero
extern "C" __global__ void order_pipeline_of_stages(const float *in, float *out) {
    auto block = cooperative_groups::this_thread_block();
    constexpr auto scope = cuda::thread_scope_block;
    __shared__ cuda::pipeline_shared_state<scope, 2> state;
    __shared__ float s[2][64];
    auto pipe = cuda::make_pipeline(block, &state);
    for (int k = 0, ahead = 0; k < 8; k++) {
        for (; ahead < 8 && ahead < k + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[ahead % 2], in + ahead * 64, sizeof s[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[blockIdx.x * 512 + k * 64 + threadIdx.x] = s[k % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
}
// run: --grid 2 --block 128 --arg i32[128]:random:1 --arg i32[256]:zero
extern "C" __global__ void order_parts_then_all(const int *in, int *out) {
    __shared__ int s[128], sum[2];
    s[threadIdx.x] = in[threadIdx.x] & 255;
    asm volatile("barrier.sync.aligned %0, 64;" ::"r"(threadIdx.x / 64 + 1) : "memory");
    if (threadIdx.x % 64 < 32) {
        int v = s[threadIdx.x] + s[threadIdx.x + 32];
        for (int k = 16; k; k /= 2) v += __shfl_down_sync(~0u, v, k);
        if (threadIdx.x % 32 == 0) sum[threadIdx.x / 64] = v;
    }
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = sum[0] + sum[1];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[512]:zero
extern "C" __global__ void order_atomics_beside_barriers(const int *in, int *out) {
    __shared__ int bins[32], total;
    if (threadIdx.x < 32) bins[threadIdx.x] = 0;
    if (threadIdx.x == 32) total = 0;
    asm volatile("bar.sync 5, 128;" ::: "memory");
    atomicAdd(&bins[in[threadIdx.x] & 31], 1);
    asm volatile("bar.sync 5, 128;" ::: "memory");
    if (threadIdx.x < 32) atomicAdd(&total, bins[threadIdx.x]);
    asm volatile("bar.sync 6, 128;" ::: "memory");
    out[blockIdx.x * 128 + threadIdx.x] = total;
}

// Bulk reduction of `row`, 256 bytes of shared memory, to global memory by the copy engine.
#define REDUCE(how, to) \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%0], [%1], 256;" ::"l"(to), "r"(at(row)) \
                 : "memory")
// run: --grid 1 --block 64 --arg i32[256]:random:1 --arg i32[64]:zero --arg i32[64]:zero --arg f32[64]:zero --arg f16[128]:zero
extern "C" __global__ void order_bulk_reductions(const int *in, int *sum, int *most, float *parts, __half *halves) {
    __shared__ alignas(128) int s[2][64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int *row = s[k % 2];
        row[t] = in[k * 64 + t] % 1000;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            REDUCE("add.s32", sum);
            REDUCE("max.s32", most);
            asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 1;" ::: "memory");
        }
        __syncthreads();
    }
    if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    __syncthreads();
    int *row = s[0];
    ((float *)row)[t] = 0.5f * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        REDUCE("add.f32", parts);
        REDUCE("add.f32", parts);
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    ((__half2 *)row)[t] = __floats2half2_rn(t, -1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        REDUCE("add.noftz.f16", halves);
        REDUCE("add.noftz.f16", halves);
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    int right = 0, large = 0;
    for (int k = 0; k < 4; k++) {
        const int x = in[k * 64 + t] % 1000;
        right += x;
        if (x > large) large = x;
    }
    const bool good = sum[t] == right && most[t] == large && parts[t] == (float)t &&
                      __half2float(halves[2 * t]) == 2 * t && __half2float(halves[2 * t + 1]) == -2;
    if (!good) __trap();
}
