// Stages of shared memory that wgmma or the copy engine reads asynchronously. They are refilled
// only after the read. `run:` is explained in ../list.awk.
#include "../stages.h"

// A ring of two stages. The last wgmma that reads a stage completes before the stage is released.
// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
extern "C" __global__ void ring_given_back_in_time(const unsigned short *in, float *out) {
    __shared__ __align__(1024) unsigned short s[2][1024];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 128);
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int k = 0; k < 8 && threadIdx.x == 128; k++) {
            if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) % 2);
            expect(&full[k % 2], 2048);
            copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
        }
        return;
    }
    float d[4] = {};
    for (int k = 0; k < 8; k++) {
        wait(&full[k % 2], k / 2 % 2);
        multiply(d, tile(s[k % 2]));
        WAIT(0);
        pin(d);
        arrive(&empty[k % 2]);
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// One wgmma stays in flight, so only the previous wgmma's stage is released.
// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
extern "C" __global__ void ring_one_product_behind(const unsigned short *in, float *out) {
    __shared__ __align__(1024) unsigned short s[2][1024];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 128);
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int k = 0; k < 8 && threadIdx.x == 128; k++) {
            if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) % 2);
            expect(&full[k % 2], 2048);
            copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
        }
        return;
    }
    float d[4] = {};
    for (int k = 0; k < 8; k++) {
        wait(&full[k % 2], k / 2 % 2);
        multiply(d, tile(s[k % 2]));
        WAIT(1);
        if (k > 0) arrive(&empty[(k - 1) % 2]);
    }
    WAIT(0);
    pin(d);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// The copy engine stores from two buffers. Each buffer is rewritten only after it was read.
// run: --grid 1 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void bulk_store_two_buffers(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    for (int k = 0; k < 8; k++) {
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        s[k % 2][threadIdx.x] = 3 * in[k * 64 + threadIdx.x];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile(
                "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\ncp.async.bulk.commit_group;" ::"l"(
                    out + k * 64),
                "r"(at(s[k % 2]))
                : "memory");
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Two consumer warpgroups. One thread of each releases the stage after its own wait. That is
// enough, because a wgmma is one operation of all four warps.
// run: --grid 1 --block 288 --arg f16[8192]:random:1 --arg f32[256]:zero
extern "C" __global__ void ring_given_back_by_one_thread(const unsigned short *in, float *out) {
    __shared__ __align__(1024) unsigned short s[2][1024];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 2);
    __syncthreads();
    if (threadIdx.x >= 256) {
        for (int k = 0; k < 8 && threadIdx.x == 256; k++) {
            if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) % 2);
            expect(&full[k % 2], 2048);
            copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
        }
        return;
    }
    float d[4] = {};
    for (int k = 0; k < 8; k++) {
        wait(&full[k % 2], k / 2 % 2);
        multiply(d, tile(s[k % 2]));
        WAIT(0);
        pin(d);
        if (threadIdx.x % 128 == 0) arrive(&empty[k % 2]);
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// Like the kernel above, but a thread of the last warp releases, and one wgmma stays in flight.
// run: --grid 2 --block 160 --arg f16[8192]:random:1 --arg f32[256]:zero
extern "C" __global__ void ring_given_back_by_the_last_warp(const unsigned short *in, float *out) {
    __shared__ __align__(1024) unsigned short s[3][1024];
    __shared__ unsigned long long full[3], empty[3];
    if (threadIdx.x < 3) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 1);
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int k = 0; k < 8 && threadIdx.x == 128; k++) {
            if (k >= 3) wait(&empty[k % 3], (k / 3 - 1) % 2);
            expect(&full[k % 3], 2048);
            copy(s[k % 3], in + k * 1024, 2048, &full[k % 3]);
        }
        return;
    }
    float d[4] = {};
    for (int k = 0; k < 8; k++) {
        wait(&full[k % 3], k / 3 % 2);
        multiply(d, tile(s[k % 3]));
        WAIT(1);
        if (k > 0 && threadIdx.x == 127) arrive(&empty[(k - 1) % 3]);
    }
    WAIT(0);
    pin(d);
    out[blockIdx.x * 128 + threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
