// Cooperative groups. Some keep data in the first KB of shared memory, which the system reserves.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init // init() constructs the shared barriers

// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_block_sync(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[128];
    s[block.thread_rank()] = in[blockIdx.x * 128 + block.thread_rank()];
    block.sync();
    out[blockIdx.x * 128 + block.thread_rank()] = s[127 - block.thread_rank()];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_tile_reduce(const int *in, int *out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = cg::reduce(tile, in[i], cg::plus<int>());
}
// run: --grid 2 --block 128 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void groups_tile_shuffles(const float *in, float *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = blockIdx.x * 128 + threadIdx.x;
    float v = in[i];
    for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
    out[i] = tile.shfl(v, 0);
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_scan(const int *in, int *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = cg::inclusive_scan(tile, in[i]) + cg::exclusive_scan(tile, in[i] & 7);
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_coalesced(const int *in, int *out) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (in[i] & 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        out[i] = (int)active.thread_rank() + active.shfl(in[i], 0);
        active.sync();
    }
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_tile_sync_shared(const int *in, int *out) {
    __shared__ int s[128];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    tile.sync();
    const int other = s[threadIdx.x ^ 5];
    tile.sync();
    s[threadIdx.x] = other + 1;
    tile.sync();
    out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x ^ 9];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_tile_of_64(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<64>(block);
    const int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = cg::reduce(tile, in[i], cg::plus<int>());
}
// The two warps of a tile synchronise by a word of the shared memory that the system reserves.
// run: --grid 2 --block 256 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void groups_tile_of_64_sync_shared(const int *in, int *out) {
    __shared__ int s[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    tile.sync();
    const int other = s[threadIdx.x ^ 63];
    tile.sync();
    s[threadIdx.x] = other + 1;
    tile.sync();
    out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 32];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_labeled_partition(const int *in, int *out) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(tile, in[i] & 3);
    out[i] = cg::reduce(same, in[i], cg::greater<int>());
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_binary_partition(const int *in, int *out) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::binary_partition(tile, (in[i] & 1) != 0);
    out[i] = half.any(in[i] > 1000) + half.ballot(in[i] & 2);
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void groups_memcpy_async(const int *in, int *out) {
    __shared__ alignas(16) int s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 128, sizeof s);
    cg::wait(block);
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
    block.sync();
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[1]:zero
extern "C" __global__ void groups_invoke_one(const int *in, int *out, int *count) {
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    const int turn = cooperative_groups::invoke_one_broadcast(warp, [&] { return atomicAdd(count, 1); });
    out[threadIdx.x] = in[threadIdx.x] + turn;
}

// Threads work between arrive() and wait(). With -G both are called functions, not inlined.
// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[128]:zero
extern "C" __global__ void groups_barrier_with_tokens(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    __shared__ int s[128];
    if (threadIdx.x == 0) {
        init(&full, 128);
        init(&empty, 128);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        s[threadIdx.x] = in[k * 128 + threadIdx.x];
        auto token = full.arrive();
        const int own = in[k * 128 + threadIdx.x] * 3;
        full.wait(std::move(token));
        sum += s[127 - threadIdx.x] + own;
        empty.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}
