// Calls through a table of function pointers.
// run: --entry call_pointer --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:call_pointer.out
static __device__ unsigned twice(unsigned a) {
    return 2 * a + 1;
}
static __device__ unsigned less(unsigned a) {
    return a - 7;
}
__device__ unsigned (*const table[2])(unsigned) = {twice, less};

extern "C" __global__ void call_pointer(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i >> 5 & 1](ua[i]) + table[ua[i] & 1](i);
}
