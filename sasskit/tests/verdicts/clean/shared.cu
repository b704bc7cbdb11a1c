// Correct uses of shared memory. `run:` is explained in ../list.awk.
#include <cuda_pipeline.h>

// run: --grid 2 --block 256 --arg f32[512]:random:1 --arg f32[2]:zero
extern "C" __global__ void shared_tree_sum(const float *in, float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    for (int k = 128; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
// run: --grid 2 --block 128 --arg f32[256]:random:1 --arg f32[8]:zero
extern "C" __global__ void shared_warp_sum(const float *in, float *out) {
    // One warp adds the last sums, with __syncwarp() between one lane's write and another's read.
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32] + s[t + 64] + s[t + 96];
        s[t] = v;
        __syncwarp();
        for (int k = 16; k > 0; k /= 2) {
            if (t < k) v += s[t + k];
            __syncwarp();
            if (t < k) s[t] = v;
            __syncwarp();
        }
        if (t == 0) out[blockIdx.x] = v;
    }
}
// run: --grid 2 --block 64 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ void shared_scan(const int *in, int *out) {
    __shared__ int s[2][64];
    int now = 0;
    s[0][threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        s[1 - now][threadIdx.x] = s[now][threadIdx.x] + (threadIdx.x >= k ? s[now][threadIdx.x - k] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = s[now][threadIdx.x];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[2]:zero
extern "C" __global__ void shared_all_write_the_same(const int *in, int *out) {
    __shared__ int any;
    any = 0;
    __syncthreads();
    if (in[blockIdx.x * 128 + threadIdx.x] % 7 == 0) any = 1; // several warps store the same value
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = any;
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[32]:zero
extern "C" __global__ void shared_histogram(const int *in, int *out) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 128 + threadIdx.x] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
// run: --grid 2 --block 128 --arg f32[256]:random:1 --arg f32[2]:zero
extern "C" __global__ void shared_atomic_floats(const float *in, float *out) {
    __shared__ float sum;
    __shared__ unsigned largest;
    if (threadIdx.x == 0) sum = 0, largest = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * 128 + threadIdx.x]);
    atomicMax(&largest, __float_as_uint(fabsf(in[blockIdx.x * 128 + threadIdx.x])));
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum + __uint_as_float(largest);
}
// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void shared_cas_list(const int *in, int *out) {
    __shared__ int head, next[128];
    if (threadIdx.x == 0) head = -1;
    __syncthreads();
    next[threadIdx.x] = atomicExch(&head, (int)threadIdx.x);
    __syncthreads();
    int length = 0;
    for (int i = head; i >= 0; i = next[i]) length++;
    out[threadIdx.x] = length + in[threadIdx.x];
}
// run: --grid 2 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void shared_votes_of_the_block(const int *in, int *out) {
    const int v = in[blockIdx.x * 128 + threadIdx.x];
    int sum = __syncthreads_count(v & 1);
    sum += __syncthreads_or(v == 77) + 2 * __syncthreads_and(v != 78);
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --shared 512 --arg f32[128]:random:1 --arg f32[64]:zero
extern "C" __global__ void shared_dynamic_in_parts(const float *in, float *out) {
    extern __shared__ float parts[];
    float *a = parts, *b = parts + 64;
    a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = in[64 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x] * b[threadIdx.x ^ 7];
}
// run: --grid 2 --block 32,8 --arg f32[4096]:random:1 --arg f32[4096]:zero
extern "C" __global__ void shared_transpose(const float *in, float *out) {
    __shared__ float tile[32][33];
    for (int y = threadIdx.y; y < 32; y += 8) tile[y][threadIdx.x] = in[(blockIdx.x * 32 + y) * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) out[blockIdx.x * 1024 + y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}
// run: --grid 2 --block 128 --arg i32:6 --arg f32[2048]:random:1 --arg f32[256]:zero
extern "C" __global__ void shared_copies_in_three_stages(int tiles, const float *in, float *out) {
    __shared__ alignas(16) float s[3][128];
    float sum = 0;
    for (int t = 0; t < 2; t++) {
        __pipeline_memcpy_async(&s[t][threadIdx.x], &in[(t * 2 + blockIdx.x) * 128 + threadIdx.x], 4);
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (t + 2 < tiles)
            __pipeline_memcpy_async(&s[(t + 2) % 3][threadIdx.x], &in[((t + 2) * 2 + blockIdx.x) * 128 + threadIdx.x],
                                    4);
        __pipeline_commit();
        sum += s[t % 3][127 - threadIdx.x];
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg i32:40 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void shared_copies_with_zeros(int n, const float *in, float *out) {
    __shared__ alignas(16) float s[256];
    const int left = n * 4 - (int)threadIdx.x * 16;
    const int zeros = left >= 16 ? 0 : left <= 0 ? 16 : 16 - left;
    __pipeline_memcpy_async(&s[threadIdx.x * 4], &in[threadIdx.x * 4], 16, (size_t)zeros);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 4; k++) out[k * 64 + threadIdx.x] = s[255 - (k * 64 + threadIdx.x)];
}
// run: --grid 1 --block 96 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void shared_named_barriers(const float *in, float *out) {
    // Warp 0 fills the halves of a buffer, and warps 1 and 2 read them. Barriers 1 and 2 mean
    // "full", 3 and 4 "empty".
    __shared__ float s[2][64];
    if (threadIdx.x < 32) {
        for (int t = 0; t < 4; t++) {
            if (t >= 2) asm volatile("barrier.sync %0, 96;" ::"r"(3 + (t & 1)) : "memory");
            for (int k = 0; k < 2; k++) s[t & 1][k * 32 + threadIdx.x] = in[t * 64 + k * 32 + threadIdx.x];
            asm volatile("barrier.arrive %0, 96;" ::"r"(1 + (t & 1)) : "memory");
        }
    } else {
        for (int t = 0; t < 4; t++) {
            asm volatile("barrier.sync %0, 96;" ::"r"(1 + (t & 1)) : "memory");
            out[t * 64 + threadIdx.x - 32] = s[t & 1][95 - threadIdx.x];
            if (t < 2) asm volatile("barrier.arrive %0, 96;" ::"r"(3 + (t & 1)) : "memory");
        }
    }
}
// run: --grid 1 --block 128 --arg i32:1 --arg f32[128]:random:1 --arg f32[128]:zero
extern "C" __global__ void shared_generic_pointer(int which, const float *in, float *out) {
    __shared__ float s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const float *from = which ? s : in;
    float v = from[127 - threadIdx.x];
    __syncthreads();
    float *to = which ? s : out;
    to[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] = to[threadIdx.x] + s[threadIdx.x];
}
struct particle {
    float x, y, z;
    int cell;
};
// run: --grid 1 --block 128 --arg f32[512]:random:1 --arg f32[128]:zero
extern "C" __global__ void shared_structures(const float *in, float *out) {
    __shared__ particle s[128];
    const int t = threadIdx.x;
    s[t] = particle{in[t], in[t + 128], in[t + 256], t ^ 77};
    __syncthreads();
    const particle p = s[s[t].cell];
    out[t] = p.x * p.y - p.z;
}
// run: --grid 1 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void shared_wide_vectors(const float4 *in, float4 *out) {
    __shared__ float4 s[64];
    s[threadIdx.x ^ threadIdx.x / 8] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void shared_own_values_without_barrier(const float *in, float *out) {
    __shared__ float s[4][64]; // each thread reads only what it wrote
    for (int k = 0; k < 4; k++) s[k][threadIdx.x] = in[threadIdx.x] * k;
    float v = 0;
    for (int k = 0; k < 4; k++) v += s[(k * 3 + (int)in[0]) & 3][threadIdx.x];
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void shared_written_by_one_read_by_all(const float *in, float *out) {
    __shared__ float scale, shift;
    if (threadIdx.x == 40) scale = in[3], shift = in[5];
    __syncthreads();
    out[threadIdx.x] = in[threadIdx.x] * scale + shift;
}
// run: --grid 3 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void shared_block_that_ends_early(const float *in, float *out) {
    __shared__ float s[64];
    if (blockIdx.x > 0) return; // all threads of blocks 1 and 2
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 128 --arg f32[512]:random:1 --arg f32[128]:zero
extern "C" __global__ void shared_shuffles_and_tile(const float *in, float *out) {
    __shared__ float part[4];
    float v = in[threadIdx.x];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 4 ? part[threadIdx.x] : 0;
        for (int k = 2; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
        if (threadIdx.x == 0) out[0] = v;
    }
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void shared_barriers_in_a_loop(const float *in, float *out) {
    __shared__ float s[64];
    float v = in[threadIdx.x];
    for (int k = 0; k < 10; k++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = 0.5f * (s[(threadIdx.x + 1) & 63] + s[(threadIdx.x + 63) & 63]);
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 64 --arg f64[64]:random:1 --arg f64[64]:zero
extern "C" __global__ void shared_doubles(const double *in, double *out) {
    __shared__ double s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = sqrt(fabs(s[63 - threadIdx.x])) / (1.0 + s[threadIdx.x] * s[threadIdx.x]);
}
// Each thread adds to its own bin, so it may read the bin without a barrier.
// run: --grid 1 --block 64 --arg i32[128]:random:1 --arg i32[64]:zero
extern "C" __global__ void shared_atomics_of_one_lane(const int *in, int *out) {
    __shared__ int bin[64];
    bin[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 2; i++) atomicAdd(&bin[threadIdx.x], in[64 * i + threadIdx.x]);
    out[threadIdx.x] = bin[threadIdx.x];
}
