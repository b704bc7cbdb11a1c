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
