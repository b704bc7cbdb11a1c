// Kernels as in public tutorials, samples and libraries, each with one mistake.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <mma.h>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race barrier-in-condition @ int a = s[pos], b = s[pos + stride];
extern "C" __global__ void tutorial_bitonic_sort_syncs_warps(const int *in, int *out) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 128] = in[threadIdx.x + 128];
    __syncthreads();
    for (unsigned size = 2; size <= 256; size <<= 1) {
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            if (stride > 64)
                __syncthreads();
            else
                __syncwarp();
            unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            int a = s[pos], b = s[pos + stride];
            if ((a > b) == !(threadIdx.x & (size / 2))) s[pos] = b, s[pos + stride] = a;
        }
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    out[threadIdx.x + 128] = s[threadIdx.x + 128];
}
// run: --grid 2 --block 96 --arg u32[768]:random:1 --arg u32[512]:zero
// says: race missing-barrier @ for (int i = threadIdx.x % 32; i < 256; i += 32) mine[i] = 0;
extern "C" __global__ void tutorial_histograms_merged_too_early(const unsigned *in, unsigned *partial) {
    __shared__ unsigned s[3 * 256];
    unsigned *mine = s + (threadIdx.x >> 5) * 256;
    for (int i = threadIdx.x % 32; i < 256; i += 32) mine[i] = 0;
    __syncwarp();
    for (unsigned pos = blockIdx.x * 96 + threadIdx.x; pos < 768; pos += 192) {
        unsigned word = in[pos];
        for (int b = 0; b < 4; b++) atomicAdd(mine + (word >> 8 * b & 255), 1);
    }
    for (unsigned bin = threadIdx.x; bin < 256; bin += 96) {
        unsigned sum = 0;
        for (int w = 0; w < 3; w++) sum += s[bin + w * 256];
        partial[blockIdx.x * 256 + bin] = sum;
    }
}
// run: --grid 1 --block 256 --arg i32[256]:random:1 --arg i32[256]:zero
// says: race missing-barrier @ for (int w = 1; w < 8; w++) part[w] += part[w - 1];
extern "C" __global__ void tutorial_scan_adds_before_the_sums(const int *in, int *out) {
    __shared__ int part[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = in[threadIdx.x] & 255;
    for (int i = 1; i < 32; i *= 2) {
        int n = __shfl_up_sync(~0u, v, i);
        if (lane >= i) v += n;
    }
    if (lane == 31) part[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < 8; w++) part[w] += part[w - 1];
    out[threadIdx.x] = v + (warp ? part[warp - 1] : 0);
}
// run: --grid 1 --block 128 --arg f32[1024]:random:1 --arg f32[1024]:zero
// says: race mbarrier-not-waited @ float v = s[compute % 2][127 - threadIdx.x];
extern "C" __global__ void tutorial_pipeline_read_before_the_wait(const float *in, float *out) {
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
        float v = s[compute % 2][127 - threadIdx.x];
        pipe.consumer_wait();
        out[compute * 128 + threadIdx.x] = v * 2;
        pipe.consumer_release();
    }
}
// run: --grid 1 --block 64 --arg i32:500 --arg f32[512]:random:1 --arg f32[512]:zero
// says: race copy-not-waited @ if (at < n) out[at] = s[tile % 3][threadIdx.x ^ 32];
extern "C" __global__ void tutorial_copies_waited_one_short(int n, const float *in, float *out) {
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
        __pipeline_wait_prior(2);
        __syncthreads();
        fetch(tile + 2);
        int at = tile * 64 + threadIdx.x;
        if (at < n) out[at] = s[tile % 3][threadIdx.x ^ 32];
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ out[threadIdx.x] = s[threadIdx.x ^ 16];
extern "C" __global__ void tutorial_tile_of_sixteen_shares_with_32(const int *in, int *out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 16];
}
// run: --grid 4 --block 64 --arg u32[64]:random:1 --arg u32[512]:zero --arg u32[64]:zero
// says: address loop-too-long @ unsigned seen = atomicCAS(&table[slot], 0, key);
extern "C" __global__ void tutorial_hash_table_without_end(const unsigned *keys, unsigned *table, unsigned *where) {
    unsigned key = (keys[threadIdx.x] & 63) * 4 + blockIdx.x + 1, slot = 500;
    for (int tries = 0; tries < 100; tries++, slot++) {
        unsigned seen = atomicCAS(&table[slot], 0, key);
        if (seen == 0 || seen == key) break;
    }
    if (blockIdx.x == 0) where[threadIdx.x] = slot;
}
// run: --grid 1 --block 128 --arg f16[1024]:random:1 --arg f16[1024]:random:2 --arg f32[1024]:zero
// says: race missing-barrier @ wmma::load_matrix_sync(x, &as[warp / 2 * 16][0], 24);
extern "C" __global__ void tutorial_wmma_next_tile_too_early(const half *a, const half *b, float *c) {
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
    }
    wmma::store_matrix_sync(c + warp / 2 * 16 * 32 + warp % 2 * 16, acc, 32, wmma::mem_row_major);
}
// run: --grid 3 --block 80 --arg i32:70 --arg f32[210]:random:1 --arg f32[210]:zero
// says: lane absent-lane @ for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, o);
extern "C" __global__ void tutorial_layer_norm_of_the_first_lanes(int n, const float *in, float *out) {
    __shared__ float part[3];
    const float *x = in + blockIdx.x * n;
    int i = threadIdx.x;
    float sum = 0;
    if (i < n) {
        sum = x[i];
        for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, o);
    }
    if (i % 32 == 0) part[i / 32] = sum;
    __syncthreads();
    if (i < n) out[blockIdx.x * n + i] = x[i] - (part[0] + part[1] + part[2]) / n;
}
// run: --grid 8 --block 32 --races global --arg i32[256]:random:1 --arg i32[256]:zero --arg i32[8]:zero --arg i32[8]:zero
// says: global-race flag-without-fence @ before = sum[blockIdx.x - 1];
extern "C" __global__ void tutorial_scan_looks_back_without_fence(const int *in, int *out, int *sum,
                                                                  volatile int *flag) {
    int lane = threadIdx.x, i = blockIdx.x * 32 + lane, v = in[i] & 255, before = 0;
    for (int o = 1; o < 32; o *= 2) {
        int n = __shfl_up_sync(~0u, v, o);
        if (lane >= o) v += n;
    }
    if (lane == 31) {
        if (blockIdx.x) {
            while (!flag[blockIdx.x - 1]) {
            }
            before = sum[blockIdx.x - 1];
        }
        sum[blockIdx.x] = v + before;
        flag[blockIdx.x] = 1;
    }
    out[i] = v + __shfl_sync(~0u, before, 31);
}
// run: --grid 1 --block 16,16 --arg u8[256]:random:1 --arg u8[256]:zero
// says: address neighbour-outside @ for (int i = -1; i <= 1; i++) n += (i || j) ? in[(y + j) * 16 + x + i] & 1 : 0;
extern "C" __global__ void tutorial_game_of_life_at_the_border(const unsigned char *in, unsigned char *out) {
    int x = threadIdx.x, y = threadIdx.y, n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) n += (i || j) ? in[(y + j) * 16 + x + i] & 1 : 0;
    out[y * 16 + x] = n == 3 || (n == 2 && (in[y * 16 + x] & 1));
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race flag-without-fence @ list[count++] = in[threadIdx.x];
extern "C" __global__ void tutorial_ticket_lock_given_back_relaxed(const int *in, int *out) {
    __shared__ unsigned next, serving;
    __shared__ int list[64], count;
    if (threadIdx.x == 0) next = serving = 0, count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> n(next), s(serving);
        unsigned ticket = n.fetch_add(1, cuda::memory_order_relaxed);
        while (s.load(cuda::memory_order_relaxed) != ticket) {
        }
        list[count++] = in[threadIdx.x];
        s.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < count ? list[threadIdx.x] : 0;
}
// run: --grid 1 --block 96 --arg f32[512]:random:1 --arg f32[512]:zero
// says: barrier divergent-barrier, 64 of 96 threads @ asm volatile("bar.sync %0, 96;" ::"r"(1 + (k & 1)) : "memory");
extern "C" __global__ void tutorial_loader_does_not_ask_for_room(const float *in, float *out) {
    __shared__ float s[2][64];
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            s[k & 1][threadIdx.x] = in[k * 64 + threadIdx.x];
            s[k & 1][threadIdx.x + 32] = in[k * 64 + threadIdx.x + 32];
            __threadfence_block();
            asm volatile("bar.arrive %0, 96;" ::"r"(1 + (k & 1)) : "memory");
            if (k == 3) asm volatile("bar.sync 5, 32;" ::: "memory");
        }
    } else {
        int t = threadIdx.x - 32;
        for (int k = 0; k < 8; k++) {
            asm volatile("bar.sync %0, 96;" ::"r"(1 + (k & 1)) : "memory");
            out[k * 64 + t] = s[k & 1][63 - t] + s[k & 1][t];
        }
    }
}
// run: --grid 1 --block 64 --arg i32:3 --arg i32[64]:random:1 --arg i32[64]:zero
// says: uninitialized never-set @ if (seen > n) out[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void tutorial_branch_by_what_is_not_set(int n, const int *in, int *out) {
    int seen;
    asm volatile("{ .reg .s32 t; mov.s32 %0, t; }" : "=r"(seen));
    if (seen > n) out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race missing-syncwarp @ v[t] += v[t + 16];
extern "C" __global__ void tutorial_reduction_by_volatile_warp(const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        volatile float *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
        if (t == 0) out[0] = v[0];
    }
}
