// Correct kernels as in public tutorials, samples and libraries: sorts, scans, histograms,
// pipelines, groups, tensor cores. `run:` is explained in ../list.awk.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <mma.h>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void tutorial_bitonic_sort(const int *in, int *out) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 128] = in[threadIdx.x + 128];
    for (unsigned size = 2; size < 256; size <<= 1) {
        unsigned up = (threadIdx.x & (size / 2)) != 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            int a = s[pos], b = s[pos + stride];
            if ((a > b) == !up) s[pos] = b, s[pos + stride] = a;
        }
    }
    for (unsigned stride = 128; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        int a = s[pos], b = s[pos + stride];
        if (a > b) s[pos] = b, s[pos + stride] = a;
    }
    __syncthreads();
    if (threadIdx.x < 127 && s[threadIdx.x] > s[threadIdx.x + 1]) __trap();
    out[threadIdx.x] = s[threadIdx.x];
    out[threadIdx.x + 128] = s[threadIdx.x + 128];
}
// run: --grid 2 --block 96 --arg u32[768]:random:1 --arg u32[512]:zero
extern "C" __global__ void tutorial_histogram_of_each_warp(const unsigned *in, unsigned *partial) {
    __shared__ unsigned s[3 * 256];
    unsigned *mine = s + (threadIdx.x >> 5) * 256;
    for (int i = 0; i < 8; i++) s[threadIdx.x + i * 96] = 0;
    __syncthreads();
    for (unsigned pos = blockIdx.x * 96 + threadIdx.x; pos < 768; pos += 192) {
        unsigned word = in[pos];
        for (int b = 0; b < 4; b++) atomicAdd(mine + (word >> 8 * b & 255), 1);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += 96) {
        unsigned sum = 0;
        for (int w = 0; w < 3; w++) sum += s[bin + w * 256];
        partial[blockIdx.x * 256 + bin] = sum;
    }
}
// run: --grid 2 --block 256 --arg i32[512]:random:1 --arg i32[512]:zero --arg i32[2]:zero
extern "C" __global__ void tutorial_scan_of_warp_sums(const int *in, int *out, int *sums) {
    __shared__ int part[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, id = blockIdx.x * blockDim.x + threadIdx.x, v = in[id] & 255;
    for (int i = 1; i <= 32; i *= 2) {
        int n = __shfl_up_sync(0xffffffff, v, i, 32);
        if (lane >= i) v += n;
    }
    if (threadIdx.x % 32 == 31) part[warp] = v;
    __syncthreads();
    if (warp == 0 && lane < blockDim.x / 32) {
        int sum = part[lane];
        int mask = (1 << (blockDim.x / 32)) - 1;
        for (int i = 1; i <= blockDim.x / 32; i *= 2) {
            int n = __shfl_up_sync(mask, sum, i, blockDim.x / 32);
            if (lane >= i) sum += n;
        }
        part[lane] = sum;
    }
    __syncthreads();
    v += warp > 0 ? part[warp - 1] : 0;
    out[id] = v;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = v;
}
// run: --grid 1 --block 128 --arg f32[1024]:random:1 --arg f32[1024]:zero
extern "C" __global__ void tutorial_pipeline_of_two_stages(const float *in, float *out) {
    __shared__ alignas(16) float s[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int fetch = 0, compute = 0; compute < 8; compute++) {
        for (; fetch < 8 && fetch < compute + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetch % 2], in + fetch * 128, sizeof(float) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[compute * 128 + threadIdx.x] = s[compute % 2][127 - threadIdx.x] * 2;
        pipe.consumer_release();
    }
}
// run: --grid 1 --block 64 --arg i32:500 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void tutorial_copies_with_a_ragged_end(int n, const float *in, float *out) {
    __shared__ alignas(16) float s[3][64];
    const int tiles = (n + 63) / 64;
    auto fetch = [&](int tile) {
        if (tile < tiles) {
            int at = tile * 64 + threadIdx.x;
            __pipeline_memcpy_async(&s[tile % 3][threadIdx.x], &in[at < n ? at : 0], 4, at < n ? 0 : 4);
        }
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    for (int tile = 0; tile < tiles; tile++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        fetch(tile + 2);
        int at = tile * 64 + threadIdx.x;
        if (at < n) out[at] = s[tile % 3][threadIdx.x ^ 32];
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[192]:zero
extern "C" __global__ void tutorial_groups_reduce_and_scan(const int *in, int *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x] & 1023;
    out[threadIdx.x] = cg::reduce(tile, v, cg::greater<int>());
    out[64 + threadIdx.x] = cg::inclusive_scan(tile, v, cg::plus<int>());
    auto bucket = cg::labeled_partition(tile, v & 3);
    out[128 + threadIdx.x] = cg::reduce(bucket, v, cg::plus<int>()) + bucket.thread_rank();
}
// run: --grid 4 --block 64 --arg u32[64]:random:1 --arg u32[512]:zero --arg u32[64]:zero
extern "C" __global__ void tutorial_hash_table_by_cas(const unsigned *keys, unsigned *table, unsigned *where) {
    if (blockIdx.x * 64 + threadIdx.x >= 200) return;
    unsigned key = (keys[threadIdx.x] & 63) * 4 + blockIdx.x + 1, slot = key * 2654435761u >> 23;
    for (;; slot = (slot + 1) & 511) {
        unsigned seen = atomicCAS(&table[slot], 0, key);
        if (seen == 0 || seen == key) break;
    }
    if (blockIdx.x == 0) where[threadIdx.x] = slot;
}
// run: --grid 1 --block 128 --arg f16[1024]:random:1 --arg f16[1024]:random:2 --arg f32[1024]:zero
extern "C" __global__ void tutorial_wmma_from_shared_memory(const half *a, const half *b, float *c) {
    using namespace nvcuda;
    __shared__ alignas(32) half as[32][24], bs[16][40];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    int warp = threadIdx.x / 32;
    for (int k = 0; k < 32; k += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            as[i / 16][i % 16] = a[(i / 16) * 32 + k + i % 16];
            bs[i / 32][i % 32] = b[(k + i / 32) * 32 + i % 32];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::load_matrix_sync(x, &as[warp / 2 * 16][0], 24);
        wmma::load_matrix_sync(y, &bs[0][warp % 2 * 16], 40);
        wmma::mma_sync(acc, x, y, acc);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + warp / 2 * 16 * 32 + warp % 2 * 16, acc, 32, wmma::mem_row_major);
}
// run: --grid 2 --block 64 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void tutorial_bodies_in_tiles(const float4 *position, float4 *acceleration) {
    extern __shared__ float4 unused[];
    __shared__ float4 tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 me = position[i], sum = make_float4(0, 0, 0, 0);
    for (int t = 0; t < 2; t++) {
        tile[threadIdx.x] = position[t * 64 + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 64; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = tile[k].w * r * r * r;
            sum.x += dx * f, sum.y += dy * f, sum.z += dz * f;
        }
        __syncthreads();
    }
    acceleration[i] = sum;
}
// run: --grid 3 --block 96 --arg i32:70 --arg f32[210]:random:1 --arg f32[210]:zero
extern "C" __global__ void tutorial_layer_norm(int n, const float *in, float *out) {
    __shared__ float mean_s, scale_s, part[2][3];
    const float *x = in + blockIdx.x * n;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i], square += x[i] * x[i];
    for (int o = 16; o; o >>= 1) {
        sum += __shfl_xor_sync(0xffffffff, sum, o);
        square += __shfl_xor_sync(0xffffffff, square, o);
    }
    if (threadIdx.x % 32 == 0) part[0][threadIdx.x / 32] = sum, part[1][threadIdx.x / 32] = square;
    __syncthreads();
    if (threadIdx.x == 0) {
        mean_s = (part[0][0] + part[0][1] + part[0][2]) / n;
        scale_s = rsqrtf((part[1][0] + part[1][1] + part[1][2]) / n - mean_s * mean_s + 1e-5f);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = (x[i] - mean_s) * scale_s;
}
// run: --grid 8 --block 32 --races global --arg i32[256]:random:1 --arg i32[256]:zero --arg u64[8]:zero
extern "C" __global__ void tutorial_scan_looks_back(const int *in, int *out, unsigned long long *status) {
    int lane = threadIdx.x, i = blockIdx.x * 32 + lane, v = in[i] & 255, before = 0;
    for (int o = 1; o < 32; o *= 2) {
        int n = __shfl_up_sync(~0u, v, o);
        if (lane >= o) v += n;
    }
    if (lane == 31) {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> mine(status[blockIdx.x]);
        mine.store((blockIdx.x ? 1ull : 2ull) << 32 | (unsigned)v, cuda::memory_order_release);
        for (int b = blockIdx.x - 1; b >= 0; b--) {
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> other(status[b]);
            unsigned long long seen;
            do seen = other.load(cuda::memory_order_acquire);
            while (seen >> 32 == 0);
            before += (unsigned)seen;
            if (seen >> 32 == 2) break;
        }
        if (blockIdx.x) mine.store(2ull << 32 | (unsigned)(v + before), cuda::memory_order_release);
    }
    out[i] = v + __shfl_sync(~0u, before, 31);
}
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[66]:zero
extern "C" __global__ void tutorial_atomics_by_leaders(const int *in, int *out) {
    int v = in[blockIdx.x * 64 + threadIdx.x];
    if (v > 0) {
        auto active = cg::coalesced_threads();
        int at = 0;
        if (active.thread_rank() == 0) at = atomicAdd(&out[0], active.size());
        at = active.shfl(at, 0) + active.thread_rank();
        if (at < 64) out[1 + at] = v;
    }
}
// run: --grid 1 --block 18,18 --arg u8[324]:random:1 --arg u8[256]:zero
extern "C" __global__ void tutorial_game_of_life(const unsigned char *in, unsigned char *out) {
    __shared__ unsigned char s[18][18];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * 18 + x] & 1;
    __syncthreads();
    if (x == 0 || x == 17 || y == 0 || y == 17) return;
    int n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) n += (i || j) ? s[y + j][x + i] : 0;
    out[(y - 1) * 16 + x - 1] = n == 3 || (n == 2 && s[y][x]);
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void tutorial_ticket_lock(const int *in, int *out) {
    __shared__ unsigned next, serving;
    __shared__ int list[64], count;
    if (threadIdx.x == 0) next = serving = 0, count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> n(next), s(serving);
        unsigned ticket = n.fetch_add(1, cuda::memory_order_relaxed);
        while (s.load(cuda::memory_order_acquire) != ticket) {
        }
        list[count++] = in[threadIdx.x];
        s.fetch_add(1, cuda::memory_order_release);
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < count ? list[threadIdx.x] : 0;
}
// run: --grid 1 --block 96 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void tutorial_loader_warp_and_two_others(const float *in, float *out) {
    __shared__ float s[2][64];
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            if (k >= 2) asm volatile("bar.sync %0, 96;" ::"r"(3 + (k & 1)) : "memory");
            s[k & 1][threadIdx.x] = in[k * 64 + threadIdx.x];
            s[k & 1][threadIdx.x + 32] = in[k * 64 + threadIdx.x + 32];
            __threadfence_block();
            asm volatile("bar.arrive %0, 96;" ::"r"(1 + (k & 1)) : "memory");
        }
    } else {
        int t = threadIdx.x - 32;
        for (int k = 0; k < 8; k++) {
            asm volatile("bar.sync %0, 96;" ::"r"(1 + (k & 1)) : "memory");
            out[k * 64 + t] = s[k & 1][63 - t];
            if (k < 6) asm volatile("bar.arrive %0, 96;" ::"r"(3 + (k & 1)) : "memory");
        }
    }
}
// run: --grid 1 --block 96 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void tutorial_loader_one_barrier_ahead(const float *in, float *out) {
    __shared__ float s[2][64];
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            s[k & 1][threadIdx.x] = in[k * 64 + threadIdx.x];
            s[k & 1][threadIdx.x + 32] = in[k * 64 + threadIdx.x + 32];
            asm volatile("bar.sync %0, 96;" ::"r"(1 + (k & 1)) : "memory");
        }
    } else {
        int t = threadIdx.x - 32;
        for (int k = 0; k < 8; k++) {
            asm volatile("bar.sync %0, 96;" ::"r"(1 + (k & 1)) : "memory");
            out[k * 64 + t] = s[k & 1][63 - t] + s[k & 1][t];
        }
    }
}
// run: --grid 2 --block 64 --arg i32:3 --arg f32[128]:random:1 --arg f32[128]:zero
extern "C" __global__ void tutorial_last_value_of_a_search(int n, const float *in, float *out) {
    float best, x = in[blockIdx.x * 64 + threadIdx.x];
    int found = 0;
    for (int i = 0; i < n; i++) {
        float y = in[(threadIdx.x + i) & 127];
        if (y > x) best = y, found++;
    }
    out[blockIdx.x * 64 + threadIdx.x] = found ? best : x;
}
