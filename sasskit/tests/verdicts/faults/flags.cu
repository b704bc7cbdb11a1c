// Flags and locks, in shared or device memory, that do not order accesses to shared memory.
#include <cuda/atomic>

#define CHECK(x) \
    if (!(x)) __trap()

// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race flag-without-fence @ while (!ready) {
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

// The flag's store and loads are relaxed, so nothing orders the data before the flag.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race flag-without-fence @ out[blockIdx.x * 32 + lane] = data[31 - lane];
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
// says: race flag-without-fence @ out[blockIdx.x * 32 + lane] = data[31 - lane] + more[31 - lane];
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
// says: race flag-without-fence @ *(volatile int *)&counter = *(volatile int *)&counter + 1;
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

// The reader reads the counter without taking the lock.
// run: --grid 1 --block 128 --arg i32[1]:zero
// says: race flag-without-fence @ counter = counter + 1;
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

// run: --grid 1 --block 128 --arg i32[4]:random:1 --arg i32[1]:zero
// says: race flag-without-fence @ total += in[threadIdx.x / 32];
extern "C" __global__ void flags_ticket_lock_no_release_fence(const int *in, int *out) {
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
        serving = my + 1;
    }
    __syncthreads();
    CHECK(total == in[0] + in[1] + in[2] + in[3]);
    if (threadIdx.x == 0) *out = total;
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race flag-without-fence @ ball[lane] = ball[lane] * 3 + k;
extern "C" __global__ void flags_ping_pong_no_fence(const int *in, int *out) {
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
        __syncwarp();
        if (lane == 0) turn = k + 1;
    }
    __syncthreads();
    out[threadIdx.x] = ball[lane];
}

// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
// says: race flag-without-fence @ for (int i = 0; i < 8; i++) s += part[i];
extern "C" __global__ void flags_last_warp_sums_without_fence(const float *in, float *out) {
    __shared__ float part[8];
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = v;
        if (atomicAdd(&count, 1) == 7) {
            __threadfence_block();
            float s = 0;
            for (int i = 0; i < 8; i++) s += part[i];
            out[blockIdx.x] = s;
        }
    }
}

// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
// says: race flag-without-fence @ part[threadIdx.x / 32] = v;
extern "C" __global__ void flags_last_warp_sums_one_too_early(const float *in, float *out) {
    __shared__ float part[8];
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = v;
        __threadfence_block();
        if (atomicAdd(&count, 1) == 6) {
            __threadfence_block();
            float s = 0;
            for (int i = 0; i < 8; i++) s += part[i];
            out[blockIdx.x] = s;
        }
    }
}

// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
// says: race flag-without-fence @ for (int i = 0; i < 8; i++) s += part[i];
extern "C" __global__ void flags_last_warp_sums_relaxed(const float *in, float *out) {
    __shared__ float part[8];
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = v;
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> c(count);
        if (c.fetch_add(1, cuda::memory_order_relaxed) == 7) {
            float s = 0;
            for (int i = 0; i < 8; i++) s += part[i];
            out[blockIdx.x] = s;
        }
    }
}

// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race flag-without-fence @ out[my + lane] = item[my + 31 - lane];
extern "C" __global__ void flags_work_queue_tail_first(const int *in, int *out) {
    __shared__ int item[256];
    __shared__ int head;
    __shared__ volatile int tail;
    int lane = threadIdx.x & 31;
    if (threadIdx.x == 0) head = 0, tail = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            __threadfence_block();
            __syncwarp();
            if (lane == 0) tail = (k + 1) * 32;
            item[k * 32 + lane] = in[k * 32 + lane] + k;
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
// The flag in device memory is stored and loaded without a fence.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
// says: race flag-without-fence @ out[lane] = s[31 - lane];
extern "C" __global__ void global_flag_without_fence(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[0]);
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __syncwarp();
        if (lane == 0) f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0) {
        }
        out[lane] = s[31 - lane];
    }
}
// The data are written after the flag, not before it.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
// says: race flag-without-fence @ out[lane] = s[31 - lane];
extern "C" __global__ void global_flag_before_data(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[0]);
    if (threadIdx.x < 32) {
        if (lane == 0) f.store(1, cuda::memory_order_release);
        s[lane] = in[lane];
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {
        }
        out[lane] = s[31 - lane];
    }
}
// The reader loads the wrong flag, and does not wait for it.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
// says: race missing-barrier @ out[lane] = s[31 - lane];
extern "C" __global__ void global_flag_of_another(const int *in, int *out, int *flag) {
    __shared__ int s[32];
    const int lane = threadIdx.x & 31;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[0]), g(flag[1]);
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __syncwarp();
        if (lane == 0) f.store(1, cuda::memory_order_release);
    } else {
        (void)g.load(cuda::memory_order_acquire);
        out[lane] = s[31 - lane];
    }
}
// The last read of the counter is outside the lock.
// run: --grid 1 --block 128 --arg i32[1]:zero --arg i32[2]:zero
// says: race flag-without-fence @ count = count + 3;
extern "C" __global__ void global_lock_given_back_too_early(int *lock, int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        count = count + 3;
        __threadfence();
        atomicExch(lock, 0);
    }
    if (threadIdx.x == 0) out[0] = *(volatile int *)&count;
}
