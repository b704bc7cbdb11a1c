// Copies in flight when a warp or block exits, copies counted at a wrong mbarrier, and dynamic
// shared memory that is too small. `run:` and `says:` are explained in ../list.awk.
#include "../mbarrier.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// No thread waits for the copy.
// run: --grid 1 --block 32 --arg i32[64]:random:1
// says: race mbarrier-not-waited @ copy(s, in, 256, &full);
extern "C" __global__ void bulk_copy_that_nobody_waits_for(const int *in) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        expect(&full, 256);
        copy(s, in, 256, &full);
    }
}

// A copy to another block reads from a block that exits before the copy completes.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-cluster-barrier @ "r"(at(s)), "r"(remote(&full, 1))
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_source_leaves(const int *in, int *out) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    unsigned rank = blockIdx.x % 2;
    if (threadIdx.x == 0) init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if (rank == 0) s[threadIdx.x] = in[threadIdx.x];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    sync_cluster();
    if (rank == 0 && threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                remote(s, 1)),
            "r"(at(s)), "r"(remote(&full, 1))
            : "memory");
    if (rank == 1) {
        if (threadIdx.x == 0) expect(&full, 256);
        wait(&full, 0);
        out[threadIdx.x] = s[63 - threadIdx.x];
    }
}

// A copy to block 1 of the cluster is counted at block 0's mbarrier.
// run: --grid 2 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: address mbarrier-of-another-block @ "l"(in), "r"(remote(&full, 0))
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_barrier_of_another_block(const int *in, int *out) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    unsigned rank = blockIdx.x % 2;
    if (threadIdx.x == 0) init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    sync_cluster();
    if (rank == 0 && threadIdx.x == 0) {
        expect(&full, 256);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                         remote(s, 1)),
                     "l"(in), "r"(remote(&full, 0))
                     : "memory");
    }
    if (rank == 0) wait(&full, 0);
    sync_cluster();
    out[threadIdx.x] = s[threadIdx.x];
    sync_cluster();
}

// Threads arrive at an mbarrier after it was invalidated.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: uninitialized mbarrier-without-init @ arrive(&bar);
extern "C" __global__ void mbarrier_used_after_inval(int *out) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    arrive(&bar);
    wait(&bar, 0);
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(&bar)) : "memory");
    __syncthreads();
    arrive(&bar);
    out[threadIdx.x] = 1;
}

// The second warp exits without waiting for its copy. The first warp reads the copied data.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = s[32 + threadIdx.x];
extern "C" __global__ void ring_warp_leaves_early(const int *in, int *out) {
    __shared__ int s[64];
    if (threadIdx.x >= 32) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
        __pipeline_commit();
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        return;
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[32 + threadIdx.x];
}

// Two groups of copies are in flight. The kernel waits for the first group but reads both.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race copy-not-waited @ out[threadIdx.x] = s[0][63 - threadIdx.x] + s[1][63 - threadIdx.x];
extern "C" __global__ void ring_is_not_drained(const int *in, int *out) {
    __shared__ int s[2][64];
    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&s[k][threadIdx.x], &in[threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = s[0][63 - threadIdx.x] + s[1][63 - threadIdx.x];
}

extern __shared__ int dynamic[];
// The dynamic shared memory is four bytes too small.
// run: --grid 1 --block 33 --shared 128 --arg i32[33]:random:1
// says: address shared-too-small, 132 of 128 bytes @ dynamic[threadIdx.x] = p[threadIdx.x];
extern "C" __global__ void dynamic_memory_one_word_short(int *p) {
    dynamic[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = dynamic[32 - threadIdx.x];
}

// The last vector begins inside the launch's shared memory and ends past it.
// run: --grid 1 --block 4 --shared 56 --arg i32[16]:random:1
// says: address shared-too-small, 64 of 56 bytes @ ((int4 *)dynamic)[threadIdx.x] = p[threadIdx.x];
extern "C" __global__ void dynamic_memory_half_a_vector_short(int4 *p) {
    ((int4 *)dynamic)[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = ((int4 *)dynamic)[3 - threadIdx.x];
}

// A block may exit while the other block of the cluster reads its memory.
// run: --grid 2 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-cluster-barrier @ out[r * 32 + t] = *c.map_shared_rank(&s[t], r ^ 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_reads_a_block_that_leaves(const int *in, int *out) {
    __shared__ int s[32];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[t] = in[r * 32 + t];
    c.sync();
    out[r * 32 + t] = *c.map_shared_rank(&s[t], r ^ 1);
}
