// Local memory: arrays that are indexed, frames of functions.

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
