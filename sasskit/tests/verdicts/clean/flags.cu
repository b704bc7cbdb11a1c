// Warps that synchronise correctly by flags and locks in shared or device memory.
#include <cuda/atomic>

#define CHECK(x) \
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
    __shared__ int lock, counter;
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

// run: --grid 1 --block 128 --arg i32[4]:random:1 --arg i32[1]:zero
extern "C" __global__ void flags_ticket_lock(const int *in, int *out) {
    __shared__ int next, total;
    __shared__ volatile int serving;
    if (threadIdx.x == 0) next = serving = total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        int my = atomicAdd(&next, 1);
        while (serving != my) {
        }
        __threadfence_block();
        total += in[threadIdx.x / 32];
        __threadfence_block();
        serving = my + 1;
    }
    __syncthreads();
    CHECK(total == in[0] + in[1] + in[2] + in[3]);
    if (threadIdx.x == 0) *out = total;
}

// Two warps pass an array back and forth.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void flags_ping_pong(const int *in, int *out) {
    __shared__ int ball[32];
    __shared__ volatile int turn;
    int me = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 32) ball[lane] = in[lane];
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        if (k % 2 != me) continue;
        while (turn != k) __nanosleep(20);
        __threadfence_block();
        ball[lane] = ball[lane] * 3 + k;
        __threadfence_block();
        __syncwarp();
        if (lane == 0) turn = k + 1;
    }
    __syncthreads();
    out[threadIdx.x] = ball[lane];
}

// The last warp to arrive sums what all warps stored.
// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
extern "C" __global__ void flags_last_warp_sums(const float *in, float *out) {
    __shared__ float part[8];
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = v;
        __threadfence_block();
        if (atomicAdd(&count, 1) == 7) {
            __threadfence_block();
            float s = 0;
            for (int i = 0; i < 8; i++) s += part[i];
            out[blockIdx.x] = s;
        }
    }
}

// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
extern "C" __global__ void flags_last_warp_sums_acq_rel(const float *in, float *out) {
    __shared__ float part[8];
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = v;
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> c(count);
        if (c.fetch_add(1, cuda::memory_order_acq_rel) == 7) {
            float s = 0;
            for (int i = 0; i < 8; i++) s += part[i];
            out[blockIdx.x] = s;
        }
    }
}

// One warp puts items into a queue, and three warps take them out.
// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void flags_work_queue_shared(const int *in, int *out) {
    __shared__ int item[256];
    __shared__ int head;
    __shared__ volatile int tail;
    int lane = threadIdx.x & 31;
    if (threadIdx.x == 0) head = 0, tail = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            item[k * 32 + lane] = in[k * 32 + lane] + k;
            __threadfence_block();
            __syncwarp();
            if (lane == 0) tail = (k + 1) * 32;
            __syncwarp();
        }
    } else {
        for (;;) {
            int my;
            if (lane == 0) my = atomicAdd(&head, 32);
            my = __shfl_sync(~0u, my, 0);
            if (my >= 256) break;
            while (tail < my + 32) {
            }
            __threadfence_block();
            __syncwarp();
            out[my + lane] = item[my + 31 - lane];
        }
    }
}
// A volatile flag in device memory orders data in shared memory.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_volatile(const int *in, int *out, volatile int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __threadfence();
        __syncwarp();
        if (lane == 0) flag[blockIdx.x] = 1;
    } else {
        while (flag[blockIdx.x] == 0) {
        }
        __threadfence();
        out[blockIdx.x * 32 + lane] = s[31 - lane];
    }
}
// A flag in device memory is stored with release and loaded with acquire.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_release_acquire(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[blockIdx.x]);
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __syncwarp();
        if (lane == 0) f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {
        }
        out[blockIdx.x * 32 + lane] = s[31 - lane];
    }
}
// Two warps use a buffer in turn. One flag in device memory says whose turn it is.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_back_and_forth(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[0]);
    for (int k = 0; k < 6; k++) {
        if (threadIdx.x < 32) {
            while (f.load(cuda::memory_order_acquire) != 2 * k) {
            }
            __syncwarp();
            s[lane] = in[lane] + k;
            __syncwarp();
            if (lane == 0) f.store(2 * k + 1, cuda::memory_order_release);
            __syncwarp();
        } else {
            while (f.load(cuda::memory_order_acquire) != 2 * k + 1) {
            }
            out[lane] += s[31 - lane];
            __syncwarp();
            if (lane == 0) f.store(2 * k + 2, cuda::memory_order_release);
        }
    }
}
// A lock in device memory guards a counter in shared memory.
// run: --grid 2 --block 128 --arg i32[2]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_lock(int *lock, int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock[blockIdx.x], 0, 1) != 0) {
        }
        __threadfence();
        count = count + 3;
        __threadfence();
        atomicExch(&lock[blockIdx.x], 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}
// A barrier of a block's warps: a count of arrivals in device memory.
// run: --grid 2 --block 128 --arg i32[128]:random:1 --arg i32[256]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_barrier_of_warps(const int *in, int *out, int *count) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    int v = in[t];
    for (int k = 1; k <= 3; k++) {
        s[t] = v;
        __threadfence();
        __syncwarp();
        if (t % 32 == 0) {
            atomicAdd(&count[blockIdx.x], 1);
            while (*(volatile int *)&count[blockIdx.x] < 8 * k - 4) {
            }
            __threadfence();
        }
        __syncwarp();
        v += s[127 - t];
        __threadfence();
        __syncwarp();
        if (t % 32 == 0) {
            atomicAdd(&count[blockIdx.x], 1);
            while (*(volatile int *)&count[blockIdx.x] < 8 * k) {
            }
            __threadfence();
        }
        __syncwarp();
    }
    out[blockIdx.x * 128 + t] = v;
}
// The first warp signals the second, which signals the third. The third reads the first's data.
// run: --grid 1 --block 96 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
extern "C" __global__ void global_flag_of_a_third(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31, w = threadIdx.x / 32;
    cuda::atomic_ref<int, cuda::thread_scope_device> a(flag[0]), b(flag[1]);
    if (w == 0) {
        s[lane] = in[lane];
        __syncwarp();
        if (lane == 0) a.fetch_add(1, cuda::memory_order_release);
    } else if (w == 1) {
        if (lane == 0) {
            while (!a.load(cuda::memory_order_acquire)) {
            }
            b.fetch_add(1, cuda::memory_order_release);
        }
    } else {
        while (!b.load(cuda::memory_order_acquire)) {
        }
        out[lane] = s[31 - lane];
    }
}
