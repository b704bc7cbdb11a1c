// Long chains of many kinds of instructions, with producers and consumers as close as nvcc puts
// them. `run:` is explained in ../list.awk.
#include <cuda_fp16.h>

// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_divide(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i] / (in[i ^ 1] | 1) + in[i] % 1000 + (int)((unsigned)in[i] / 7u);
}
// run: --grid 2 --block 64 --arg i64[256]:random:1 --arg i64[256]:zero
extern "C" __global__ void arithmetic_long(const long long *in, long long *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const long long a = in[i], b = in[i ^ 1];
    out[i] = a * b + (a >> (b & 63)) - (b << 7) + (a < b ? a / (b | 1) : b % 1001) + __mul64hi(a, b);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_bits(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    unsigned v = (unsigned)in[i];
    v ^= __popc(v) << 3;
    v = __brev(v) + __clz(v);
    v = __byte_perm(v, v >> 3, 0x3210 ^ 0x1111) + __ffs(v);
    v = __funnelshift_l(v, v * 9u, 5) | (v >> (__popc(v) & 31));
    out[i] = (int)(v ^ __dp4a((int)v, in[i ^ 1], 5));
}
// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void arithmetic_float_functions(const float *in, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float x = in[i];
    out[i] = sinf(x) + expf(x) * logf(2.0f + x) + sqrtf(1.5f + x) / (3.0f + cosf(x)) + powf(2.0f + x, 1.7f) + tanhf(x) +
             rsqrtf(2.0f + x);
}
// run: --grid 2 --block 64 --arg f64[256]:random:1 --arg f64[256]:zero
extern "C" __global__ void arithmetic_double_functions(const double *in, double *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const double x = in[i];
    out[i] = exp(x) + 1.0 / (2.0 + x) + sqrt(2.0 + x) + (x > 0 ? fma(x, x, 1.0) : x * 3.0) + (double)(float)x +
             (double)(int)(x * 100);
}
// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void arithmetic_half(const float *in, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const __half2 a = __floats2half2_rn(in[i], in[i ^ 1]), b = __floats2half2_rn(in[i ^ 2], in[i ^ 3]);
    const __half2 c = __hfma2(a, b, __hadd2(a, b));
    out[i] = __low2float(c) + __high2float(__hmul2(c, a)) + __half2float(__float2half(in[i]));
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void arithmetic_convert(const int *in, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float x = (float)in[i] + (float)(unsigned)in[i] + (float)(short)in[i] + (float)(signed char)in[i];
    out[i] = truncf(x * 1e-3f) + (float)(long long)x + (float)(unsigned char)(in[i] >> 8) + rintf(x);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_predicates(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const int a = in[i], b = in[i ^ 1], c = in[i ^ 2];
    const bool p = a < b, q = b<c, r = (a ^ c)> 100;
    out[i] = (p && q) || (!p && r) ? (q != r ? a : b) : p ? max(a, min(b, c)) : a - (r ? 1 : 2) * c;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_addresses(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    long long at = (long long)(in[i] & 63) * 3 - (i & 7);
    at = at < 0 ? -at : at;
    const int *p = in + (at & 127);
    out[(i * 5 + 3) & 127] = p[i & 1] + in[((unsigned)in[i] >> 25) + (unsigned)(i & 3)];
}
// run: --grid 2 --block 64 --arg i32:5 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_uniform(int n, const int *in, int *out) {
    int base = n * (int)blockIdx.x + 3;
    base = base > 10 ? base << 2 : base ^ n;
    for (int k = 0; k < n; k++) {
        base = base * 3 + k;
        out[blockIdx.x * 64 + threadIdx.x] = in[(base & 63) + (threadIdx.x & 31)] + __popc(base) + base / 3;
    }
}
__constant__ int table[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                              2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_constants(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = table[in[i] & 31] * table[blockIdx.x] + table[(threadIdx.x * 7) & 31];
}
// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void arithmetic_polynomial(const float *in, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    float x = in[i], y = 1;
#pragma unroll
    for (int k = 0; k < 24; k++) y = fmaf(y, x, (k & 1 ? y : x) * 0.5f);
    out[i] = fminf(fmaxf(y, -100.0f), 100.0f);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_carry(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    unsigned a = (unsigned)in[i], b = (unsigned)in[i ^ 1], c = 0, d = 7;
    for (int k = 0; k < 4; k++) {
        unsigned long long s = ((unsigned long long)c << 32 | d) + ((unsigned long long)a << 32 | b) * 3;
        d = (unsigned)s, c = (unsigned)(s >> 32);
    }
    out[i] = (int)(c ^ d);
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void arithmetic_clock(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const long long start = clock64();
    int v = in[i];
    for (int k = 0; k < 4; k++) v = v * 3 + 1;
    const long long taken = clock64() - start;
    out[i] = v + (taken < 0);
}
// HFMA2 with one factor for both halves and a constant addend. The values are small integers, so
// that no result is rounded.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void arithmetic_half2_plus_a_constant(const int *in, float *out) {
    const float a = (float)(in[threadIdx.x] & 15), b = (float)(in[threadIdx.x ^ 1] & 7);
    const half2 m = __half2half2(__float2half(b));
    half2 x = __floats2half2_rn(a, a + 1);
    x = __hfma2(x, m, __float2half2_rn(3));
    const float2 y = __half22float2(x);
    if (y.x != a * b + 3 || y.y != (a + 1) * b + 3) __trap();
    out[threadIdx.x] = y.x;
}
