// Recursion whose depth differs from lane to lane: return addresses and locals on the stack.
// run: --entry call_recursive --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:call_recursive.out
static __device__ __noinline__ unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void call_recursive(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = fibonacci(ua[i] & 7);
}
