// Correct uses of libcu++: pipelines, barriers with a token or byte count, semaphores, latches.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init // init() constructs the shared barriers

// run: --grid 1 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero
extern "C" __global__ void libcu_pipeline_block(const int *in, int *out) {
    constexpr int S = 3;
    __shared__ alignas(16) int buf[S][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int f = 0;
    for (int k = 0; k < 8; k++) {
        for (; f < 8 && f < k + S; f++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buf[f % S], in + f * 128, cuda::aligned_size_t<16>(512), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[k * 128 + threadIdx.x] = buf[k % S][127 - threadIdx.x];
        pipe.consumer_release();
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void libcu_barrier_split(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[2][128];
    if (threadIdx.x == 0) init(&bar, 128);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        s[k % 2][threadIdx.x] = in[k * 128 + threadIdx.x];
        auto token = bar.arrive();
        int own = in[k * 128 + threadIdx.x] * 2;
        bar.wait(std::move(token));
        out[k * 128 + threadIdx.x] = own + s[k % 2][127 - threadIdx.x];
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void libcu_barrier_with_completion_bulk(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(128) int s[512];
    if (threadIdx.x == 0) {
        init(&bar, 128);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(s, in, sizeof s, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 512; i += 128) s[i] += 1;
    cuda::device::experimental::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(out, s, sizeof s);
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
}

// run: --grid 1 --block 96 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void libcu_semaphore_slots(const int *in, int *out) {
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> sem;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        new (&sem) cuda::binary_semaphore<cuda::thread_scope_block>(1);
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        sem.acquire();
        sum += in[threadIdx.x / 32];
        sem.release();
    }
    __syncthreads();
    out[threadIdx.x % 64] = sum;
}

// run: --grid 1 --block 96 --arg i32[96]:random:1 --arg i32[96]:zero
extern "C" __global__ void libcu_latch_of_the_block(const int *in, int *out) {
    __shared__ alignas(16) char raw[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto &done = *(cuda::latch<cuda::thread_scope_block> *)raw;
    __shared__ int s[96];
    if (threadIdx.x == 0) new (&done) cuda::latch<cuda::thread_scope_block>(96);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    done.arrive_and_wait();
    out[threadIdx.x] = s[95 - threadIdx.x];
}

// Copies arrive at an mbarrier. The first warp waits there, the second only at __syncthreads().
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void libcu_copies_one_warp_waits(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(float), bar);
    auto token = bar.arrive();
    if (threadIdx.x < 32) bar.wait(std::move(token));
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// run: --grid 1 --block 64 --arg f32[384]:random:1 --arg f32[64]:zero
extern "C" __global__ void libcu_pipeline_roles(const float *in, float *out) {
    __shared__ float s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, (size_t)32);
    if (threadIdx.x < 32) {
        for (int t = 0; t < 6; t++) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < 64; i += 32)
                cuda::memcpy_async(&s[t % 2][i], &in[t * 64 + i], sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0;
        for (int t = 0; t < 6; t++) {
            pipe.consumer_wait();
            sum += s[t % 2][95 - threadIdx.x] + s[t % 2][threadIdx.x - 32];
            pipe.consumer_release();
        }
        out[threadIdx.x] = sum;
    }
}
