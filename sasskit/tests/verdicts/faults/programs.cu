// Typical programs, each with one mistake. `run:` and `says:` are explained in ../list.awk.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[256]:zero
// says: race barrier-in-condition @ float a = s[t], b = s[o];
extern "C" __global__ void program_bitonic(const float *in, float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t) {
                float a = s[t], b = s[o];
                if ((t & k) == 0 ? a > b : a < b) s[t] = b, s[o] = a;
            }
            if (j > 32)
                __syncthreads();
            else
                __syncwarp();
        }
    out[t] = s[t];
}

// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[1]:zero
// says: race missing-syncwarp @ s[t] += s[t + 16];
extern "C" __global__ void program_warp_sync_sum(const float *in, float *out) {
    __shared__ volatile float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
        if (t == 0) *out = s[0];
    }
}

// run: --grid 1 --block 256 --arg u32[256]:random:3 --arg u32[256]:zero
// says: race missing-barrier @ if (i < warp) before += warpZeros[i];
extern "C" __global__ void program_radix(const unsigned *in, unsigned *out) {
    __shared__ unsigned keys[256], warpZeros[8];
    keys[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int bit = 0; bit < 4; bit++) {
        unsigned k = keys[threadIdx.x], one = k >> bit & 1;
        unsigned ballot = __ballot_sync(~0u, !one);
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        if (lane == 0) warpZeros[warp] = __popc(ballot);
        __syncthreads();
        unsigned before = 0, total = 0;
        for (int i = 0; i < 8; i++) {
            if (i < warp) before += warpZeros[i];
            total += warpZeros[i];
        }
        unsigned z = before + __popc(ballot & ((1u << lane) - 1));
        keys[one ? total + threadIdx.x - z : z] = k;
    }
    __syncthreads();
    out[threadIdx.x] = keys[threadIdx.x];
}

__device__ __noinline__ float dot(const float *a, const float *b, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: address shared-index, 68 of 64 bytes @ for (int i = 0; i < n; i++) s += a[i] * b[i];
extern "C" __global__ void program_any_space_beyond(const float *in, float *out) {
    __shared__ float sh[16];
    if (threadIdx.x < 16) sh[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const float *p = threadIdx.x % 2 == 0 ? sh : in + 8;
    out[threadIdx.x] = dot(p, in, 17);
}

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race missing-barrier @ sh[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void program_any_space_race(const float *in, float *out) {
    __shared__ float sh[64];
    sh[threadIdx.x] = in[threadIdx.x];
    const float *p = threadIdx.x % 2 == 0 ? sh : in;
    out[threadIdx.x] = dot(p, in, 64);
}

// run: --grid 1 --block 96 --shared 512 --arg i32[96]:random:1 --arg f32[96]:zero
// says: address shared-too-small, 520 of 512 bytes @ d[t] = in[t];
extern "C" __global__ void program_dynamic_too_small(const int *in, float *out) {
    extern __shared__ __align__(16) unsigned char raw[];
    double *d = (double *)raw;
    int t = threadIdx.x;
    d[t] = in[t];
    __syncthreads();
    out[t] = (float)d[95 - t];
}

// run: --grid 1 --block 100 --arg i32[100]:random:5 --arg i32[100]:zero
// says: lane absent-lane @ for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
extern "C" __global__ void program_shuffle_last_warp(const int *in, int *out) {
    int v = in[threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    out[threadIdx.x] = v;
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race read-and-write @ if (t >= d) s[t] += s[t - d];
extern "C" __global__ void program_kogge(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        if (t >= d) s[t] += s[t - d];
    }
    out[t] = s[t];
}

// run: --grid 1 --block 16,16 --arg u8[256]:random:1 --arg u8[256]:zero
// says: race missing-barrier @ for (int dx = 0; dx < 3; dx++) n += c[y + dy][x + dx];
extern "C" __global__ void program_life(const unsigned char *in, unsigned char *out) {
    __shared__ unsigned char c[18][18];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    for (int i = t; i < 18 * 18; i += 256) c[i / 18][i % 18] = in[(i * 7) & 255] & 1;
    __syncthreads();
    int n = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) n += c[y + dy][x + dx];
    c[y + 1][x + 1] = n == 3;
    __syncthreads();
    out[t] = c[y + 1][x + 1];
}

// run: --grid 1 --block 64 --arg u8[4096]:random:1 --arg u32[256]:zero
// says: race missing-barrier @ for (int i = threadIdx.x; i < 256; i += 64) h[i] = 0;
extern "C" __global__ void program_histogram(const unsigned char *in, unsigned *out) {
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < 256; i += 64) h[i] = 0;
    for (int i = threadIdx.x; i < 4096; i += 64) atomicAdd(&h[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 64) out[i] = h[i];
}

// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race missing-barrier @ out[threadIdx.x] = atomicAdd(&count, (int)threadIdx.x);
extern "C" __global__ void program_counter_cleared(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    out[threadIdx.x] = atomicAdd(&count, (int)threadIdx.x);
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race not-atomic @ h[in[threadIdx.x] & 15]++;
extern "C" __global__ void program_histogram_plain(const int *in, int *out) {
    __shared__ int h[16];
    if (threadIdx.x < 16) h[threadIdx.x] = 0;
    __syncthreads();
    h[in[threadIdx.x] & 15]++;
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = h[threadIdx.x];
}

// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
// says: lane absent-lane @ v += tile.shfl_down(v, 1);
extern "C" __global__ void program_cg_sync_divergent(const int *in, int *out) {
    auto b = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(b);
    int v = in[threadIdx.x];
    if (threadIdx.x % 32 < 16)
        v += tile.shfl_down(v, 1);
    else if (threadIdx.x % 32 < 20)
        b.sync();
    out[threadIdx.x] = v;
}
