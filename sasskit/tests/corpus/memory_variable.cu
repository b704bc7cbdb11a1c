// Variables in device memory, zeroed and initialised. Their addresses are in constant bank 4.
// run: --entry memory_variable --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1024]:zero=out:memory_variable.out
__device__ unsigned zeroed[512];
__device__ unsigned initialised[4] = {1000, 2000, 3000, 4000};
__device__ unsigned *const pointer = &initialised[2];

extern "C" __global__ void memory_variable(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    zeroed[i] += ua[i];
    out[2 * i] = zeroed[i] + initialised[i & 3];
    out[2 * i + 1] = *pointer;
}
