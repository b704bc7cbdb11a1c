// Accesses that partial barriers (bar.sync for n threads) and mbarriers leave unordered.
#include "../mbarrier.h"

// run: --grid 1 --block 64 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race barrier-not-passed @ out[lane] = s[31 - lane];
extern "C" __global__ void consumer_that_only_arrives(const int *in, int *out) {
    __shared__ int s[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        SYNC(1, 64);
    } else {
        ARRIVE(1, 64);
        out[lane] = s[31 - lane];
    }
}
// run: --grid 1 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
// says: barrier divergent-barrier, 32 of 64 threads @ SYNC(1, 64);
extern "C" __global__ void producer_that_does_not_wait(const int *in, int *out) {
    __shared__ int s[32];
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x < 32) {
            s[lane] = in[i * 32 + lane];
            ARRIVE(1, 64);
        } else {
            SYNC(1, 64);
            out[i * 32 + lane] = s[31 - lane];
        }
    }
}
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
// says: race barrier-not-passed @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void other_half_has_a_barrier_of_its_own(const int *in, int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x / 64 + 1) : "memory");
    out[threadIdx.x] = s[127 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race barrier-not-passed @ out[lane] = s[31 - lane] + s[63 - lane];
extern "C" __global__ void store_after_the_arrival(const int *in, int *out) {
    __shared__ int s[64];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        ARRIVE(1, 64);
        s[lane + 32] = in[lane];
    } else {
        SYNC(1, 64);
        out[lane] = s[31 - lane] + s[63 - lane];
    }
}
// run: --grid 1 --block 96 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race refilled-too-early @ out[k * 64 + threadIdx.x - 32] = s[k % 2][95 - threadIdx.x];
extern "C" __global__ void ring_without_empty(const int *in, int *out) {
    __shared__ int s[2][64];
    __shared__ unsigned long long full[4];
    if (threadIdx.x < 4) init(&full[threadIdx.x], 32);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x < 32) {
            s[k % 2][threadIdx.x] = in[k * 64 + threadIdx.x];
            s[k % 2][threadIdx.x + 32] = in[k * 64 + threadIdx.x + 32];
            arrive(&full[k]);
        } else {
            wait(&full[k], 0);
            out[k * 64 + threadIdx.x - 32] = s[k % 2][95 - threadIdx.x];
        }
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race mbarrier-misused @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void full_waited_for_by_one_warp(const int *in, int *out) {
    __shared__ int s[32];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) init(&full, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] = in[threadIdx.x];
        arrive(&full);
        wait(&full, 0);
    }
    out[threadIdx.x] = s[31 - threadIdx.x % 32];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ arrive(&full);
extern "C" __global__ void mbarrier_used_before_all_know_it(const int *in, int *out) {
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) init(&full, 64);
    arrive(&full);
    wait(&full, 0);
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 96 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race refilled-too-early @ if (threadIdx.x >= 32) out[k * 64 + threadIdx.x - 32] = s[k % 2][95 - threadIdx.x];
extern "C" __global__ void bulk_copies_without_empty(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[4];
    if (threadIdx.x < 4) init(&full[threadIdx.x], 1);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 0) {
            expect(&full[k], 256);
            copy(s[k % 2], in + k * 64, 256, &full[k]);
        }
        wait(&full[k], 0);
        if (threadIdx.x >= 32) out[k * 64 + threadIdx.x - 32] = s[k % 2][95 - threadIdx.x];
    }
}
// run: --grid 1 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race mbarrier-not-waited @ out[k * 64 + threadIdx.x] = s[threadIdx.x];
extern "C" __global__ void second_lap_not_waited_for(const int *in, int *out) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) init(&full, 1);
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            expect(&full, 256);
            copy(s, in + k * 64, 256, &full);
        }
        if (k == 0) wait(&full, 0);
        __syncthreads();
        out[k * 64 + threadIdx.x] = s[threadIdx.x];
        __syncthreads();
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = in[threadIdx.x];
extern "C" __global__ void lanes_beside_a_named_barrier(const int *in, int *out) {
    __shared__ int s[2];
    asm volatile("bar.sync %0, 32;" ::"r"(threadIdx.x / 32 + 1) : "memory");
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x / 32];
}
