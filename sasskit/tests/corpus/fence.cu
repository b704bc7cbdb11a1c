// Memory fences. The last block of the grid to finish sums what all blocks wrote.
// run: --entry fence --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[513]:zero=out:fence.out
__device__ unsigned done;

extern "C" __global__ void fence(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ bool last;
    out[i] = ua[i] >> 10;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned sum = 0;
        for (int k = 0; k < 512; k++) sum += ((volatile unsigned *)out)[k];
        out[512] = sum;
    }
    __threadfence_block();
    __threadfence_system();
}
