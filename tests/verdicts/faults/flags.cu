// Flags and locks in shared memory without the fences, or beside them.
#include <cuda/atomic>

// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race: .*(flag|reads|writes)
extern "C" __global__ void flags_without_fence(const int *in, int *out) {
    __shared__ int data[32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        ((volatile int *)data)[lane] = in[lane];
        __syncwarp();
        if (lane == 0) ready = 1;
    } else {
        while (!ready) {
        }
        __threadfence_block();
        out[blockIdx.x * 32 + lane] = ((volatile int *)data)[31 - lane];
    }
}

// The flag is relaxed: nothing orders the data before it.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race: .*reads shared memory at 0x0|race: .* reads shared memory
extern "C" __global__ void flags_relaxed(const int *in, int *out) {
    __shared__ int data[32], flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
    if (threadIdx.x < 32) {
        data[lane] = in[lane];
        __syncwarp();
        if (lane == 0) ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
        }
        out[blockIdx.x * 32 + lane] = data[31 - lane];
    }
}

// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race: .* reads shared memory
extern "C" __global__ void flags_stored_after_the_fence(const int *in, int *out) {
    __shared__ volatile int data[32], more[32], ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        data[lane] = in[lane];
        __threadfence_block();
        more[lane] = in[lane] + 1;
        __syncwarp();
        if (lane == 0) ready = 1;
    } else {
        while (!ready) {
        }
        __threadfence_block();
        out[blockIdx.x * 32 + lane] = data[31 - lane] + more[31 - lane];
    }
}

// run: --grid 1 --block 128 --arg i32[1]:zero
// says: race
extern "C" __global__ void flags_lock_without_fence(int *out) {
    __shared__ int lock, counter;
    if (threadIdx.x == 0) lock = counter = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        *(volatile int *)&counter = *(volatile int *)&counter + 1;
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = counter;
}

// Who reads takes no lock.
// run: --grid 1 --block 128 --arg i32[1]:zero
// says: race
extern "C" __global__ void flags_lock_of_the_writers_only(int *out) {
    __shared__ int lock;
    __shared__ volatile int counter;
    if (threadIdx.x == 0) lock = counter = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0 && threadIdx.x) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        counter = counter + 1;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    if (threadIdx.x == 0) *out = counter;
    __syncthreads();
}
