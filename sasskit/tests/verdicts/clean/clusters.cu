// Blocks of a cluster that access each other's shared memory correctly. `run:`: see ../list.awk.
#include "../mbarrier.h"
#include <cooperative_groups.h>
#include <cuda/std/utility>
namespace cg = cooperative_groups;

#define CHECK(x) \
    if (!(x)) __trap()

// A histogram that is spread over the shared memory of a cluster's blocks.
// run: --grid 4 --block 64 --arg i32[1024]:random:1 --arg i32[64]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_histogram(const int *in, int *bins) {
    __shared__ int smem[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) smem[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < 1024; i += gridDim.x * blockDim.x) {
        int bin = in[i] & 63;
        int *dst = cluster.map_shared_rank(smem, bin / 32);
        atomicAdd(dst + bin % 32, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 32; i += blockDim.x) atomicAdd(&bins[rank * 32 + i], smem[i]);
}

// A ring: each block hands its tile to the next block, three times.
// run: --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ __cluster_dims__(4, 1, 1) void cluster_ring(const int *in, int *out) {
    __shared__ int s[2][64];
    cg::cluster_group c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    s[0][t] = in[r * 64 + t];
    c.sync();
    for (int k = 0; k < 3; k++) {
        int *to = c.map_shared_rank(&s[(k + 1) % 2][0], (r + 1) % 4);
        to[63 - t] = s[k % 2][t] + 1;
        c.sync();
    }
    out[r * 64 + t] = s[1][t];
}

// Threads work between their arrival at the cluster's barrier and their wait.
// run: --grid 2 --block 64 --arg f32[128]:random:1 --arg f32[2]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_split_barrier(const float *in, float *out) {
    __shared__ float part, s[64];
    cg::cluster_group c = cg::this_cluster();
    int t = threadIdx.x, r = c.block_rank();
    s[t] = in[r * 64 + t];
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) part = s[0];
    auto token = c.barrier_arrive();
    float own = s[0] * 2;
    c.barrier_wait(cuda::std::move(token));
    if (t == 0) out[r] = own + *c.map_shared_rank(&part, r ^ 1);
    c.sync();
}

// Block 0 fills block 1's buffer. Remote mbarriers tell when the buffer is full or empty.
// run: --grid 2 --block 64 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_producer(const int *in, int *out) {
    __shared__ int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t < 2) init(&full[t], 64), init(&empty[t], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    sync_cluster();
    for (int k = 0; k < 8; k++) {
        if (rank == 0) {
            if (k >= 2) wait_cluster(&empty[k % 2], (k / 2 - 1) % 2);
            asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(remote(&s[k % 2][t], 1)), "r"(in[k * 64 + t])
                         : "memory");
            arrive_remote(remote(&full[k % 2], 1));
        } else {
            wait_cluster(&full[k % 2], k / 2 % 2);
            out[k * 64 + t] = s[k % 2][63 - t];
            arrive_remote(remote(&empty[k % 2], 0));
        }
    }
    sync_cluster();
}

// Block 0 copies into both blocks by multicast, and each block waits for its own mbarrier.
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[512]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_multicast(const int *in, int *out) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t < 2) init(&full[t], 1), init(&empty[t], 128);
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
        arrive_remote(remote(&empty[k % 2], 0));
    }
    sync_cluster();
}

// Blocks of a cluster that exchange nothing need no cluster barrier.
// run: --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_apart(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// Each thread stores into the other block by st.async. That block's mbarrier counts the bytes.
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_st_async(const int *in, int *out) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long full;
    unsigned rank = blockIdx.x % 2, t = threadIdx.x;
    if (t == 0) {
        init(&full, 1);
        expect(&full, 256);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    sync_cluster();
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0], %1, [%2];" ::"r"(remote(&s[t], rank ^ 1)),
        "r"(in[rank * 64 + t]), "r"(remote(&full, rank ^ 1))
        : "memory");
    wait_cluster(&full, 0);
    out[rank * 64 + t] = s[63 - t];
    CHECK(s[t] == in[(rank ^ 1) * 64 + t]);
    sync_cluster();
}

// All blocks read one word of each block's shared memory.
// run: --grid 4 --block 64 --arg i32[4]:random:1 --arg i32[256]:zero
extern "C" __global__ __cluster_dims__(4, 1, 1) void cluster_read_one_word(const int *in, int *out) {
    __shared__ int s;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) s = in[blockIdx.x];
    c.sync();
    int sum = 0;
    for (int r = 0; r < 4; r++) sum += *c.map_shared_rank(&s, r);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
    c.sync();
}

// Each of three threads initialises an mbarrier. Values go round the cluster by st.async.
// run: --grid 4 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ __cluster_dims__(4, 1, 1) void cluster_round(const float *in, float *out) {
    __shared__ float box[3][64];
    __shared__ alignas(8) unsigned long long got[3];
    auto cluster = cooperative_groups::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    if (t < 3) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(&got[t]);
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(at) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
    cluster.sync();
    float v = in[64 * rank + t];
    for (int k = 0; k < 3; k++) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(&got[k]);
        unsigned there, bar;
        asm("mapa.shared::cluster.u32 %0, %1, %2;"
            : "=r"(there)
            : "r"((unsigned)__cvta_generic_to_shared(&box[k][t])), "r"((rank + 1) % 4));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(at), "r"((rank + 1) % 4));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(there), "f"(v),
                     "r"(bar)
                     : "memory");
        asm volatile("{\n.reg .pred over;\nagain_%=:\nmbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n@!over "
                     "bra again_%=;\n}" ::"r"(at)
                     : "memory");
        v += box[k][63 - t];
    }
    out[64 * rank + t] = v;
    cluster.sync();
}
