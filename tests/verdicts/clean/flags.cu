// Warps that meet by flags and locks in shared memory, which fences order.
#include <cuda/atomic>

#define CHECK(x)                                                                                                       \
    if (!(x)) __trap()

// A volatile flag in shared memory between two warps.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void flags_volatile(const int *in, int *out) {
    __shared__ int data[32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        ((volatile int *)data)[lane] = in[lane];
        __threadfence_block();
        __syncwarp();
        if (lane == 0) ready = 1;
    } else {
        while (!ready) {
        }
        __threadfence_block();
        out[blockIdx.x * 32 + lane] = ((volatile int *)data)[31 - lane];
    }
}

// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void flags_atomic_ref(const int *in, int *out) {
    __shared__ int data[32], flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
    if (threadIdx.x < 32) {
        data[lane] = in[lane];
        __syncwarp();
        if (lane == 0) ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        out[blockIdx.x * 32 + lane] = data[31 - lane];
    }
}

// run: --grid 1 --block 128 --arg i32[1]:zero
extern "C" __global__ void flags_lock(int *out) {
    __shared__ int lock, counter, last[4];
    if (threadIdx.x == 0) lock = counter = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        for (int i = 0; i < 5; i++) {
            while (atomicCAS(&lock, 0, 1) != 0) {
            }
            __threadfence_block();
            int c = *(volatile int *)&counter;
            *(volatile int *)&counter = c + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
        }
    }
    __syncthreads();
    CHECK(counter == 20);
    if (threadIdx.x == 0) *out = counter;
}

// run: --grid 1 --block 128 --arg i32[1]:zero
extern "C" __global__ void flags_lock_of_each_lane(int *out) {
    __shared__ int lock;
    __shared__ volatile int counter;
    if (threadIdx.x == 0) lock = counter = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            counter = counter + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    CHECK(counter == 128);
    if (threadIdx.x == 0) *out = counter;
}
