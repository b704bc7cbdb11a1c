// Correct typical programs: sorts, scans, histograms, stencils, recursion, bytes, shuffles.
#include <cuda_fp16.h>

#define CHECK(x) \
    if (!(x)) __trap()

// run: --grid 4 --block 128 --arg i32[512]:random:1 --arg i32[512]:zero --arg i32[1]:zero
extern "C" __global__ void program_filter_aggregated(const int *in, int *out, int *n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    if (v & 1) {
        unsigned active = __activemask();
        int lane = threadIdx.x & 31, leader = __ffs(active) - 1, base;
        if (lane == leader) base = atomicAdd(n, __popc(active));
        base = __shfl_sync(active, base, leader);
        out[base + __popc(active & ((1u << lane) - 1))] = v;
    }
}

// run: --grid 1 --block 256 --arg u32[256]:random:3 --arg u32[256]:zero
extern "C" __global__ void program_radix_sort(const unsigned *in, unsigned *out) {
    __shared__ unsigned keys[256], warpZeros[8], total;
    keys[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int bit = 0; bit < 32; bit++) {
        unsigned k = keys[threadIdx.x], one = k >> bit & 1;
        unsigned ballot = __ballot_sync(~0u, !one);
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        unsigned rank = __popc(ballot & ((1u << lane) - 1));
        if (lane == 0) warpZeros[warp] = __popc(ballot);
        __syncthreads();
        if (threadIdx.x < 32) {
            unsigned v = lane < 8 ? warpZeros[lane] : 0, s = v;
            for (int d = 1; d < 8; d *= 2) {
                unsigned t = __shfl_up_sync(~0u, s, d);
                if (lane >= d) s += t;
            }
            if (lane < 8) warpZeros[lane] = s - v;
            if (lane == 7) total = s;
        }
        __syncthreads();
        unsigned zerosBefore = warpZeros[warp] + rank;
        unsigned to = one ? total + threadIdx.x - zerosBefore : zerosBefore;
        keys[to] = k;
        __syncthreads();
    }
    out[threadIdx.x] = keys[threadIdx.x];
    if (threadIdx.x) CHECK(keys[threadIdx.x - 1] <= keys[threadIdx.x]);
}

// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[256]:zero
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
            if (j > 16)
                __syncthreads();
            else if (j > 1)
                __syncwarp();
            else
                __syncthreads();
        }
    out[t] = s[t];
    if (t) CHECK(s[t - 1] <= s[t]);
}

// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[1]:zero
extern "C" __global__ void program_warp_synchronous_sum(const float *in, float *out) {
    __shared__ volatile float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        __syncwarp();
        for (int d = 16; d; d /= 2) {
            s[t] = v;
            __syncwarp();
            if (t < d) v += s[t + d];
            __syncwarp();
        }
        if (t == 0) *out = v;
    }
}

__device__ __noinline__ float dot(const float *a, const float *b, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void program_any_space(const float *in, float *out) {
    __shared__ float sh[16];
    float lo[16];
    if (threadIdx.x < 16) sh[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < 16; i++) lo[i] = in[(i * 7 + threadIdx.x) & 63];
    __syncthreads();
    const float *p = threadIdx.x % 3 == 0 ? sh : threadIdx.x % 3 == 1 ? in + 8 : lo;
    out[threadIdx.x] = dot(p, lo, 16) + dot(sh, p, 16);
}

struct shape {
    virtual __device__ float area(float x) const = 0;
};
struct square : shape {
    __device__ float area(float x) const override {
        return x * x;
    }
};
struct circle : shape {
    float pi;
    __device__ circle(float p) : pi(p) {
    }
    __device__ float area(float x) const override {
        return pi * x * x;
    }
};
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void program_virtual_calls(const float *in, float *out) {
    square s;
    circle c(3.0f);
    const shape *p = threadIdx.x & 1 ? (const shape *)&s : &c;
    out[threadIdx.x] = p->area(in[threadIdx.x]);
    const float x = in[threadIdx.x];
    CHECK(out[threadIdx.x] == (threadIdx.x & 1 ? x * x : 3.0f * x * x));
}

__device__ __noinline__ int ack(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__device__ __noinline__ bool odd(int n);
__device__ __noinline__ bool even(int n) {
    return n == 0 || odd(n - 1);
}
__device__ __noinline__ bool odd(int n) {
    return n != 0 && even(n - 1);
}
// run: --grid 1 --block 32 --arg i32[32]:zero
extern "C" __global__ void program_recursion_mutual(int *out) {
    int n = threadIdx.x % 5;
    int a = ack(1, n);
    CHECK(a == n + 2);
    CHECK(even(threadIdx.x) == (threadIdx.x % 2 == 0));
    out[threadIdx.x] = a;
}

__device__ void quick(int *a, int lo, int hi) {
    if (lo >= hi) return;
    int p = a[hi], i = lo;
    for (int j = lo; j < hi; j++)
        if (a[j] < p) {
            int t = a[i];
            a[i++] = a[j];
            a[j] = t;
        }
    int t = a[i];
    a[i] = a[hi];
    a[hi] = t;
    quick(a, lo, i - 1);
    quick(a, i + 1, hi);
}
// run: --grid 1 --block 32 --arg i32[512]:random:1
extern "C" __global__ void program_quick_sort_each(int *a) {
    quick(a + threadIdx.x * 16, 0, 15);
    for (int i = 1; i < 16; i++) CHECK(a[threadIdx.x * 16 + i - 1] <= a[threadIdx.x * 16 + i]);
}

union bits {
    float f;
    unsigned u;
    unsigned char b[4];
    unsigned short h[2];
};
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void program_union_alias(const float *in, float *out) {
    __shared__ bits s[64];
    s[threadIdx.x].f = in[threadIdx.x];
    __syncthreads();
    bits v;
    for (int i = 0; i < 4; i++) v.b[i] = s[63 - threadIdx.x].b[i];
    __syncthreads();
    s[threadIdx.x].b[3] ^= 0x80;
    __syncthreads();
    out[threadIdx.x] = v.f + s[threadIdx.x].f;
    CHECK(v.f == in[63 - threadIdx.x] && s[threadIdx.x].f == -in[threadIdx.x]);
}

// run: --grid 1 --block 96 --shared 4096 --arg i32[96]:random:1 --arg f32[96]:zero
extern "C" __global__ void program_dynamic_carved(const int *in, float *out) {
    extern __shared__ __align__(16) unsigned char raw[];
    double *d = (double *)raw;
    float *f = (float *)(d + 96);
    short *h = (short *)(f + 96);
    char *c = (char *)(h + 96);
    int t = threadIdx.x;
    d[t] = in[t];
    f[t] = in[t] * .5f;
    h[t] = (short)in[t];
    c[t] = (char)in[t];
    __syncthreads();
    int o = 95 - t;
    CHECK(d[o] == in[o] && f[o] == in[o] * .5f && h[o] == (short)in[o] && c[o] == (char)in[o]);
    out[t] = (float)d[o] + f[o] + h[o] + c[o];
}

// run: --grid 1 --block 100 --arg i32[100]:random:5 --arg i32[100]:zero
extern "C" __global__ void program_partial_shuffles(const int *in, int *out) {
    int t = threadIdx.x, lane = t & 31, v = in[t];
    unsigned all = __ballot_sync(__activemask(), true);
    int n = __popc(all);
    if (v & 4) {
        unsigned m = __activemask();
        int first = __shfl_sync(m, v, __ffs(m) - 1);
        v += first;
    }
    __syncwarp(all);
    for (int d = 8; d; d /= 2) {
        int o = __shfl_down_sync(all, v, d, 16);
        if ((lane & 15) + d < 16 && lane + d < n) v += o;
    }
    out[t] = v;
}

// run: --grid 1 --block 64 --arg i32[64]:random:5 --arg i32[64]:zero
extern "C" __global__ void program_divergent_trips(const int *in, int *out) {
    int t = threadIdx.x, v = in[t] & 15, s = 0;
    for (int i = 0; i < v; i++) {
        s += in[(t + i) & 63];
        if (s & 8) continue;
        if ((s & 0x70) == 0x70) break;
    }
    __syncwarp();
    s += __shfl_xor_sync(~0u, s, 1);
    if (t > 50) return;
    unsigned m = __ballot_sync(t < 32 ? ~0u : 0x7ffffu, s & 1);
    out[t] = s + __popc(m);
}

// run: --grid 1 --block 128 --arg f16[256]:random:1 --arg f16[256]:zero
extern "C" __global__ void program_half_stencil(const __half *in, __half *out) {
    __shared__ __half s[258];
    int t = threadIdx.x;
    s[1 + t] = in[t];
    s[129 + t] = in[128 + t];
    if (t == 0) s[0] = in[0], s[257] = in[255];
    __syncthreads();
    for (int i = t; i < 256; i += 128) {
        __half r = __hadd(__hadd(s[i], s[i + 2]), __hmul(__float2half(2.0f), s[i + 1]));
        out[i] = r;
    }
    __syncthreads();
    __half2 *p = (__half2 *)out;
    p[t] = __hfma2(p[t], __float2half2_rn(.25f), __float2half2_rn(0));
}

// run: --grid 1 --block 128 --arg u8[1024]:random:1 --arg u8[1024]:zero --arg u32[128]:zero
extern "C" __global__ void program_bytes_simd(const unsigned char *in, unsigned char *out, unsigned *words) {
    __shared__ unsigned char s[1024];
    int t = threadIdx.x;
    ((uint2 *)s)[t] = ((const uint2 *)in)[t];
    __syncthreads();
    for (int i = t; i < 1024; i += 128) out[1023 - i] = s[i] > 127 ? 255 - s[i] : s[i] << 1;
    unsigned a = ((unsigned *)s)[t], b = ((unsigned *)s)[255 - t];
    words[t] = __vadd4(a, b) ^ __byte_perm(a, b, 0x3715) ^ __funnelshift_l(a, b, t & 31) ^ __brev(a) ^
               __vabsdiffu4(a, b) + __dp4a(a, b, 3u) + __clz(a) + __vmaxu2(a, b);
}

// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ void program_syncthreads_votes(const int *in, int *out) {
    int v = in[threadIdx.x];
    int c = __syncthreads_count(v & 1), a = __syncthreads_and(v >= 0 || v < 0), o = __syncthreads_or(v & 2);
    CHECK(a);
    out[threadIdx.x] = c + (o != 0);
}

// run: --grid 8 --block 128 --arg i32[1024]:random:1 --arg i32[1024]:zero --arg u64[8]:zero --arg u32[1]:zero
extern "C" __global__ void program_look_back(const int *in, int *out, volatile unsigned long long *state,
                                             unsigned *ticket) {
    __shared__ int sums[4], id, before;
    if (threadIdx.x == 0) id = atomicAdd(ticket, 1);
    __syncthreads();
    int block = id, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    int v = in[block * 128 + threadIdx.x] & 0xff, s = v;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int o = __shfl_up_sync(~0u, s, d);
        if (lane >= d) s += o;
    }
    if (lane == 31) sums[w] = s;
    __syncthreads();
    int add = 0, total = 0;
    for (int i = 0; i < 4; i++) {
        if (i < w) add += sums[i];
        total += sums[i];
    }
    if (threadIdx.x == 0) {
        int prefix = 0;
        state[block] = 1ull << 32 | (unsigned)total;
        for (int b = block - 1; b >= 0;) {
            unsigned long long x = state[b];
            unsigned kind = x >> 32;
            if (kind == 0) continue;
            prefix += (unsigned)x;
            if (kind == 2) break;
            b--;
        }
        state[block] = 2ull << 32 | (unsigned)(prefix + total);
        before = prefix;
    }
    __syncthreads();
    out[block * 128 + threadIdx.x] = before + add + s;
}

// run: --grid 4 --block 64 --arg f64[256]:random:1 --arg f64[1]:zero --arg u32[1]:zero --arg f64[4]:zero
extern "C" __global__ void program_last_block_sum(const double *in, double *out, unsigned *count, double *part) {
    double v = in[blockIdx.x * 64 + threadIdx.x];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    __shared__ double s[2];
    __shared__ bool last;
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s[0] + s[1];
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        double t = 0;
        for (int i = 0; i < 4; i++) t += ((volatile double *)part)[i];
        *out = t;
    }
}

// run: --grid 1 --block 256 --arg u8[4096]:random:1 --arg u32[256]:zero
extern "C" __global__ void program_histogram_of_warps(const unsigned char *in, unsigned *out) {
    __shared__ unsigned h[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&h[0][0])[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) {
        uchar4 c = ((const uchar4 *)in)[i];
        unsigned *m = h[threadIdx.x / 32];
        atomicAdd(&m[c.x], 1);
        atomicAdd(&m[c.y], 1);
        atomicAdd(&m[c.z], 1);
        atomicAdd(&m[c.w], 1);
    }
    __syncthreads();
    unsigned s = 0;
    for (int w = 0; w < 8; w++) s += h[w][threadIdx.x];
    out[threadIdx.x] = s;
}

// run: --grid 1 --block 128 --arg u64[16]:zero --arg i32[128]:random:1
extern "C" __global__ void program_atomics_wide(unsigned long long *g, const int *in) {
    __shared__ unsigned long long m, a;
    __shared__ double d;
    __shared__ unsigned x;
    if (threadIdx.x == 0) m = 0, a = 0, d = 0, x = 0;
    __syncthreads();
    atomicMax(&m, (unsigned long long)(unsigned)in[threadIdx.x] << 20);
    atomicAdd(&a, (unsigned long long)threadIdx.x);
    atomicAdd(&d, (double)threadIdx.x);
    atomicXor(&x, 1u << (threadIdx.x & 31));
    unsigned long long old = g[0], seen;
    do {
        seen = old;
        old = atomicCAS(&g[0], seen, seen + 3);
    } while (old != seen);
    atomicMin((long long *)&g[1], -(long long)threadIdx.x);
    atomicExch(&g[2], 5ull);
    __syncthreads();
    CHECK(a == 127 * 64 && d == 127 * 64 && x == 0);
    if (threadIdx.x == 0) g[3] = m;
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void program_kogge_stone(const int *in, int *out) {
    __shared__ int s[2][64];
    int t = threadIdx.x, p = 0;
    s[0][t] = in[t];
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        s[p ^ 1][t] = t >= d ? s[p][t] + s[p][t - d] : s[p][t];
        p ^= 1;
    }
    out[t] = s[p][t];
}

// run: --grid 1 --block 16,16 --arg u8[256]:random:1 --arg u8[256]:zero
extern "C" __global__ void program_life(const unsigned char *in, unsigned char *out) {
    __shared__ unsigned char c[18][18];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    for (int i = t; i < 18 * 18; i += 256) {
        int r = (i / 18 + 15) & 15, k = (i % 18 + 15) & 15;
        c[i / 18][i % 18] = in[r * 16 + k] & 1;
    }
    __syncthreads();
    for (int g = 0; g < 3; g++) {
        int n = 0;
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++) n += c[y + dy][x + dx];
        bool me = c[y + 1][x + 1], now = n == 3 || (me && n == 4);
        __syncthreads();
        c[y + 1][x + 1] = now;
        if (y == 0) c[17][x + 1] = now;
        if (y == 15) c[0][x + 1] = now;
        if (x == 0) c[y + 1][17] = now;
        if (x == 15) c[y + 1][0] = now;
        if ((x == 0 || x == 15) && (y == 0 || y == 15)) c[y ? 0 : 17][x ? 0 : 17] = now;
        __syncthreads();
    }
    out[t] = c[y + 1][x + 1];
}

// Constant memory and device memory, read through one generic pointer.
__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int dtable[4] = {7, 8, 9, 10};
__device__ __noinline__ int pick(const int *p, int i) {
    return p[i];
}
// run: --grid 1 --block 32 --arg i32[32]:zero
extern "C" __global__ void program_constant_by_pointer(int *out) {
    const int *p = threadIdx.x & 1 ? table : dtable;
    out[threadIdx.x] = pick(p, threadIdx.x & 3);
    CHECK(out[threadIdx.x] == (threadIdx.x & 1 ? (threadIdx.x & 2 ? 1 : 1) : (threadIdx.x & 2 ? 9 : 7)));
}

struct node {
    int key;
    node *left, *right;
};
// run: --grid 1 --block 32 --arg i32[32]:zero
extern "C" __global__ void program_tree_with_new(int *out) {
    node *root = nullptr;
    int x = threadIdx.x * 37 + 11, n = 0;
    for (int i = 0; i < 6; i++) {
        x = x * 1103515245 + 12345;
        node *q = new node{(x >> 16) & 255, nullptr, nullptr};
        node **p = &root;
        while (*p) p = q->key < (*p)->key ? &(*p)->left : &(*p)->right;
        *p = q;
    }
    node *stack[8];
    int top = 0, last = -1;
    for (node *c = root; c || top;) {
        while (c) stack[top++] = c, c = c->left;
        c = stack[--top];
        CHECK(last <= c->key);
        last = c->key;
        n++;
        node *next = c->right;
        c = next;
    }
    out[threadIdx.x] = n;
}

// Allocates and frees ten times the size of the heap (8 MB), 64 KB at a time per thread.
// run: --grid 2 --block 32 --arg i32[64]:zero --races global
extern "C" __global__ void program_malloc_and_free(int *out) {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        int *p = (int *)malloc(64 * 1024);
        CHECK(p != nullptr);
        p[threadIdx.x] = i;
        p[16383] = 1;
        sum += p[threadIdx.x] + p[16383];
        free(p);
    }
    free(nullptr);
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// run: --grid 1 --block 64 --arg i32[64]:zero
extern "C" __global__ void program_heap_for_the_block(int *out) {
    __shared__ int *all;
    if (threadIdx.x == 0) all = new int[blockDim.x];
    __syncthreads();
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) delete[] all;
}

__device__ int fa(int x) {
    return x + 1;
}
__device__ int fb(int x) {
    return x * 3;
}
__device__ int fc(int x) {
    return x & 1 ? fb(x) : fa(x);
}
typedef int (*fun)(int);
__device__ fun table_of_functions[3] = {fa, fb, fc};
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void program_function_table(const int *in, int *out) {
    int x = in[threadIdx.x] & 15;
    for (int i = 0; i < 4; i++) x = table_of_functions[(threadIdx.x + i) % 3](x);
    out[threadIdx.x] = x;
}

// run: --grid 1 --block 128 --arg f32[4096]:random:1 --arg f32[4096]:zero
extern "C" __global__ void program_softmax_rows(const float *in, float *out) {
    __shared__ float red[4];
    for (int row = 0; row < 8; row++) {
        float4 v = ((const float4 *)in)[row * 128 + threadIdx.x];
        float m = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
        if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = m;
        __syncthreads();
        m = fmaxf(fmaxf(red[0], red[1]), fmaxf(red[2], red[3]));
        __syncthreads();
        v.x = __expf(v.x - m);
        v.y = __expf(v.y - m);
        v.z = __expf(v.z - m);
        v.w = __expf(v.w - m);
        float s = v.x + v.y + v.z + v.w;
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
        if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = s;
        __syncthreads();
        s = 1.0f / (red[0] + red[1] + red[2] + red[3]);
        __syncthreads();
        v.x *= s;
        v.y *= s;
        v.z *= s;
        v.w *= s;
        ((float4 *)out)[row * 128 + threadIdx.x] = v;
    }
}

// run: --grid 1 --block 256 --shared 2048 --arg f32[512]:random:1 --arg f32[512]:zero
extern "C" __global__ void program_fft(const float *in, float *out) {
    extern __shared__ float2 s2[];
    int t = threadIdx.x;
    s2[__brev(t) >> 24] = make_float2(in[2 * t], in[2 * t + 1]);
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        if (t < 128) {
            int pos = t & (half - 1), i = ((t - pos) << 1) + pos;
            float sn, cs;
            sincospif(-(float)pos / half, &sn, &cs);
            float2 a = s2[i], b = s2[i + half];
            float2 w = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
            s2[i] = make_float2(a.x + w.x, a.y + w.y);
            s2[i + half] = make_float2(a.x - w.x, a.y - w.y);
        }
        __syncthreads();
    }
    out[2 * t] = s2[t].x;
    out[2 * t + 1] = s2[t].y;
}

#if __CUDA_ARCH__ >= 900
// A kernel for programmatic dependent launch, which may overlap the launches before and after it.
// Here there is only one launch.
// run: --grid 2 --block 64 --arg f32[128]:random:1 --arg f32[128]:zero
extern "C" __global__ void program_dependent_launch(const float *in, float *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    out[i] = 2 * in[i];
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif

// Two kernels that poll until a clock or a computed number ends the loop: no deadlock.
// run: --grid 2 --block 32 --arg i32[1]:zero --arg i32[64]:zero
extern "C" __global__ void program_polls_by_clock(volatile int *flag, int *out) {
    long long start = clock64();
    while (*flag == 0 && clock64() - start < 200000) {
    }
    out[blockIdx.x * 32 + threadIdx.x] = 1;
}
// run: --grid 2 --block 32 --arg i32[1]:zero --arg i32[64]:zero
extern "C" __global__ void program_polls_by_number(volatile int *flag, int *out) {
    unsigned x = threadIdx.x, n = 0;
    for (; *flag == 0 && x >> 20 != 77; n++) x = x * 1664525u + 1013904223u;
    out[blockIdx.x * 32 + threadIdx.x] = n;
}
