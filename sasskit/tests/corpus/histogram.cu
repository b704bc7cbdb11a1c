// A histogram in shared memory, which each block adds to global memory.
// run: --entry histogram --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[16]:zero=out:histogram.out
extern "C" __global__ void histogram(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[ua[i] >> 28], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
