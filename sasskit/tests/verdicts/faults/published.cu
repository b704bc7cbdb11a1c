// Bugs that people published, each in a small kernel. ../list.awk explains `run:` and `says:`.
#include <cuda_pipeline.h>

// Both indices are compared with the number of columns.
// run: --grid 4,4 --block 16,16 --arg i32:32 --arg i32:64 --arg f32[2048]:random:1 --arg f32[2048]:nan
// says: address guard-too-wide @ if (x < n && y < n) o[y * n + x] = 2.0f * a[y * n + x];
extern "C" __global__ void published_column_guard(int m, int n, const float *a, float *o) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) o[y * n + x] = 2.0f * a[y * n + x];
}

// The guard compares the thread's index in the block, not the element's index.
// run: --grid 4 --block 128 --arg i32:400 --arg f32[400]:random:1 --arg f32[400]:nan
// says: address guard-too-wide @ if (threadIdx.x < n) o[i] = a[i] + 1.0f;
extern "C" __global__ void published_guard_of_thread(int n, const float *a, float *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n) o[i] = a[i] + 1.0f;
}

// The loop over the tiles of K takes one round too many.
// run: --grid 4,4 --block 16,16 --arg i32:64 --arg f32[4096]:random:1 --arg f32[4096]:random:2 --arg f32[4096]:nan
// says: address loop-too-long @ Bs[ty][tx] = B[(t * 16 + ty) * n + col];
extern "C" __global__ void published_one_tile_more(int n, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0;
    for (int t = 0; t <= n / 16; ++t) {
        As[ty][tx] = A[row * n + t * 16 + tx];
        Bs[ty][tx] = B[(t * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}

// C's leading dimension is m in place of n, so the tiles of two blocks overlap.
// run: --grid 4,2 --block 16,16 --arg i32:32 --arg i32:64 --arg i32:16 --arg f32[512]:random:1 --arg f32[1024]:random:2 --arg f32[2048]:nan
// says: global-race blocks-overlap @ C[row * m + col] = s;
extern "C" __global__ void published_wrong_ldc(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= m || col >= n) return;
    float s = 0;
    for (int i = 0; i < k; i++) s += A[row * k + i] * B[i * n + col];
    C[row * m + col] = s;
}

// A is read as a column-major matrix.
// run: --grid 4,2 --block 16,16 --arg i32:32 --arg i32:64 --arg i32:16 --arg f32[512]:random:1 --arg f32[1024]:random:2 --arg f32[2048]:nan --expect gemm
// says: mismatch operand-transposed @ for (int i = 0; i < k; i++) s += A[i * m + row] * B[i * n + col];
extern "C" __global__ void published_a_transposed(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= m || col >= n) return;
    float s = 0;
    for (int i = 0; i < k; i++) s += A[i * m + row] * B[i * n + col];
    C[row * n + col] = s;
}

// The right border of the tile is not loaded.
// run: --grid 4 --block 128 --arg i32:512 --arg f32[512]:random:1 --arg f32[512]:nan
// says: uninitialized never-stored @ out[i] = t[threadIdx.x] + t[threadIdx.x + 1] + t[threadIdx.x + 2];
extern "C" __global__ void published_right_halo(int n, const float *in, float *out) {
    __shared__ float t[128 + 2];
    int i = blockIdx.x * 128 + threadIdx.x;
    t[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) t[0] = i > 0 ? in[i - 1] : 0.f;
    __syncthreads();
    out[i] = t[threadIdx.x] + t[threadIdx.x + 1] + t[threadIdx.x + 2];
}

// The index assumes rows of 33 elements, but the array has rows of 32.
// run: --grid 2,2 --block 32,32 --arg i32:64 --arg f32[4096]:random:1 --arg f32[4096]:nan
// says: address shared-index, 4100 of 4096 bytes @ tile[threadIdx.y * 33 + threadIdx.x] = in[y * n + x];
extern "C" __global__ void published_padding_of_index_only(int n, const float *in, float *out) {
    __shared__ float tile[32 * 32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y * 33 + threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * 33 + threadIdx.y];
}

// Threads past the edge store nothing, but their elements are read.
// run: --grid 2 --block 256 --arg i32:400 --arg f32[400]:random:1 --arg f32[400]:nan
// says: uninitialized store-guarded @ out[i] = s[255 - threadIdx.x];
extern "C" __global__ void published_exited_threads_of_tile(int n, const float *in, float *out) {
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = in[i];
        __syncthreads();
        out[i] = s[255 - threadIdx.x];
    }
}

// A histogram counts without atomics.
// run: --grid 1 --block 128 --arg i32:1000 --arg i32[1000]:random:1 --arg i32[16]:zero
// says: race not-atomic @ for (int i = threadIdx.x; i < n; i += blockDim.x) bins[v[i] & 15]++;
extern "C" __global__ void published_histogram(int n, const int *v, int *h) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) bins[v[i] & 15]++;
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&h[threadIdx.x], bins[threadIdx.x]);
}

// Atomics add to a shared sum that was never set to zero.
// run: --grid 1 --block 128 --arg i32:1000 --arg f32[1000]:random:1 --arg f32[1]:nan
// says: uninitialized never-zeroed @ atomicAdd(&total, s);
extern "C" __global__ void published_sum_without_zero(int n, const float *v, float *o) {
    __shared__ float total;
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += v[i];
    atomicAdd(&total, s);
    __syncthreads();
    if (threadIdx.x == 0) *o = total;
}

// A grid barrier reads its counter once, then polls a register.
// run: --grid 8 --block 64 --arg i32[1]:zero --arg f32[512]:nan
// says: endless flag-in-register @ while (*count < (int)gridDim.x)
extern "C" __global__ void published_grid_barrier_in_register(int *count, float *o) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (*count < (int)gridDim.x)
            ;
    }
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = 1.f;
}

// The loop's step is an argument, and its value is 0.
// run: --grid 1 --block 64 --arg i32:100 --arg i32:0 --arg f32[100]:nan --limit 100000
// says: endless loop-never-ends @ for (int i = threadIdx.x; i < n; i += step) o[i] = 1.f;
extern "C" __global__ void published_step_of_zero(int n, int step, float *o) {
    for (int i = threadIdx.x; i < n; i += step) o[i] = 1.f;
}

// A block's first column is a multiple of BM in place of BN.
// run: --grid 2,2 --block 256 --arg i32:64 --arg i32:128 --arg f32[8192]:nan
// says: global-race blocks-overlap @ for (int j = 0; j < BN / 8; j++) c[row * n + col + j] = row + 1000.f * (blockIdx.x + 1);
extern "C" __global__ void published_block_m_for_n(int m, int n, float *c) {
    const int BM = 32, BN = 64;
    int row = blockIdx.y * BM + threadIdx.x / 8, col = blockIdx.x * BM + threadIdx.x % 8 * 8;
    for (int j = 0; j < BN / 8; j++) c[row * n + col + j] = row + 1000.f * (blockIdx.x + 1);
}

// The last tile is smaller, but the rest of the buffer is not filled with zeros.
// run: --grid 1 --block 64 --arg i32:40 --arg f32[2560]:random:1 --arg f32[40]:random:2 --arg f32[64]:nan
// says: uninitialized store-guarded @ for (int i = 0; i < 64; i++) s += A[row * k + min(t + i, k - 1)] * xs[i];
extern "C" __global__ void published_tail_of_tile(int k, const float *A, const float *x, float *y) {
    __shared__ float xs[64];
    float s = 0;
    int row = blockIdx.x * 64 + threadIdx.x;
    for (int t = 0; t < k; t += 64) {
        if (t + threadIdx.x < k) xs[threadIdx.x] = x[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++) s += A[row * k + min(t + i, k - 1)] * xs[i];
        __syncthreads();
    }
    y[row] = s;
}

// The length is not a multiple of the block, and no guard stops the threads past the end.
// run: --grid 4 --block 128 --arg i32:400 --arg f32[400]:random:1 --arg f32[400]:nan
// says: address guard-missing @ o[i] = a[i];
extern "C" __global__ void published_no_guard(int n, const float *a, float *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = a[i];
}

// An index exceeds an array that nvcc keeps in registers.
// run: --grid 1 --block 32 --arg i32:8 --arg i32[32]:random:1 --arg f32[32]:nan
// says: uninitialized never-set @ o[threadIdx.x] = t[idx[threadIdx.x]];
extern "C" __global__ void published_index_of_registers(int n, const int *idx, float *o) {
    float t[8];
    for (int i = 0; i < 8; i++) t[i] = i * 1.5f;
    o[threadIdx.x] = t[idx[threadIdx.x]];
}
