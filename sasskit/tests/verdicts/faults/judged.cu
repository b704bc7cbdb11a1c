// Faults that beginners and experts make in matrix products, reductions, softmax, transposes and
// copies, as an outside judge thought of them. `run:` and `says:` are explained in ../list.awk.
#include "../mbarrier.h"

// The accumulator is not set to zero.
// run: --grid 2,2 --block 16,16 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:random:2 --arg f32[1024]:nan
// says: uninitialized never-set @ C[row * n + col] = acc;
extern "C" __global__ void judged_gemm_no_zero(int n, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc;
    for (int t = 0; t < n; t += 16) {
        As[ty][tx] = A[row * n + t + tx];
        Bs[ty][tx] = B[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
// The tile of B is stored transposed.
// run: --grid 2,2 --block 16,16 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:random:2 --arg f32[1024]:nan --expect gemm
// says: mismatch tile-transposed @ Bs[tx][ty] = B[(t + ty) * n + col];
extern "C" __global__ void judged_gemm_b_transposed(int n, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0;
    for (int t = 0; t < n; t += 16) {
        As[ty][tx] = A[row * n + t + tx];
        Bs[tx][ty] = B[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
// Softmax does not subtract the maximum: expf() overflows, and inf / inf is NaN.
// run: --grid 1 --block 32 --arg i32:10 --arg f32[320]:random:1 --arg f32[320]:nan
// warns: nan nan-from-finite @ -
extern "C" __global__ void judged_softmax_nan(int n, const float *in, float *out) {
    float sum = 0;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) sum += expf(200.f * in[row * n + i]);
    for (int i = 0; i < n; i++) out[row * n + i] = expf(200.f * in[row * n + i]) / sum;
}
// Each thread scales four elements, so the last 3 of 99 are left out.
// run: --grid 1 --block 32 --arg i32:99 --arg f32[99]:random:1 --arg f32[99]:nan
// warns: unwritten-output not-covered @ -
extern "C" __global__ void judged_scale_rest(int n, const float *in, float *out) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 4 <= n)
        for (int k = 0; k < 4; k++) out[i + k] = 2 * in[i + k];
}
// 32 partial sums are read, but only 8 were stored.
// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:nan
// says: uninitialized never-stored @ v = part[threadIdx.x];
extern "C" __global__ void judged_block_sum(const float *in, float *out) {
    __shared__ float part[32];
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = part[threadIdx.x];
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (threadIdx.x == 0) out[blockIdx.x] = v;
    }
}
// The copy engine gets an address that is not a multiple of 16 bytes.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:nan
// says: address misaligned @ copy(s + 1, in, 256, &bar);
extern "C" __global__ void judged_bulk_unaligned(const float *in, float *out) {
    __shared__ __align__(16) float s[68];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        copy(s + 1, in, 256, &bar);
    }
    wait(&bar, 0);
    out[threadIdx.x] = s[threadIdx.x + 1];
}
// Threads past the edge return before they store to the tile.
// run: --grid 2,2 --block 16,16 --arg i32:20 --arg f32[400]:random:1 --arg f32[400]:nan
// says: uninitialized store-guarded @ for (int k = 0; k < 16; k++) v += s[threadIdx.y][k];
extern "C" __global__ void judged_tile_return(int n, const float *A, float *C) {
    __shared__ float s[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= n || y >= n) return;
    s[threadIdx.y][threadIdx.x] = A[y * n + x];
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 16; k++) v += s[threadIdx.y][k];
    C[y * n + x] = v;
}
// A 32-bit index overflows.
// run: --grid 1 --block 32 --arg i32:50000 --arg f32[64]:random:1 --arg f32[32]:nan
// says: address wild-address @ out[threadIdx.x] = in[i];
extern "C" __global__ void judged_int_overflow(int n, const float *in, float *out) {
    int row = 50000 + blockIdx.x, i = row * n + threadIdx.x;
    out[threadIdx.x] = in[i];
}
// Only half of the bins are cleared.
// run: --grid 1 --block 128 --arg i32:1000 --arg u8[1000]:random:1 --arg u32[256]:zero
// says: uninitialized never-zeroed @ for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[in[i]], 1u);
extern "C" __global__ void judged_histogram_clear(int n, const unsigned char *in, unsigned *out) {
    __shared__ unsigned h[256];
    if (threadIdx.x < 128) h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], h[i]);
}

// --- what later testers found --------------------------------------------------------------------

// The grid covers C exactly, but the store's index is one too large.
// run: --grid 2,2 --block 16,16 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:nan
// alone: address index-too-large @ C[row * n + col + 1] = s;
extern "C" __global__ void judged_one_past_exact_grid(int n, const float *A, float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++) s += A[row * n + k];
    C[row * n + col + 1] = s;
}
// run: --grid 4 --block 256 --arg f32[1024]:random:1 --arg f32[1024]:nan
// alone: address index-too-large @ out[i] = in[i] + in[i + 1];
extern "C" __global__ void judged_neighbour_exact_grid(const float *in, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i] + in[i + 1];
}
// One wrong condition (> in place of >=) guards the loads and the store after them.
// run: --grid 3,3 --block 16,16 --arg i32:32 --arg i32:32 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:random:2 --arg f32[1024]:nan
// alone: address guard-too-wide @ for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
extern "C" __global__ void judged_greater_for_at_least(int M, int N, int K, const float *A, const float *B, float *C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > M || col > N) return;
    float s = 0;
    for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
    C[row * N + col] = s;
}
// A barrier inside a condition, outside any loop.
// run: --grid 4 --block 256 --arg i32:1000 --arg f32[1024]:random:1 --arg f32[1024]:nan
// alone: race barrier-in-condition @ out[i] = t[255 - threadIdx.x];
extern "C" __global__ void judged_barrier_in_condition(int n, const float *in, float *out) {
    __shared__ float t[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    t[threadIdx.x] = i < n ? in[i] : 0;
    if (i < n) __syncthreads();
    out[i] = t[255 - threadIdx.x];
}
// Warps of one block add to the same elements by a plain load and store.
// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[32]:zero
// alone: global-race adds-in-place @ C[threadIdx.x % 32] += x[threadIdx.x];
extern "C" __global__ void judged_sums_of_a_block(const float *x, float *C) {
    C[threadIdx.x % 32] += x[threadIdx.x];
}
// Lanes of one warp add to one element. The launch is too large for the check for races of warps.
// run: --grid 1000 --block 32 --arg f32[32000]:random:1 --arg f32[1000]:zero
// alone: global-race adds-in-place @ sum[blockIdx.x] += x[blockIdx.x * 32 + threadIdx.x];
extern "C" __global__ void judged_sums_of_many_blocks(const float *x, float *sum) {
    sum[blockIdx.x] += x[blockIdx.x * 32 + threadIdx.x];
}
// The loop over tiles is inside the guard, so threads past the edge store nothing to the tiles.
// run: --grid 3,3 --block 16,16 --arg i32:40 --arg f32[1600]:random:1 --arg f32[1600]:random:2 --arg f32[1600]:nan
// says: uninitialized store-guarded @ for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
extern "C" __global__ void judged_tiles_behind_the_guard(int N, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float s = 0;
    if (row < N && col < N) {
        for (int t = 0; t < (N + 15) / 16; t++) {
            As[ty][tx] = t * 16 + tx < N ? A[row * N + t * 16 + tx] : 0;
            Bs[ty][tx] = t * 16 + ty < N ? B[(t * 16 + ty) * N + col] : 0;
            __syncthreads();
            for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
        C[row * N + col] = s;
    }
}
// The tile is 16 x 16, but the block has 32 x 32 threads.
// run: --grid 1,1 --block 32,32 --arg i32:32 --arg f32[1024]:random:1 --arg f32[1024]:random:2 --arg f32[1024]:nan
// says: address shared-index, 2052 of 2048 bytes @ Bs[ty][tx] = B[(t * 16 + ty) * N + col];
extern "C" __global__ void judged_tile_smaller_than_block(int N, const float *A, const float *B, float *C) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    float s = 0;
    for (int t = 0; t < N / 16; t++) {
        As[ty][tx] = A[row * N + t * 16 + tx];
        Bs[ty][tx] = B[(t * 16 + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = s;
}
// Each thread stores its own part of the sum to its block's one element.
// run: --grid 4 --block 64 --arg f32[1000]:random:1 --arg f32[4]:nan --arg i32:1000
// warns: global-race same-element @ out[blockIdx.x] = s;
extern "C" __global__ void judged_each_thread_stores_the_sum(const float *x, float *out, int n) {
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
    out[blockIdx.x] = s;
}
// The loop runs once too often. The fault is in the remainder loop after the unrolled loop.
// run: --grid 2,2 --block 16,16 --arg i32:30 --arg i32:30 --arg i32:20 --arg f32[600]:random:1 --arg f32[600]:random:2 --arg f32[900]:nan
// alone: address loop-too-long @ for (int k = 0; k <= K; k++) s += A[row * K + k] * B[k * N + col];
extern "C" __global__ void judged_one_product_more(int M, int N, int K, const float *A, const float *B, float *C) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < M && col < N) {
        float s = 0;
        for (int k = 0; k <= K; k++) s += A[row * K + k] * B[k * N + col];
        C[row * N + col] = s;
    }
}
// Two causes: the condition is off by one, and the store has a stride of 2.
// run: --grid 5 --block 256 --arg f32[1024]:random:1 --arg f32[1024]:nan --arg i32:1024
// says: address guard-too-wide @ C[2 * i] = v;
extern "C" __global__ void judged_two_causes(const float *A, float *C, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        float v = A[i];
        C[2 * i] = v;
    }
}
// The grid covers C exactly, but the store assumes rows of n + 1 elements.
// run: --grid 2,2 --block 16,16 --arg f32[1024]:random:1 --arg f32[1024]:nan --arg i32:32
// alone: address index-too-large @ C[col * (n + 1) + row] = v;
extern "C" __global__ void judged_rows_too_long(const float *A, float *C, int n) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float v = A[row * n + col];
    C[col * (n + 1) + row] = v;
}
// Only some lanes of a warp run the last round. They wait for the other lanes before the barrier.
// run: --grid 1 --block 128 --arg f32[300]:random:1 --arg f32[128]:nan --arg i32:300
// alone: lane divergent-barrier @ __syncthreads();
extern "C" __global__ void judged_barrier_in_a_strided_loop(const float *x, float *y, int n) {
    __shared__ float s[128];
    float a = 0;
    for (int i = threadIdx.x; i < n; i += 128) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        a += s[127 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}
// The sum is read before all threads have added. atomicAdd()'s compare-and-swap loop also reads it.
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[128]:nan
// alone: race missing-barrier @ atomicAdd(&s, x[threadIdx.x]);
extern "C" __global__ void judged_sum_read_too_early(const float *x, float *y) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, x[threadIdx.x]);
    y[threadIdx.x] = s;
}
