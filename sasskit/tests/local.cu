// Kernels that access local memory or diverge. They were measured with ncu on an H200
// (docs/results/h200/local_counters.csv); ncu_test.sh compares the simulator's counters.

// Each thread t below n stores to element t * times / by, modulo 64, of its own array, and loads
// it. The load's index adds `further`, which is 0, but the compiler does not know that.
#define LOCAL(NAME, TYPE) \
    extern "C" __global__ void NAME(int times, int by, int n, int further, TYPE *o) { \
        TYPE x[64]; \
        int t = threadIdx.x; \
        if (t >= n) return; \
        int i = t * times / by & 63; \
        x[i] = o[t]; \
        o[t + 32] = x[(i + further) & 63]; \
    }
LOCAL(local_1, char)
LOCAL(local_2, short)
LOCAL(local_4, float)
LOCAL(local_8, float2)
LOCAL(local_16, float4)

extern "C" __global__ void branch_if(int n, int *o) {
    int t = threadIdx.x;
    if (t < n) {
        for (int i = 0; i < o[128]; i++) o[t] += i * 7;
    } else
        o[t] = o[t + 64] * o[t + 128];
    o[t] += 1;
}
extern "C" __global__ void branch_loop(int n, int *o) {
    int t = threadIdx.x;
    for (int i = 0; i < (t & n); i++) o[t] += o[i + 32];
}

// Needs 48 values in 32 registers, so the compiler spills some of them.
extern "C" __global__ void __launch_bounds__(64, 32) spills(int n, const float *in, float *out) {
    int i = threadIdx.x;
    if (i >= n) return;
    float a[48];
#pragma unroll
    for (int k = 0; k < 48; k++) a[k] = in[(i + k) & 127];
#pragma unroll 1
    for (int r = 0; r < 3; r++) {
#pragma unroll
        for (int k = 0; k < 48; k++) a[k] = a[k] * a[(k * 7 + 1) % 48] + a[(k + 5) % 48];
    }
    float s = 0;
    for (int k = 0; k < 48; k++) s += a[k];
    out[i] = s;
}

// get() and put() use generic addresses: of x, or of `o` in a branch that never runs (m is not 99).
template <class T> __device__ __noinline__ T get(const T *p, int i) {
    return p[i];
}
template <class T> __device__ __noinline__ void put(T *p, int i, T v) {
    p[i] = v;
}
#define GENERIC(NAME, TYPE) \
    extern "C" __global__ void NAME(int m, int n, TYPE *o) { \
        TYPE x[64]; \
        int t = threadIdx.x; \
        if (t >= n) return; \
        int i = t * m & 63; \
        if (m == 99) { \
            put(o, i, o[t]); \
            o[t] = get(o, i); \
        } \
        put(x, i, o[t]); \
        o[t + 32] = get(x, i); \
    }
GENERIC(generic_1, char)
GENERIC(generic_4, float)
GENERIC(generic_16, float4)
