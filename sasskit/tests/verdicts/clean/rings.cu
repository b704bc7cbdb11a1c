// Rings of stages that cp.async fills, per warp or block; FP8; atomics compiled to loops.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>

template <int STAGES> static __device__ void ring(const int *in, int *out, int rounds) {
    __shared__ int s[STAGES][64];
    for (int k = 0; k < STAGES - 1; k++) {
        if (k < rounds) __pipeline_memcpy_async(&s[k][threadIdx.x], &in[k * 64 + threadIdx.x], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < rounds; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        out[k * 64 + threadIdx.x] = s[k % STAGES][63 - threadIdx.x];
        const int next = k + STAGES - 1;
        if (next < rounds) __pipeline_memcpy_async(&s[next % STAGES][threadIdx.x], &in[next * 64 + threadIdx.x], 4);
        __pipeline_commit();
    }
}
// run: --grid 1 --block 64 --arg i32[640]:random:1 --arg i32[640]:zero
extern "C" __global__ void ring_of_three_stages(const int *in, int *out) {
    ring<3>(in, out, 10);
}
// run: --grid 2 --block 64 --arg i32[640]:random:1 --arg i32[640]:zero
extern "C" __global__ void ring_of_four_stages(const int *in, int *out) {
    ring<4>(in, out, 10);
}
// run: --grid 1 --block 64 --arg i32[640]:random:1 --arg i32[640]:zero
extern "C" __global__ void ring_of_five_stages_short(const int *in, int *out) {
    ring<5>(in, out, 3);
}

// Each warp has its own ring.
// run: --grid 1 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero
extern "C" __global__ void ring_of_each_warp(const int *in, int *out) {
    __shared__ int s[4][2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    in += warp * 256, out += warp * 256;
    __pipeline_memcpy_async(&s[warp][0][lane], &in[lane], 4);
    __pipeline_commit();
    for (int k = 0; k < 8; k++) {
        if (k < 7) __pipeline_memcpy_async(&s[warp][(k + 1) % 2][lane], &in[(k + 1) * 32 + lane], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncwarp();
        out[k * 32 + lane] = s[warp][k % 2][31 - lane];
        __syncwarp();
    }
}

// The last stage is copied but never used. Each block has its own shared memory, so nothing races.
// run: --grid 9 --block 64 --arg i32[128]:random:1 --arg i32[576]:zero
extern "C" __global__ void ring_with_a_stage_too_many(const int *in, int *out) {
    __shared__ int s[2][64];
    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&s[k][threadIdx.x], &in[k * 64 + threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[0][63 - threadIdx.x];
}

// Half of the threads copy, and the others only wait at the barrier.
// run: --grid 1 --block 128 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void ring_that_half_the_block_fills(const int4 *in, int4 *out) {
    __shared__ int4 s[64];
    if (threadIdx.x < 64) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    if (threadIdx.x >= 64) out[127 - threadIdx.x] = s[threadIdx.x - 64];
}

// Conversions to FP8 and back: 0 stays 0, and a second conversion changes nothing.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg u8[64]:zero --arg f32[64]:zero
extern "C" __global__ void fp8_there_and_back(const float *in, unsigned char *bytes, float *out) {
    const __nv_fp8_e4m3 zero(0.0f), minus(-0.0f), x(in[threadIdx.x]);
    if (zero.__x != 0 || minus.__x != 0x80 || float(zero) != 0.0f) __trap();
    if (float(__nv_fp8_e4m3(float(x))) != float(x)) __trap();
    bytes[threadIdx.x] = x.__x;
    out[threadIdx.x] = float(x);
}
// run: --grid 1 --block 64 --arg f32[64]:zero --arg u8[64]:zero
extern "C" __global__ void fp8_of_zeros(const float *in, unsigned char *bytes) {
    const __nv_fp8_e5m2 x(in[threadIdx.x]);
    const __nv_fp8x2_e4m3 pair(make_float2(in[threadIdx.x], 448.0f));
    if (x.__x != 0 || pair.__x != 0x7e00) __trap();
    bytes[threadIdx.x] = x.__x;
}
// run: --grid 1 --block 32 --arg f16[32]:random:1 --arg f16[32]:zero
extern "C" __global__ void fp8_of_halves(const __half *in, __half *out) {
    const __nv_fp8_e4m3 x(in[threadIdx.x]);
    out[threadIdx.x] = __half(x);
    if (__half2float(__half(__nv_fp8_e4m3(__half(x)))) != __half2float(out[threadIdx.x])) __trap();
}

// Sums of floats, doubles and 64-bit integers in shared memory, compiled to compare-and-swap loops.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg u64[64]:random:1 --arg f32[1]:zero
extern "C" __global__ void atomics_that_are_swaps(const float *x, const unsigned long long *y, float *out) {
    __shared__ float s;
    __shared__ unsigned long long t;
    __shared__ double d;
    if (threadIdx.x == 0) s = 0, t = 0, d = 0;
    __syncthreads();
    atomicAdd(&s, 1.0f);
    atomicAdd(&t, y[threadIdx.x]);
    atomicAdd(&d, 1.0);
    __syncthreads();
    unsigned long long sum = 0;
    for (int i = 0; i < 64; i++) sum += y[i];
    if (s != 64 || d != 64 || t != sum) __trap();
    out[0] = s;
}
