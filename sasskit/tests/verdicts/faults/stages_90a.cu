// Stages that are refilled while a wgmma, or a copy to global memory, still reads them.
#include "../stages.h"

// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
// says: race async-read-not-waited @ copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
extern "C" __global__ void ring_given_back_before_the_wait(const unsigned short *in, float *out) {
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
        arrive(&empty[k % 2]);
        WAIT(0);
        pin(d);
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
// says: race async-read-not-waited @ copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
extern "C" __global__ void ring_given_back_one_too_early(const unsigned short *in, float *out) {
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
        arrive(&empty[k % 2]);
    }
    WAIT(0);
    pin(d);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// run: --grid 1 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race async-read-not-waited @ s[k % 2][threadIdx.x] = 3 * in[k * 64 + threadIdx.x];
extern "C" __global__ void bulk_store_one_group_too_few(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    for (int k = 0; k < 8; k++) {
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
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

// run: --grid 1 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race async-read-not-waited @ s[k % 2][threadIdx.x] = 3 * in[k * 64 + threadIdx.x];
extern "C" __global__ void bulk_store_waited_for_by_nobody(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    for (int k = 0; k < 8; k++) {

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

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race async-read-not-waited @ "r"(at(s))
extern "C" __global__ void bulk_store_and_the_end(const int *in, int *out) {
    __shared__ __align__(128) int s[64];
    s[threadIdx.x] = 3 * in[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\ncp.async.bulk.commit_group;" ::"l"(out),
            "r"(at(s))
            : "memory");
}

// run: --grid 1 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race async-read-not-waited @ s[k % 2][threadIdx.x] = 3 * in[k * 64 + threadIdx.x];
extern "C" __global__ void bulk_store_wait_without_barrier(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    for (int k = 0; k < 8; k++) {
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
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

// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
// says: race mbarrier-not-waited @ multiply(d, tile(s[k % 2]));
extern "C" __global__ void ring_full_not_waited_for(const unsigned short *in, float *out) {
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
        if (k < 2) wait(&full[k % 2], k / 2 % 2);
        multiply(d, tile(s[k % 2]));
        WAIT(0);
        pin(d);
        arrive(&empty[k % 2]);
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// One thread releases the stage before its warp has waited for the wgmma that reads it.
// run: --grid 1 --block 160 --arg f16[8192]:random:1 --arg f32[128]:zero
// says: race async-read-not-waited @ copy(s[k % 2], in + k * 1024, 2048, &full[k % 2]);
extern "C" __global__ void ring_given_back_by_one_thread_too_early(const unsigned short *in, float *out) {
    __shared__ __align__(1024) unsigned short s[2][1024];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 1);
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
        if (threadIdx.x == 0) arrive(&empty[k % 2]);
    }
    WAIT(0);
    pin(d);
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
