// Correct uses of CUB: sorts, scans and exchanges within a block. `run:`: see ../list.awk.
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#define CHECK(x) \
    if (!(x)) __trap()

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void cub_radix_striped(const int *in, int *out) {
    using Sort = cub::BlockRadixSort<int, 128, 4, int>;
    __shared__ typename Sort::TempStorage temp;
    int k[4], v[4];
    cub::LoadDirectStriped<128>(threadIdx.x, in, k);
    for (int i = 0; i < 4; i++) v[i] = k[i] ^ 5;
    Sort(temp).SortDescendingBlockedToStriped(k, v);
    for (int i = 0; i < 4; i++) CHECK(v[i] == (k[i] ^ 5));
    cub::StoreDirectStriped<128>(threadIdx.x, out, k);
}

// run: --grid 1 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero
extern "C" __global__ void cub_scans(const int *in, int *out) {
    using S1 = cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING>;
    using S2 = cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>;
    using S3 = cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING_MEMOIZE>;
    __shared__ union {
        typename S1::TempStorage a;
        typename S2::TempStorage b;
        typename S3::TempStorage c;
    } t;
    int k[4], x[4], y[4], z[4], agg;
    cub::LoadDirectBlocked(threadIdx.x, in, k);
    S1(t.a).InclusiveSum(k, x);
    __syncthreads();
    S2(t.b).InclusiveSum(k, y, agg);
    __syncthreads();
    S3(t.c).ExclusiveSum(k, z);
    for (int i = 0; i < 4; i++) CHECK(x[i] == y[i] && z[i] + k[i] == x[i]);
    cub::StoreDirectBlocked(threadIdx.x, out, x);
}

// run: --grid 1 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero --arg i32[64]:zero
extern "C" __global__ void cub_exchange(const int *in, int *out, int *flags) {
    using L = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using S = cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
    using D = cub::BlockDiscontinuity<int, 64>;
    using X = cub::BlockExchange<int, 64, 4>;
    using Sh = cub::BlockShuffle<int, 64>;
    __shared__ union {
        typename L::TempStorage l;
        typename S::TempStorage s;
        typename D::TempStorage d;
        typename X::TempStorage x;
        typename Sh::TempStorage h;
    } t;
    int k[4], f[4], o;
    L(t.l).Load(in, k);
    __syncthreads();
    X(t.x).BlockedToStriped(k, k);
    __syncthreads();
    D(t.d).FlagHeads(f, k, cuda::std::not_equal_to<>{});
    __syncthreads();
    Sh(t.h).Offset(k[0], o, 1);
    __syncthreads();
    S(t.s).Store(out, k);
    flags[threadIdx.x] = f[0] + f[3] + (threadIdx.x < 63 ? o : 0);
}
