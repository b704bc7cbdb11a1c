// Faults of scans, softmax, layer norm, sorting, convolution, matrix products and flags. Each was
// once reported without its cause, or with a wrong one. `run:`, `says:`: see ../list.awk.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

// The compiler puts NaN in place of the second warp's sum, which nothing stores.
// run: --grid 4 --block 64 --arg f32[1024]:random:1 --arg f32[1024]:nan --arg i32:256
// says: nan constant-nan @ float mean = (sums[0] + sums[1]) / d;
extern "C" __global__ void pattern_sum_of_one_warp(const float *x, float *y, int d) {
    __shared__ float sums[2];
    float a = 0;
    for (int i = threadIdx.x; i < d; i += blockDim.x) a += x[blockIdx.x * d + i];
    for (int o = 16; o; o /= 2) a += __shfl_down_sync(~0u, a, o);
    if (threadIdx.x == 0) sums[0] = a;
    __syncthreads();
    float mean = (sums[0] + sums[1]) / d;
    for (int i = threadIdx.x; i < d; i += blockDim.x) y[blockIdx.x * d + i] = x[blockIdx.x * d + i] - mean;
}
// Threads past the end return before they store, but the tree of sums reads their elements.
// run: --grid 4 --block 128 --arg f32[500]:random:1 --arg f32[4]:nan --arg i32:500
// alone: uninitialized store-guarded @ if (threadIdx.x < s) c[threadIdx.x] += c[threadIdx.x + s];
extern "C" __global__ void pattern_return_before_tree(const float *v, float *sums, int n) {
    __shared__ float c[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c[threadIdx.x] = v[i];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) c[threadIdx.x] += c[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = c[0];
}
// The barrier of a bitonic sort is inside the condition. The races that follow are its effects.
// run: --grid 1 --block 128 --arg i32[128]:random:7 --arg i32[128]:nan
// alone: lane divergent-barrier @ __syncthreads();
extern "C" __global__ void pattern_sort_barrier_inside(const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int k = 2; k <= 128; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[other]) == up) {
                    int swap = s[t];
                    s[t] = s[other];
                    s[other] = swap;
                }
                __syncthreads();
            }
        }
    out[t] = s[t];
}
// A convolution reads neighbours outside the image for elements at the edges.
// run: --grid 3,2 --block 16,16 --arg f32[1200]:random:1 --arg f32[9]:random:2 --arg f32[1200]:nan --arg i32:40 --arg i32:30
// alone: address neighbour-outside @ for (int dx = -1; dx <= 1; dx++) s += img[(y + dy) * w + x + dx] * k[(dy + 1) * 3 + dx + 1];
extern "C" __global__ void pattern_convolution_edges(const float *img, const float *k, float *dst, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) s += img[(y + dy) * w + x + dx] * k[(dy + 1) * 3 + dx + 1];
    dst[y * w + x] = s;
}
// K's row index is one too large. All copies of the unrolled loop must share one cause.
// run: --grid 4,2 --block 32 --arg f32[2048]:random:1 --arg f32[2048]:random:2 --arg f32[4096]:nan --arg i32:32 --arg i32:16
// alone: address index-too-large @ for (int e = 0; e < d; e++) a += Q[q * d + e] * K[(h * n + k + 1) * d + e];
extern "C" __global__ void pattern_next_key(const float *Q, const float *K, float *S, int n, int d) {
    int h = blockIdx.x, q = h * n + blockIdx.y * 16 + threadIdx.x / 2;
    for (int k = threadIdx.x % 2; k < n; k += 2) {
        float a = 0;
        for (int e = 0; e < d; e++) a += Q[q * d + e] * K[(h * n + k + 1) * d + e];
        S[q * n + k] = a;
    }
}
// A block stores the sums of its four groups, but its index leaves room for eight.
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[8]:nan
// says: address index-too-large @ if (tile.thread_rank() == 0) out[blockIdx.x * 8 + tile.meta_group_rank()] = v;
extern "C" __global__ void pattern_stride_of_groups(const int *in, int *out) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int v = cg::reduce(tile, in[blockIdx.x * 64 + block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) out[blockIdx.x * 8 + tile.meta_group_rank()] = v;
}
// An odd number of halves is processed in pairs: the last pair ends past the array.
// run: --grid 2 --block 64 --arg f16[201]:random:1 --arg f16[201]:zero --arg i32:201
// alone: address vector-past-end @ __half2 v = reinterpret_cast<const __half2 *>(a)[i];
extern "C" __global__ void pattern_odd_pairs(const __half *a, __half *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i < n) {
        __half2 v = reinterpret_cast<const __half2 *>(a)[i];
        reinterpret_cast<__half2 *>(b)[i] = __hmul2(v, v);
    }
}
// A block polls a flag by plain loads. One warning covers the flag and the data that it announces.
// run: --grid 2 --block 32 --arg i32[32]:random:1 --arg i32[1]:zero --arg i32[32]:zero --arg i32[32]:nan
// warns: global-race flag-without-fence @ if (threadIdx.x == 0)
extern "C" __global__ void pattern_plain_flag(const int *in, int *flag, int *mail, int *out) {
    if (blockIdx.x == 0) {
        mail[threadIdx.x] = in[threadIdx.x] * 3;
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = mail[threadIdx.x];
    }
}

// --- matrix products with a wrong index ----------------------------------------------------------

// Tile t of A is loaded from column t in place of column 16 t.
// run: --grid 3,3 --block 16,16 --arg i32:48 --arg f32[2304]:random:1 --arg f32[2304]:random:2 --arg f32[2304]:nan --expect gemm
// says: mismatch tile-offset @ As[y][x] = A[row * n + t + x];
extern "C" __global__ void pattern_tile_unscaled(int n, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float s = 0;
    for (int t = 0; t < n / 16; t++) {
        As[y][x] = A[row * n + t + x];
        Bs[y][x] = B[(t * 16 + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    C[row * n + col] = s;
}
// Each row is stored one row too far down.
// run: --grid 3,3 --block 16,16 --arg i32:48 --arg f32[2304]:random:1 --arg f32[2304]:random:2 --arg f32[2304]:nan --expect gemm
// says: mismatch values-misplaced @ C[(row + 1) % n * n + col] = s;
extern "C" __global__ void pattern_rows_shifted(int n, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float s = 0;
    for (int t = 0; t < n / 16; t++) {
        As[y][x] = A[row * n + t * 16 + x];
        Bs[y][x] = B[(t * 16 + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    C[(row + 1) % n * n + col] = s;
}
