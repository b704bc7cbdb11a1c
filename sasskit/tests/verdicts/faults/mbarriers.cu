// Wrong uses of mbarriers and of bulk copies by the copy engine. `run:`, `says:`: see ../list.awk.
#include "../mbarrier.h"

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: endless polls-for-ever @ wait(&bar, 0);
extern "C" __global__ void bytes_that_never_come(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        copy(s, in, 128, &bar);
    }
    wait(&bar, 0);
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race mbarrier-not-waited @ out[threadIdx.x] = s[threadIdx.x];
extern "C" __global__ void bytes_not_waited_for(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        copy(s, in, 256, &bar);
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[32]:random:1 --arg i32[64]:zero
// says: address copy-too-long @ copy(s, in, 256, &bar);
extern "C" __global__ void bytes_past_the_end(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) {
        init(&bar, 1);
        expect(&bar, 256);
        copy(s, in, 256, &bar);
    }
    out[threadIdx.x] = 0;
}
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: uninitialized mbarrier-without-init @ arrive(&bar);
extern "C" __global__ void mbarrier_without_init(int *out) {
    __shared__ unsigned long long bar;
    arrive(&bar);
    out[threadIdx.x] = 0;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: fence missing-fence @ asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(at(s)) : "memory");
extern "C" __global__ void store_without_fence(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    s[threadIdx.x] = 2 * in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(at(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: endless polls-for-ever @ wait(&bar, 0);
extern "C" __global__ void an_arrival_too_few(int *out) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    if (threadIdx.x) arrive(&bar);
    wait(&bar, 0);
    out[threadIdx.x] = 1;
}
