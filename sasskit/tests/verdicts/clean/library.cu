// Correct uses of CUDA's headers: narrow atomics, pipeline roles, address spaces, FP8, CUB.
#include <cooperative_groups.h>
#include <cub/block/block_merge_sort.cuh>
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// run: --grid 2 --block 32 --arg f16[64]:zero --arg f16[64]:random:1
extern "C" __global__ void library_atomic_half2(__half2 *out, const __half2 *in) {
    atomicAdd(&out[threadIdx.x & 3], in[threadIdx.x]);
}

// run: --grid 2 --block 32 --arg bf16[64]:zero --arg bf16[64]:random:1
extern "C" __global__ void library_atomic_bf162(__nv_bfloat162 *out, const __nv_bfloat162 *in) {
    atomicAdd(&out[threadIdx.x & 3], in[threadIdx.x]);
}

// A generic atomic add does nothing in shared memory, and its false predicate leads to a loop.
// run: --grid 1 --block 64 --arg f16[2]:zero --arg f16[128]:random:1
extern "C" __global__ void library_atomic_half2_shared(__half2 *out, const __half2 *in) {
    __shared__ __half2 sum;
    if (threadIdx.x == 0) sum = __half2();
    __syncthreads();
    atomicAdd(&sum, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

// run: --grid 2 --block 64 --arg f32[8]:zero --arg f32[256]:random:1
extern "C" __global__ void library_atomic_float4(float4 *out, const float4 *in) {
    atomicAdd(&out[threadIdx.x & 1], in[threadIdx.x]);
}

// run: --grid 1 --block 32 --arg f32[80]:zero --arg f32[64]:random:1
extern "C" __global__ void library_atomic_float2_fetch(float2 *out, const float2 *in) {
    out[8 + threadIdx.x] = atomicAdd(&out[threadIdx.x & 1], in[threadIdx.x]);
}

// run: --grid 1 --block 64 --arg i32[8]:zero --arg i32[64]:random:1
extern "C" __global__ void library_atomic_ref(int *out, const int *in) {
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]);
    cuda::atomic_ref<int, cuda::thread_scope_block> most(out[1]);
    cuda::atomic_ref<int, cuda::thread_scope_system> once(out[2]);
    int expected = 0;
    sum.fetch_add(in[threadIdx.x], cuda::memory_order_relaxed);
    most.fetch_max(in[threadIdx.x]);
    once.compare_exchange_strong(expected, (int)threadIdx.x + 1);
}

// run: --grid 1 --block 32 --arg i32[64]:zero --arg i32[32]:random:1
extern "C" __global__ void library_address_spaces(int *out, const int *in) {
    __shared__ int tile[32];
    int *p = (in[threadIdx.x] & 1) ? tile + threadIdx.x : out + threadIdx.x;
    *p = 5;
    out[threadIdx.x + 32] = __isShared(p) + 2 * __isGlobal(p) + 4 * __isLocal(p);
}

// run: --grid 1 --block 32 --shared 256 --arg u32[32]:zero
extern "C" __global__ void library_shared_size(unsigned *out) {
    unsigned dynamic, total;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
    asm("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    out[threadIdx.x] = dynamic + total;
}

// run: --grid 1 --block 32 --arg u8[64]:zero --arg f32[32]:random:1
extern "C" __global__ void library_fp8(unsigned char *out, const float *in) {
    __nv_fp8_e4m3 a(in[threadIdx.x]);
    __nv_fp8_e5m2 b(in[threadIdx.x]);
    out[threadIdx.x] = a.__x;
    out[threadIdx.x + 32] = __nv_fp8_e5m2((float)a + (float)b).__x;
}

// run: --grid 1 --block 32 --arg u32[32]:zero --arg u32[33]:random:1
extern "C" __global__ void library_least_and_which(unsigned *out, const unsigned *in) {
    bool high, low;
    unsigned least = __vibmin_u16x2(in[threadIdx.x], in[threadIdx.x + 1], &high, &low);
    out[threadIdx.x] = least + high * 2 + low;
}

// run: --grid 1 --block 32 --arg f16[64]:zero --arg f16[64]:random:1
extern "C" __global__ void library_floor_of_halves(__half2 *out, const __half2 *in) {
    out[threadIdx.x] = h2floor(in[threadIdx.x]) + h2rint(in[threadIdx.x ^ 1]);
}

// In sin() of large arguments the carry of a product is added to a sum four cycles later.
// run: --grid 1 --block 32 --arg f64[32]:zero --arg f64[32]:random:1
extern "C" __global__ void library_sine(double *out, const double *in) {
    out[threadIdx.x] = sin(in[threadIdx.x] * 1e9);
}

// nvcc gives only the last of several REDUX in a row a scoreboard.
// run: --grid 1 --block 32 --arg i32[32]:zero --arg i32[32]:random:1
extern "C" __global__ void library_reductions(int *out, const int *in) {
    int x = in[threadIdx.x];
    out[threadIdx.x] = __shfl_up_sync(~0u, x, 1) + __match_any_sync(~0u, x & 3) + __reduce_add_sync(~0u, x) +
                       __shfl_xor_sync(~0u, x, 4) + __reduce_min_sync(~0u, x) + __reduce_xor_sync(~0u, (unsigned)x);
}

// Half of the block's threads copy, and the other half uses what was copied.
// run: --grid 1 --block 256 --arg f32[128]:zero --arg f32[768]:random:1
extern "C" __global__ void library_pipeline_roles(float *out, const float *in) {
    __shared__ float stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    bool produces = threadIdx.x < 128;
    auto pipe =
        cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    float sum = 0;
    for (int k = 0; k < 6; k++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[k & 1][threadIdx.x], in + k * 128 + threadIdx.x, 4, pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stage[k & 1][255 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    if (!produces) out[threadIdx.x - 128] = sum;
}

struct is_less {
    __device__ bool operator()(int a, int b) const {
        return a < b;
    }
};
// CUB loads one key beyond the stored ones and compares it, but ignores the result.
// run: --grid 1 --block 128 --arg i32[512]:zero --arg i32[512]:random:1
extern "C" __global__ void library_merge_sort(int *out, const int *in) {
    typedef cub::BlockMergeSort<int, 128, 4> Sort;
    __shared__ Sort::TempStorage storage;
    int key[4];
    for (int i = 0; i < 4; i++) key[i] = in[threadIdx.x * 4 + i];
    Sort(storage).Sort(key, is_less());
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = key[i];
}

// Atomics that have no instruction: a load, then compare-and-swap until it succeeds.
// run: --grid 2 --block 64 --arg f16[16]:zero --arg bf16[8]:zero --arg u16[8]:zero --arg f64[4]:zero --races global
extern "C" __global__ void library_narrow_atomics(__half *h, __nv_bfloat16 *b, unsigned short *u, double *d) {
    __shared__ __half s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = __float2half(0);
    __syncthreads();
    atomicAdd(&s[threadIdx.x % 4], __float2half(1));
    atomicAdd(&h[threadIdx.x % 8], __float2half(1));
    atomicAdd(&b[threadIdx.x % 8], __float2bfloat16(1));
    atomicCAS(&u[threadIdx.x % 8], (unsigned short)0, (unsigned short)threadIdx.x);
    unsigned long long *word = (unsigned long long *)&d[threadIdx.x % 4], old = *word,
                       seen; // atomicAdd() of doubles, as in the CUDA guide
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(__longlong_as_double(seen) + 1));
    } while (old != seen);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x < 4) h[8 + threadIdx.x] = s[threadIdx.x];
}

// run: --grid 1 --block 32 --arg f16[64]:random:1 --arg f16[64]:zero --arg f16:0.5
extern "C" __global__ void library_half2_plus_a_parameter(const __half2 *in, __half2 *out, __half t) {
    out[threadIdx.x] = __hfma2(in[threadIdx.x], __hneg2(in[31 - threadIdx.x]), __half2half2(t));
}
