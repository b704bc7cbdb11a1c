// Wrong uses of libcu++'s pipelines, barriers, bulk copies and latches.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init // init() constructs the shared barriers

// run: --grid 1 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero
// says: race mbarrier-not-waited @ out[k * 128 + threadIdx.x] = buf[k % S][127 - threadIdx.x];
extern "C" __global__ void libcu_pipeline_no_wait(const int *in, int *out) {
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
        out[k * 128 + threadIdx.x] = buf[k % S][127 - threadIdx.x];
        pipe.consumer_release();
    }
}

// run: --grid 1 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero
// says: race mbarrier-misused @ cuda::memcpy_async(block, buf[f % S], in + f * 128, cuda::aligned_size_t<16>(512), pipe);
extern "C" __global__ void libcu_pipeline_release_before_read(const int *in, int *out) {
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
        pipe.consumer_release();
        out[k * 128 + threadIdx.x] = buf[k % S][127 - threadIdx.x];
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race mbarrier-misused @ s[k % 2][threadIdx.x] = in[k * 128 + threadIdx.x];
extern "C" __global__ void libcu_barrier_split_read_before_wait(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[2][128];
    if (threadIdx.x == 0) init(&bar, 128);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        s[k % 2][threadIdx.x] = in[k * 128 + threadIdx.x];
        auto token = bar.arrive();
        int own = s[k % 2][127 - threadIdx.x];
        bar.wait(std::move(token));
        out[k * 128 + threadIdx.x] = own + s[k % 2][127 - threadIdx.x];
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race refilled-too-early @ out[k * 128 + threadIdx.x] = own + s[0][127 - threadIdx.x];
extern "C" __global__ void libcu_barrier_split_one_buffer(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[2][128];
    if (threadIdx.x == 0) init(&bar, 128);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        s[0][threadIdx.x] = in[k * 128 + threadIdx.x];
        auto token = bar.arrive();
        int own = in[k * 128 + threadIdx.x] * 2;
        bar.wait(std::move(token));
        out[k * 128 + threadIdx.x] = own + s[0][127 - threadIdx.x];
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
// says: fence missing-fence @ cuda::device::experimental::cp_async_bulk_shared_to_global(out, s, sizeof s);
extern "C" __global__ void libcu_bulk_without_proxy_fence(const int *in, int *out) {
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
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(out, s, sizeof s);
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
// says: endless polls-for-ever @ bar.wait(std::move(token));
extern "C" __global__ void libcu_bulk_too_few_bytes(const int *in, int *out) {
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
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s / 2);
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

// run: --grid 1 --block 96 --arg i32[96]:random:1 --arg i32[96]:zero
// says: race flag-without-fence @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void libcu_latch_only_counted_down(const int *in, int *out) {
    __shared__ alignas(16) char raw[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto &done = *(cuda::latch<cuda::thread_scope_block> *)raw;
    __shared__ int s[96];
    if (threadIdx.x == 0) new (&done) cuda::latch<cuda::thread_scope_block>(96);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    done.count_down();
    out[threadIdx.x] = s[95 - threadIdx.x];
}
