// Barriers that also reduce: __syncthreads_count(), __syncthreads_and() and __syncthreads_or().
// run: --entry barrier_reduce --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1536]:zero=out:barrier_reduce.out
extern "C" __global__ void barrier_reduce(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i];
    out[3 * i] = __syncthreads_count(a & 1);
    out[3 * i + 1] = __syncthreads_and(a != 77);
    out[3 * i + 2] = __syncthreads_or((a & 0xff) == 17);
}
