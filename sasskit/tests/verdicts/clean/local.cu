// Correct uses of local memory: indexed arrays and stack frames; with -G also copies of structures
// and operands of compare-and-swap. `run:` is explained in ../list.awk.

// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void local_indexed_array(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int a[16];
    for (int k = 0; k < 16; k++) a[k] = in[(i + k) & 127];
    for (int k = 0; k < 8; k++) a[in[k] & 15] += k;
    out[i] = a[in[i] & 15];
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void local_sort(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int a[8];
    for (int k = 0; k < 8; k++) a[k] = in[(i * 3 + k) & 127];
    for (int k = 1; k < 8; k++) {
        const int v = a[k];
        int j = k;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
    out[i] = a[i & 7];
}
__device__ __noinline__ void fill(int *p, int n, int v) {
    for (int k = 0; k < n; k++) p[k] = v + k;
}
// run: --grid 2 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void local_passed_to_a_function(const int *in, int *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int a[12];
    fill(a, 12, in[i]);
    out[i] = a[in[i] & 7] + a[3];
}
__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
// run: --grid 1 --block 64 --arg i32[64]:zero
extern "C" __global__ void local_recursion(int *out) {
    out[threadIdx.x] = fibonacci(threadIdx.x & 7);
}
// run: --grid 2 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
extern "C" __global__ void __launch_bounds__(64, 16) local_spills(const float *in, float *out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    float a[48];
#pragma unroll
    for (int k = 0; k < 48; k++) a[k] = in[(i + k) & 127];
#pragma unroll 1
    for (int r = 0; r < 3; r++) {
#pragma unroll
        for (int k = 0; k < 48; k++) a[k] = a[k] * a[(k * 7 + 1) % 48] + a[(k + 5) % 48];
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 48; k++) sum += a[k];
    out[i] = sum;
}

struct Particle {
    float x, y, z;
    int hits;
};
// run: --grid 1 --block 64 --arg f32[192]:random:1 --arg f32[64]:zero --arg i32[64]:zero
extern "C" __global__ void local_position_beside_counter(const float *in, float *out, int *hits) {
    __shared__ __align__(16) Particle p[64];
    int t = threadIdx.x;
    p[t].x = in[3 * t], p[t].y = in[3 * t + 1], p[t].z = in[3 * t + 2], p[t].hits = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        float4 q = *reinterpret_cast<const float4 *>(&p[k]);
        sum += q.x * q.y + q.z;
        if (q.x > 0.5f) atomicAdd(&p[k].hits, 1);
    }
    __syncthreads();
    out[t] = sum;
    hits[t] = p[t].hits;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void local_half_of_a_vector(const float *in, float *out) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t].x = in[t];
    s[t].y = in[t] * 2;
    __syncthreads();
    float4 v = s[63 - t];
    s[t].w = v.x;
    out[t] = v.x + v.y;
}
__device__ double add_by_cas(double *at, double v) {
    unsigned long long *p = (unsigned long long *)at, old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
// run: --grid 1 --block 64 --arg i32:0 --arg f64[64]:random:1 --arg f64[2]:zero
extern "C" __global__ void local_double_sum_by_cas(int which, const double *in, double *out) {
    __shared__ double s[2];
    if (threadIdx.x < 2) s[threadIdx.x] = 0;
    __syncthreads();
    double *at = which ? out : s;
    add_by_cas(at, 1.0);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (s[0] != 64) __trap();
        out[1] = s[0];
    }
}
__device__ unsigned long long looked_at(const volatile unsigned long long *p) {
    const unsigned long long v[1] = {*p};
    return v[0];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void local_copy_of_a_flag(const int *in, int *out) {
    __shared__ unsigned long long told;
    __shared__ int s[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) told = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __threadfence_block();
        __syncwarp();
        if (lane == 0) *(volatile unsigned long long *)&told = 1;
    } else {
        while (!looked_at(&told)) {
        }
        __threadfence_block();
        out[lane] = s[31 - lane];
    }
}

// Pointers past an array's end, with negative indices that lead back into the array.
// run: --grid 1 --block 32 --arg i32:8 --arg f32[64]:random:1 --arg f32[32]:zero
extern "C" __global__ void local_pointers_beside(int n, const float *in, float *out) {
    float a[8], b[4], m[3][4], *end = a + 8, s = 0;
    for (float *p = a; p < end; p++) *p = in[p - a];
    for (int i = 0; i < 4; i++) b[i] = in[i + threadIdx.x];
    for (int i = 0; i < 12; i++) (&m[0][0])[i] = b[i & 3];
    for (int i = 1; i <= n; i++) s += end[-i] + (b + 4)[-(i & 3) - 1];
    for (int i = 0; i < n; i++) s += m[i % 3][i % 4];
    out[threadIdx.x] = s;
}
struct local_record {
    int head;
    float v[6];
    struct {
        float key;
        int at;
    } t[2];
};
// run: --grid 1 --block 32 --arg i32:6 --arg f32[64]:random:1 --arg f32[32]:zero
extern "C" __global__ void local_members(int n, const float *in, float *out) {
    local_record r;
    float4 q;
    for (int i = 0; i < 6; i++) r.v[i] = in[i];
    for (int i = 0; i < n; i++) r.t[i & 1].key = r.v[(i + 3) % 6], r.t[i % 2].at = i;
    r.head = n;
    for (int i = 0; i < 4; i++) ((float *)&q)[(n + i) & 3] = r.t[i & 1].key;
    const local_record copy = r;
    out[threadIdx.x] = copy.t[0].at + copy.head + q.x + q.y + q.z + q.w;
}
// An element that was never stored is read, but its value is not used.
// run: --grid 1 --block 32 --arg i32:5 --arg f32[64]:random:1 --arg f32[32]:zero
extern "C" __global__ void local_read_and_dropped(int n, const float *in, float *out) {
    float a[8];
    for (int i = 0; i < n; i++) a[i] = in[i];
    const int at = (n + threadIdx.x) & 7;
    const float v = a[at];
    out[threadIdx.x] = at < n ? v : 0;
}
// With -G, `assumed` is in local memory, and the loop reads it through its address.
__device__ void maximum_by_cas(int *p, float v) {
    int old = *p, assumed;
    do {
        assumed = old;
        float now = *(float *)&assumed;
        old = atomicCAS(p, assumed, __float_as_int(now > v ? now : v));
    } while (old != assumed);
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[1]:zero
extern "C" __global__ void local_expected_value(const float *in, float *most) {
    __shared__ float best;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    maximum_by_cas((int *)&best, fabsf(in[threadIdx.x]));
    __syncthreads();
    if (threadIdx.x == 0) *most = best;
}
