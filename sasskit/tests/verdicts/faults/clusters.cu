// Clusters whose blocks access each other's shared memory too early, too late or unordered.
#include "../mbarrier.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// No cluster barrier, but only __syncthreads(), precedes the reads of the other block's memory.
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[128]:zero
// says: race missing-cluster-barrier @ out[r * 64 + t] = *c.map_shared_rank(&s[t], r ^ 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_only_syncthreads(const int *in, int *out) {
    __shared__ int s[64];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[t] = in[r * 64 + t];
    __syncthreads();
    out[r * 64 + t] = *c.map_shared_rank(&s[t], r ^ 1);
    c.sync();
}

// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[128]:zero
// says: race missing-cluster-barrier @ out[r * 64 + t] = *c.map_shared_rank(&s[t], r ^ 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_no_sync_at_the_end(const int *in, int *out) {
    __shared__ int s[64];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[t] = in[r * 64 + t];
    c.sync();
    out[r * 64 + t] = *c.map_shared_rank(&s[t], r ^ 1);
}

// run: --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race missing-cluster-barrier @ to[63 - t] = s[t] + 1;
extern "C" __global__ __cluster_dims__(4, 1, 1) void cluster_ring_one_buffer(const int *in, int *out) {
    __shared__ int s[64];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[t] = in[r * 64 + t];
    c.sync();
    for (int k = 0; k < 3; k++) {
        int *to = c.map_shared_rank(&s[0], (r + 1) % 4);
        to[63 - t] = s[t] + 1;
        c.sync();
    }
    out[r * 64 + t] = s[t];
}

// No cluster barrier separates clearing the counters from the other block's additions.
// run: --grid 4 --block 64 --arg i32[1024]:random:1 --arg i32[64]:zero
// says: race missing-cluster-barrier @ atomicAdd(cluster.map_shared_rank(smem, bin / 32) + bin % 32, 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_histogram_not_cleared(const int *in, int *bins) {
    __shared__ int smem[32];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) smem[i] = 0;
    __syncthreads();
    for (int i = cg::this_grid().thread_rank(); i < 1024; i += gridDim.x * blockDim.x) {
        int bin = in[i] & 63;
        atomicAdd(cluster.map_shared_rank(smem, bin / 32) + bin % 32, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * 32 + i], smem[i]);
}

// The histogram is read before both blocks of the cluster have added to it.
// run: --grid 4 --block 64 --arg i32[1024]:random:1 --arg i32[64]:zero
// says: race missing-cluster-barrier @ atomicAdd(cluster.map_shared_rank(smem, bin / 32) + bin % 32, 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_histogram_read_early(const int *in, int *bins) {
    __shared__ int smem[32];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) smem[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < 1024; i += gridDim.x * blockDim.x) {
        int bin = in[i] & 63;
        atomicAdd(cluster.map_shared_rank(smem, bin / 32) + bin % 32, 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * 32 + i], smem[i]);
    cluster.sync();
}

// run: --grid 2 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race refilled-too-early @ out[k * 64 + t] = s[k % 2][63 - t];
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_producer_without_empty(const int *in, int *out) {
    __shared__ int s[2][64];
    __shared__ unsigned long long full[8];
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t < 8) init(&full[t], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    sync_cluster();
    for (int k = 0; k < 8; k++) {
        if (rank == 0) {
            asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(remote(&s[k % 2][t], 1)), "r"(in[k * 64 + t])
                         : "memory");
            arrive_remote(remote(&full[k], 1));
        } else {
            wait_cluster(&full[k], 0);
            out[k * 64 + t] = s[k % 2][63 - t];
        }
    }
    sync_cluster();
}

// The other block may use the mbarrier before it is initialised: a cluster barrier is missing.
// run: --grid 2 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
// says: race missing-cluster-barrier @ arrive_remote(remote(&full, rank ^ 1));
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_mbarrier_not_shared(const int *in, int *out) {
    __shared__ unsigned long long full;
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t == 0) init(&full, 64);
    __syncthreads();
    arrive_remote(remote(&full, rank ^ 1));
    wait_cluster(&full, 0);
    out[rank * 64 + t] = in[t];
    sync_cluster();
}

// The multicast waits for its own block's reads, but not for the other block's.
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[512]:zero
// says: race mbarrier-not-waited @ multicast(s[k % 2], in + k * 64, 256, &full[k % 2], 3);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_multicast_own_empty(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t < 2) init(&full[t], 1), init(&empty[t], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    sync_cluster();
    for (int k = 0; k < 4; k++) {
        if (t == 0) expect(&full[k % 2], 256);
        if (t == 0 && rank == 0) {
            if (k >= 2) wait_cluster(&empty[k % 2], (k / 2 - 1) % 2);
            multicast(s[k % 2], in + k * 64, 256, &full[k % 2], 3);
        }
        wait(&full[k % 2], k / 2 % 2);
        out[rank * 256 + k * 64 + t] = s[k % 2][63 - t];
        arrive(&empty[k % 2]);
    }
    sync_cluster();
}

// A race within one block of a cluster.
// run: --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_race_inside(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// Block 1 exits without the cluster barrier at which block 0 waits.
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[128]:zero
// says: address block-has-ended @ out[t] = *c.map_shared_rank(&s[t], 1);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_sync_of_one_block(const int *in, int *out) {
    __shared__ int s[64];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[t] = in[r * 64 + t];
    if (r == 0) {
        c.sync();
        out[t] = *c.map_shared_rank(&s[t], 1);
    }
}
