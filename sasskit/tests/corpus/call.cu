// Calls between device functions that are not inlined.
// run: --entry call --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1024]:zero=out:call.out
static __device__ __noinline__ unsigned inner(unsigned a, unsigned b) {
    return a % (b + 1) + b;
}
static __device__ __noinline__ unsigned outer(unsigned a, unsigned b) {
    return inner(a, b) * 3 + inner(b, a & 255);
}

extern "C" __global__ void call(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = outer(ua[i], i);
    out[2 * i + 1] = i & 1 ? inner(i, 3) : outer(i, 5);
}
